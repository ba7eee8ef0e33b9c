//! The motion out of rest: it sticks if friction can hold it, `|b⁻¹h| ≤ μ`, and
//! else restarts along the `u` with `(μ b + λ) u = h`, `|u| = 1`, at the rate `λ u`.

use num_traits::Num;

/// The `u` with `m u = h` for a symmetric `m`: 11, 12, 22; none if it is not definite.
pub(crate) fn solve<T: Num + Copy + PartialOrd>(
    [m11, m12, m22]: [T; 3],
    [h1, h2]: [T; 2],
) -> Option<[T; 2]> {
    let determinant = m11 * m22 - m12 * m12;
    let [x, y] = [m22 * h1 - m12 * h2, m11 * h2 - m12 * h1];
    (determinant > T::zero()).then(|| [x / determinant, y / determinant])
}

/// `dv_t/dp` of a slip out of rest, for `μ b`, `h` and `|h|`. As `|u|` falls with `λ` from
/// above one at 0 to below one at `|h|`, by halving so many times.
pub(crate) fn restart_rate<T: Num + Copy + PartialOrd>(
    [m11, m12, m22]: [T; 3],
    h: [T; 2],
    length: T,
    halvings: usize,
) -> [T; 2] {
    let direction = |lambda: T| solve([m11 + lambda, m12, m22 + lambda], h);
    let (mut low, mut high) = (T::zero(), length);
    for _ in 0..halvings {
        let lambda = (low + high) / (T::one() + T::one());
        let is_long = direction(lambda).is_none_or(|[x, y]| x * x + y * y > T::one());
        if is_long { low = lambda } else { high = lambda }
    }
    direction(high).unwrap_or(h).map(|u| high * u)
}
