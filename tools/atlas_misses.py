"""Names of the atlas's tensors in the library, and why some of their known values are not reproduced here."""

from __future__ import annotations

NAMES: dict[str, str] = {
    "unit3": "unit(3)",
    "ghz4": "GHZ(4)",
    "W3": "W(3)",
    "W4": "W(4)",
    "W5": "W(5)",
    "dicke25": "dicke(2,5)",
    "Tcw3": "small_coppersmith_winograd(3)",
    "TCW2": "coppersmith_winograd(2)",
    "TCW3": "coppersmith_winograd(3)",
    "Tskew4": "skew_coppersmith_winograd(4)",
    "det3_tensor": "det_tensor(3)",
    "det5_tensor": "det_tensor(5)",
    "perm3_tensor": "perm_tensor(3)",
    "perm4_tensor": "perm_tensor(4)",
    "alg_C": "complex_product",
    "alg_x4": "truncated_polynomials(4)",
    "alg_x6": "truncated_polynomials(6)",
    "alg_x4m1": "cyclic_convolution(4)",
    "alg_x7m1": "cyclic_convolution(7)",
    "alg_T2": "upper_triangular(2)",
    "alg_quat": "quaternion_product",
    **{f"polymul_{n}_{m}": f"polymul({n},{m})" for n, m in ((2, 2), (2, 3), (3, 3), (4, 4))},
    **{
        f"matmul_{n}{m}{p}": f"matmul({n},{m},{p})"
        for n, m, p in (
            (1, 2, 2),
            (2, 2, 2),
            (2, 2, 3),
            (2, 2, 5),
            (2, 3, 3),
            (2, 3, 4),
            (3, 3, 3),
            (4, 4, 4),
        )
    },
}

_CODES = "the best linear codes over the field give one more than the covers that the search finds"
_FIELD_SEARCH = "only an exhaustive search over the small field is known to show it, and it is too long for the verifier's limits"
_ORBITS = "only a search over all orbits of subspaces shows it, of which a certificate takes megabytes"
_ALGEBRA = "Alder and Strassen's bound for algebras is a theorem that is used only where theorems are allowed"
_BLASER = "the argument is a substitution with a choice of ideals (Blaser), and the rule of substitution fixes its slices"
_APOLARITY = "border apolarity has too many candidates here for the time, and Koszul flattenings stop below"

_WHY: dict[tuple[str, str], str] = {
    (
        "WkronWkronW",
        "lower rank",
    ): "the argument is about three W tensors at once; substitution stops at less",
    (
        "WkronWkronW",
        "upper rank",
    ): "the known products are not constructed here; powers of linear forms give 19",
    ("WtensorW", "lower rank"): "the argument is about the two W tensors at once; substitution stops at less",
    ("det3_tensor", "lower rank GF(2)"): _FIELD_SEARCH,
    ("perm3_tensor", "lower rank GF(2)"): _FIELD_SEARCH,
    ("Tcw2_kron2", "lower border"): _APOLARITY,
    ("Tcw2_kron2", "lower rank"): _APOLARITY,
    ("sl3", "lower border"): _APOLARITY,
    ("sl3", "lower rank"): _APOLARITY,
    ("sl3", "upper border"): "the known sums are numerical ones, and no exact one is published",
    ("sl3", "upper rank"): "the known sums are numerical ones, and no exact one is published",
    (
        "alg_x4",
        "lower rank GF(2)",
    ): "that no algebra of this kind has minimal rank over GF(2) is a theorem that no rule states",
    (
        "alg_x4m1",
        "lower rank GF(2)",
    ): "that no algebra of this kind has minimal rank over GF(2) is a theorem that no rule states",
    ("alg_x4", "lower rank"): _ALGEBRA,
    ("TCW2", "lower rank"): _ALGEBRA,
    ("TCW3", "lower rank"): _ALGEBRA,
    ("WkronW", "lower rank"): _ALGEBRA,
    ("alg_x6", "lower rank QQ"): _ALGEBRA,
    ("alg_x7m1", "lower rank QQ"): _ALGEBRA,
    ("alg_x6", "lower rank GF(2)"): _ORBITS,
    ("alg_x7m1", "lower rank GF(2)"): _ORBITS,
    ("alg_x4m1", "lower rank GF(3)"): _ALGEBRA,
    ("alg_quat", "lower rank QQ"): "the argument for division algebras of dimension four is no rule here",
    ("alg_quat", "lower rank RR"): "the argument for division algebras of dimension four is no rule here",
    (
        "alg_quat",
        "lower rank CC",
    ): "quaternions are 2 x 2 matrices over QQ(i) only, and border apolarity stays in the given bases",
    (
        "alg_quat",
        "lower border",
    ): "quaternions are 2 x 2 matrices over QQ(i) only, and border apolarity stays in the given bases",
    ("alg_oct", "lower rank"): "the bound m + n - 1 for algebras without divisors of zero is no rule here",
    ("gf2_2", "lower rank GF(2)"): _CODES,
    ("gf2_5", "lower rank GF(2)"): _CODES,
    ("gf2_6", "lower rank GF(2)"): _CODES,
    ("polymul_2_3", "lower rank GF(2)"): _CODES,
    ("polymul_3_3", "lower rank GF(2)"): _CODES,
    ("polymul_3_3", "lower rank GF(3)"): _CODES,
    ("polymul_4_4", "lower rank GF(2)"): _FIELD_SEARCH,
    ("polymul_4_4", "lower rank GF(3)"): _FIELD_SEARCH,
    ("matmul_222", "lower rank GF(2)"): _FIELD_SEARCH,
    ("matmul_223", "lower rank CC"): "Alekseyev's proof of 11 is a case distinction that no rule states",
    ("matmul_223", "lower rank GF(2)"): _ORBITS,
    ("matmul_225", "lower rank CC"): _BLASER,
    (
        "matmul_225",
        "lower rank GF(2)",
    ): "Hopcroft and Kerr's proof over GF(2) is a case distinction that no rule states",
    ("matmul_233", "lower rank CC"): _BLASER,
    ("matmul_233", "lower border"): _APOLARITY,
    (
        "matmul_233",
        "upper border",
    ): "Smirnov's family was found numerically; it is accepted from a file and not kept here",
    ("matmul_233", "lower rank GF(2)"): _ORBITS,
    ("matmul_234", "lower rank CC"): _BLASER,
    ("matmul_234", "lower rank GF(2)"): _ORBITS,
    ("matmul_333", "lower rank CC"): _BLASER,
    ("matmul_333", "lower border"): _APOLARITY,
    (
        "matmul_333",
        "upper border",
    ): "Smirnov's family was found numerically; it is accepted from a file and not kept here",
    ("matmul_333", "lower rank GF(2)"): _ORBITS,
    ("matmul_444", "lower rank"): _BLASER,
    ("matmul_444", "lower border"): "border substitution by Landsberg and Michalek is no rule here",
    (
        "matmul_444",
        "upper rank",
    ): "schemes found by others with machine learning are accepted from files and not kept here",
    (
        "matmul_444",
        "upper border",
    ): "schemes found by others with machine learning are accepted from files and not kept here",
}
"""By entry, and by side, quantity and field, from the most special to the most general."""


def why(name: str, side: str, field: str, quantity: str) -> str:
    """What is missing for a known bound, in a phrase; empty when nobody has looked into it."""
    kind = "border" if quantity == "border_rank" else "rank"
    for key in (f"{side} {kind} {field}", f"{side} {kind}", side):
        if (name, key) in _WHY:
            return _WHY[name, key]
    return ""
