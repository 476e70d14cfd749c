"""What a rule of the verifier rests on, in words that a graduate student follows: one entry a rule.

`rankproof.show.phrases` says what a rule did in one certificate; here stands why that proves anything. The proofs are
the pages docs/rules/.
"""

from __future__ import annotations

UPPER = (
    "An upper bound needs no theory: the units are written down, and the verifier adds them up exactly and compares every"
    " coefficient with the target."
)

EXPLANATIONS: dict[str, str] = {
    "nonzero": "A sum of no units is zero, and the target is not zero.",
    "decomposition": UPPER,
    "border-family": (
        "The units depend on a parameter ε, with weights that grow as ε tends to 0. Their sum is the target times a"
        " power of ε, plus terms of higher order: divided by that power, it converges to the target. So units of this"
        " number come arbitrarily close, whether or not they ever reach it. The verifier expands the sum exactly in"
        " powers of ε."
    ),
    "real-solution": (
        "The exact coordinates are algebraic numbers too large to write down, so the certificate holds rational"
        " approximations. Newton's method from there is a contraction of a small box into itself, by exact bounds, and a"
        " contraction has a fixed point: exact units exist in the box."
    ),
    "conjugate-units": (
        "The units are written once, with coordinates in a variable t, and stand for one unit at every root of a"
        " polynomial in t. Sums over all roots are rational and computed exactly with Newton's identities, without"
        " finding the roots."
    ),
    "apolar-form": (
        "A form in two variables is a sum of powers of r given linear forms exactly when the product of the r"
        " derivatives that kill these linear forms kills it (Sylvester). The certificate holds this operator of degree"
        " r; its roots need not be written down, only counted and told apart."
    ),
    "kronecker-form": (
        "A tensor with two slices is a pencil of matrices, and invertible row and column operations do not change its"
        " rank. The certificate holds operations that bring the pencil to Kronecker's block form, whose blocks have"
        " decompositions that are known."
    ),
    "flattening": (
        "Sort the letters of every monomial into two groups: the coefficients become the entries of a matrix, whose"
        " entries depend linearly on the target. The matrix of one unit has a small rank k, so a sum of r units has rank"
        " at most r·k. Since rank can only fall in a limit, the bound holds for border width too. A rank modulo a prime"
        " is at most the rank over the field."
    ),
    "koszul": (
        "Like a flattening, but one or more letters are wedged onto an exterior power first. The larger matrix is still"
        " linear in the target and has a bounded rank on one unit, and it sees more: rank divided by that bound is a"
        " lower bound for the border width."
    ),
    "quadric": (
        "Quadratic forms are classified: a sum of tied units is a diagonal form, so their number is the rank of its"
        " matrix; a sum of r untied units vanishes on a subspace of codimension r, so their number depends on how large"
        " the isotropic subspaces over the field are. Signature (over the reals) and Hilbert symbols (over the"
        " rationals) settle that."
    ),
    "inertia": (
        "In suitable coordinates the matrix of the quadratic form is strictly diagonally dominant, so the signs on its"
        " diagonal are the signs of its eigenvalues. A form with P positive and Q negative eigenvalues needs P + Q"
        " squares, and at least max(P, Q) real products."
    ),
    "size-floor": (
        "Certain matrices made of the coefficients would be diagonal in one basis for a sum of so many units, and for the target"
        " they are in no basis. Near the target they are nearly so: their eigenvalues lie close together, the units cancel, and"
        " units that cancel and still leave the target have to be large."
    ),
    "inertia-floor": (
        "The best approximation of a quadratic form by few units keeps the largest eigenvalues (Eckart and Young)."
        " Counting eigenvalues above and below thresholds, exactly, bounds what few units can take away from the norm,"
        " and so the error that is left."
    ),
    "hessian-at-a-zero": (
        "Where a product of linear forms vanishes, one factor vanishes, and the matrix of second derivatives has rank"
        " at most 2 there. A zero with a matrix of rank 3 shows that the form is no product, and no limit of products."
    ),
    "signature": (
        "Derivatives by squares turn the target into a quadratic form on the forms of some degree. One unit gives it at"
        " most one positive and one negative square, so r units are seen in its signature: its number of positive, or of"
        " negative, squares is at most r."
    ),
    "locus": (
        "All high derivatives of a sum of r units vanish where the r linear forms do: on a subspace of dimension n - r"
        " at least. If the high derivatives of the target, with a few linear forms, have no common zero but the origin,"
        " r cannot be small. The verifier checks this with a rank of multiples of these forms, modulo a prime."
    ),
    "apolar-length": (
        "The operators that kill the target form an ideal; let A be the algebra of operators modulo it, of finite"
        " dimension. The linear forms of a decomposition are points at which operators can be evaluated, and an operator"
        " of degree e that vanishes at none of them cuts out an algebra of dimension e times their number. That algebra"
        " maps onto A, which gives the bound."
    ),
    "definite-apolar": (
        "As for apolar lengths, over the reals: an operator that kills the target and is positive definite vanishes at"
        " no real point, so that it may cut the algebra wherever the real linear forms of a decomposition are."
    ),
    "t-bound": (
        "Fix a hypersurface. Only those linear forms of a decomposition that lie outside of it are counted; there the"
        " operator t that defines it is no zero divisor, and the dimensions of the apolar algebras before and after"
        " applying t bound their number."
    ),
    "landsberg-teitler": (
        "A matrix of derivatives of order s gives its rank as a bound. Where the hypersurface of the target has points"
        " of high multiplicity, there are many operators that kill the target and none of them may vanish at all linear"
        " forms of a decomposition: that adds the dimension of the set of those points."
    ),
    "landsberg-teitler-twice": (
        "The bound of Landsberg and Teitler, with points of high multiplicity counted on both sides of the matrix of"
        " derivatives."
    ),
    "tangent": (
        "Fewer than n units leave a direction p that all their detectors ignore; along it the target has zero second"
        " derivative, and its first derivative is a sum of as many tied units. All such directions are covered by a"
        " finite tree of cases, and in each the derivative needs too many tied units."
    ),
    "output-substitution": (
        "A map with m independent outputs has a combination of its outputs from which m - 1 units disappear. So its"
        " width is at least m - 1 plus the least width of any combination of the outputs, and that is bounded for all"
        " combinations at once."
    ),
    "independent-combination": (
        "Contractions of the target are combined with the powers of a number b that is independent over the field. One"
        " unit gives to the matrices side by side, and one below the other, as much rank as to their combination; what"
        " the combination lacks must be paid for by further units."
    ),
    "pencil": (
        "Two slices of the target form a pencil of matrices A, B. Where B - θA loses rank at a θ outside the field, or"
        " loses it twice, no unit over the field can be responsible, so more units are needed than the size of the"
        " matrices says."
    ),
    "alder-strassen": (
        "The tensor is the multiplication of an algebra of dimension N with one. Alder and Strassen proved that at"
        " least 2N - t multiplications are needed, t the number of maximal two-sided ideals: one saves at most one"
        " multiplication an ideal. The verifier finds the algebra in the tensor and counts the ideals."
    ),
    "division-algebra": (
        "The tensor is the multiplication of a division algebra that is not commutative. With fewer than 2N products"
        " for dimension N one finds an element whose multiplication, in a basis of the products, is diagonal but for"
        " a matrix of rank one, although every eigenvalue outside the field has a larger eigenspace: a contradiction"
        " (de Groote)."
    ),
    "dropped-slices": (
        "The substitution method: drop slices one after the other, each time subtracting suitable multiples of them"
        " from the rest, and every dropped slice takes one unit with it. Whatever the multiples are, what is left has a"
        " flattening of some rank at least, and needs as many units again."
    ),
    "substitution": (
        "The substitution method: derivatives with free parameters can be chosen to kill one unit each. Whatever the"
        " parameters turn out to be, what is left of the target has a flattening of some rank at least, and needs units"
        " of its own."
    ),
    "binary": (
        "For forms in two variables the operators that kill the target decide: a sum of r powers exists exactly when"
        " some operator of degree r that kills it has r different roots in the field. The certificate shows that no"
        " operator of this degree has."
    ),
    "border-apolarity": (
        "If the border width were r, families of r units converging to the target would leave behind spaces of"
        " equations in every degree, and by a theorem of Borel some that are stable under a group of symmetries. The"
        " verifier goes through all stable candidates and finds that none satisfies the necessary conditions (Buczyńska"
        " and Buczyński; Conner, Harper and Landsberg)."
    ),
    "cover": (
        "Over a small finite field: the r matrices of rank one behind a decomposition are sorted by what they do on the"
        " spaces of slices. Bounds on smaller spaces are inequalities between the numbers of each sort, and linear"
        " programming duality adds them up to the bound."
    ),
    "real-plane-cubic": (
        "A sum of four real cubes would be visible in the operators of degree 2 that kill the cubic: their Jacobian"
        " determinant would have to take both signs at the four points. It does not, so four real cubes are not enough."
    ),
    "kruskal": (
        "The target is a sum of r tensor products whose vectors are in general position: any k of them are independent,"
        " in each factor. Kruskal's theorem says that a shorter sum does not exist when the numbers k are large enough,"
        " and often that this sum is the only one."
    ),
    "coprime-monomials": (
        "A sum of monomials without a common variable needs as many units as the monomials one by one. This is a"
        " published theorem that the verifier does not prove; it counts only for readers who accept it by name."
    ),
    "restriction": (
        "Linear maps of the variables, the outputs or the factors take a unit to a unit or to zero. So the target needs"
        " at least as many units as its image under such maps, about which another rule is used."
    ),
    "sum-of-parts": (
        "The target is a sum of images of smaller targets under linear maps, which take units to units. Units for the"
        " parts, put together, are units for the whole."
    ),
    "floor": (
        "A flattening of a sum of w units has a bounded rank, and the best approximation of a matrix by one of smaller"
        " rank keeps the largest singular values (Eckart and Young). So the squares of the other singular values bound"
        " the error of every network of this width from below. The verifier bounds them exactly, by counting above"
        " thresholds."
    ),
}

UNITS: dict[str, str] = {
    "tied": "a power of one linear form, with a weight (Waring rank)",
    "untied": "a power of one linear form times another linear form, with a weight",
    "split": "a product of linear forms, with a weight (Chow rank)",
    "product": "a tensor product of vectors, one a factor (tensor rank)",
}

_MIXED = "a power of one linear form times a power of another, with a weight"


def unit_meaning(units: str) -> str:
    """What one unit is, in words.

    Examples
    --------
    >>> unit_meaning("product")
    'a tensor product of vectors, one a factor (tensor rank)'
    """
    return UNITS.get(units, _MIXED)


def explanation(rule: str) -> str:
    """Why a rule proves what it claims; empty for a rule that is not known here."""
    return EXPLANATIONS.get(rule, "")


__all__ = ["EXPLANATIONS", "explanation", "unit_meaning"]
