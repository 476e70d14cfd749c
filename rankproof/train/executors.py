"""Where the pieces of a sweep run: here, in processes of this machine, or on the workers of a Dask scheduler."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from rankproof.errors import UsageError, WorkerLost
from rankproof.train import require

_AGAIN = "finished pieces are kept: run the same command again, and it goes on with the others"

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of a module and its arguments: something that can be sent elsewhere."""


def results(calls: Sequence[Call], executor: str, processes: int) -> Iterator[tuple[int, Any]]:
    """Number and result of every call, in the order in which they are ready.

    Parameters
    ----------
    calls
        What is to be done.
    executor
        Empty for here and one after the other, ``processes``, or the address of a Dask scheduler such as
        ``tcp://10.0.0.1:8786``.
    processes
        How many, where they are processes.

    Raises
    ------
    UsageError
        If there is no such executor, or no scheduler at the address.
    WorkerLost
        If a process was killed, or the cluster gave a call up.
    """
    if not executor:
        return ((number, function(*words)) for number, (function, words) in enumerate(calls))
    if executor == "processes":
        return _in_processes(calls, processes)
    if "://" in executor or ":" in executor:
        return _on_cluster(calls, executor)
    raise UsageError(
        f"--executor {executor}: give 'processes' or the address of a Dask scheduler such as tcp://10.0.0.1:8786"
    )


def _in_processes(calls: Sequence[Call], processes: int) -> Iterator[tuple[int, Any]]:
    # A forked process would inherit torch's thread pool without its threads, and hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(function, *words): number for number, (function, words) in enumerate(calls)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise WorkerLost(f"a process was killed, perhaps for want of memory; {_AGAIN}") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(calls: Sequence[Call], address: str) -> Iterator[tuple[int, Any]]:
    distributed = require("distributed", "scale")
    try:
        client = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"--executor {address}: no Dask scheduler answers there ({error})") from error
    with client:
        futures = {
            client.submit(function, *words, pure=False): number
            for number, (function, words) in enumerate(calls)
        }
        try:
            for future, value in distributed.as_completed(list(futures), with_results=True, loop=client.loop):
                yield futures[future], value
        except (distributed.KilledWorker, CancelledError, distributed.comm.CommClosedError) as error:
            raise WorkerLost(
                f"the cluster at {address} lost the workers of a piece ({error}); {_AGAIN}"
            ) from error


__all__ = ["Call", "results"]
