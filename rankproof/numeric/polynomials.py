"""Tied, untied, mixed and split units: sums of products of powers of linear forms, with any number of outputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankproof.numeric.factors import Array
from rankproof.numeric.monomials import norms, product, shifts
from rankproof.numeric.objective import Objective, finite_array


class PolynomialObjective(Objective):
    """Distance of a sum of units w * a^p * b^q * ... to a form or a list of forms.

    Parameters
    ----------
    units_model
        Name of the unit model.
    variables, degree
        Of the forms.
    powers
        How often each linear form of a unit occurs; they sum to the degree.
    width
        Number of units.
    coefficients
        Plain coefficients, shape (monomials in the order of `Space.words`, outputs).
    complex_units
        Whether the units have complex coordinates.

    Notes
    -----
    Distances are those of symmetric tensors (the Bombieri norm), so they do not change under rotations of the variables.
    """

    def __init__(
        self,
        units_model: str,
        variables: int,
        degree: int,
        powers: Sequence[int],
        width: int,
        coefficients: object,
        *,
        complex_units: bool = False,
    ) -> None:
        self.monomials = norms(variables, degree)
        self._shift = shifts(variables, degree - 1)
        array = finite_array(coefficients)
        if complex_units:
            array = array.astype(np.complex128)
        outputs = array.shape[1]
        super().__init__(
            units_model,
            (*(variables for _ in powers), outputs),
            (*powers, 1),
            width,
            array * self.monomials[:, None],
        )

    def residual(self, x: Array) -> Array:
        *forms, w = self.unpack(x)
        total = np.matmul(self._products(forms), w.transpose(0, 2, 1))
        total -= self.target(x.dtype)
        return total

    def gradient(self, x: Array, residual: Array) -> Array:
        *forms, w = self.unpack(x)
        products, derivatives = self._products(forms), self._derivatives(forms)
        points = len(x)
        contracted = np.matmul(derivatives.conj().transpose(0, 2, 1), residual)
        by_unit = contracted.reshape(points, -1, self.width, contracted.shape[2])
        first = np.einsum("bisr,brs->bis", by_unit, w.conj()).reshape(points, -1)
        last = np.matmul(residual.transpose(0, 2, 1), products.conj())
        return np.concatenate([first, last.reshape(points, -1)], axis=1)

    def gram(self, x: Array, *, lower: bool = False) -> Array:
        *forms, w = self.unpack(x)
        products, derivatives = self._products(forms), self._derivatives(forms)
        points, r, split = len(x), self.width, self.slices[-1].start
        weights = np.matmul(w.conj().transpose(0, 2, 1), w)
        H = np.zeros((points, self.size, self.size), x.dtype)
        conjugate = derivatives.conj().transpose(0, 2, 1)
        block = np.matmul(conjugate, derivatives).reshape(points, split // r, r, split // r, r)
        block *= weights[:, None, :, None, :]
        H[:, :split, :split] = block.reshape(points, split, split)
        cross = np.matmul(conjugate, products).reshape(points, -1, r, 1, r)
        cross = cross * w.conj().transpose(0, 2, 1)[:, None, :, :, None]
        H[:, :split, split:] = cross.reshape(points, split, -1)
        H[:, split:, :split] = H[:, :split, split:].conj().transpose(0, 2, 1)
        inner = np.matmul(products.conj().transpose(0, 2, 1), products)
        corner = H[:, split:, split:].reshape(points, self.lengths[-1], r, self.lengths[-1], r)
        for o in range(self.lengths[-1]):
            corner[:, o, :, o] = inner
        return H

    def linear_system(self, x: Array, residual: Array, slot: int) -> tuple[Array, Array]:
        if slot not in (-1, len(self.lengths) - 1):
            return super().linear_system(x, residual, slot)
        *forms, _ = self.unpack(x)
        products = self._products(forms)
        inner = np.matmul(products.conj().transpose(0, 2, 1), products)
        side = np.matmul(residual.transpose(0, 2, 1), products.conj())
        m, r = self.lengths[-1], self.width
        gram = np.zeros((len(x), m, r, m, r), x.dtype)
        for o in range(m):
            gram[:, o, :, o] = inner
        return gram.reshape(len(x), m * r, m * r), side.reshape(len(x), -1)

    def jacobian(self, x: Array) -> Array:
        *forms, w = self.unpack(x)
        products, derivatives = self._products(forms), self._derivatives(forms)
        points, monomials, outputs = len(x), len(self.monomials), self.lengths[-1]
        spread = derivatives.reshape(points, monomials, 1, -1, self.width) * w[:, None, :, None]
        last = np.zeros((points, monomials, outputs, outputs, self.width), x.dtype)
        for o in range(outputs):
            last[:, :, o, o] = products
        return np.concatenate(
            [
                spread.reshape(points, monomials * outputs, -1),
                last.reshape(points, monomials * outputs, -1),
            ],
            axis=2,
        )

    def _products(self, forms: Sequence[Array]) -> Array:
        """The products of the forms of every unit, shape (points, monomials, width), in the orthonormal basis."""
        return product(forms, self.powers[:-1]) * self._scales(forms[0].dtype)

    def _derivatives(self, forms: Sequence[Array]) -> Array:
        """Derivatives of the products by every coordinate of every form, (points, monomials, forms * variables * width)."""
        points, n, scales = len(forms[0]), self.lengths[0], self._scales(forms[0].dtype)
        result = np.zeros((points, len(self.monomials), len(forms), n, self.width), forms[0].dtype)
        for v, p in enumerate(self.powers[:-1]):
            if not p:
                continue
            powers = [q - (u == v) for u, q in enumerate(self.powers[:-1])]
            cofactor = product(forms, powers) * p
            for i, shift in enumerate(self._shift):
                result[:, shift, v, i] = cofactor * scales[shift]
        return result.reshape(points, len(self.monomials), -1)

    def _scales(self, dtype: np.dtype) -> Array:
        return self.monomials.astype(dtype)[:, None]


__all__ = ["PolynomialObjective"]
