"""Feed-forward blocks of existing models: exact weights, and the bilinear even part of gated blocks."""

from __future__ import annotations

from rankproof.blocks.block import GatedBlock, Origin
from rankproof.blocks.files import StoredTensor, TensorFile, open_tensors
from rankproof.blocks.reading import block_numbers, read

__all__ = ["GatedBlock", "Origin", "StoredTensor", "TensorFile", "block_numbers", "open_tensors", "read"]
