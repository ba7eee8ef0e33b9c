//! How ill-conditioned an inertia is, and in which direction it is least.

use super::Contact;
use crate::elementary::sqrt;

/// The condition of a contact's inertia in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The largest of the inertia's eigenvalues over the least; infinite where rounding hides
    /// the least.
    pub number: f64,
    /// The direction of the least, normal first, of length one.
    pub direction: [f64; 3],
}

/// Sweeps of rotations; each squares what is left off the diagonal.
const SWEEPS: usize = 12;

impl Condition {
    /// Of a symmetric matrix, by Jacobi's rotations.
    pub(crate) fn of(mut matrix: [[f64; 3]; 3]) -> Self {
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for _ in 0..SWEEPS {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                rotate(&mut matrix, &mut axes, p, q);
            }
        }
        let values = [matrix[0][0], matrix[1][1], matrix[2][2]];
        let least = (1..3).fold(0, |i, j| if values[j] < values[i] { j } else { i });
        let largest = values.into_iter().fold(0.0, f64::max);
        let number = if values[least] > 0.0 { largest / values[least] } else { f64::INFINITY };
        Self { number, direction: axes[least] }
    }
}

/// Turns two axes such that the entry between them vanishes.
fn rotate(matrix: &mut [[f64; 3]; 3], axes: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let entry = matrix[p][q];
    if entry == 0.0 {
        return;
    }
    let half = 0.5 * (matrix[q][q] - matrix[p][p]) / entry;
    let tangent = 1.0_f64.copysign(half) / (half.abs() + sqrt(1.0 + half * half));
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    let sine = tangent * cosine;
    matrix[p][p] -= tangent * entry;
    matrix[q][q] += tangent * entry;
    matrix[p][q] = 0.0;
    matrix[q][p] = 0.0;
    let other = 3 - p - q;
    let [x, y] = [matrix[other][p], matrix[other][q]];
    let turned = [cosine * x - sine * y, sine * x + cosine * y];
    for (i, value) in [p, q].into_iter().zip(turned) {
        matrix[other][i] = value;
        matrix[i][other] = value;
    }
    let [first, second] = [axes[p], axes[q]];
    axes[p] = core::array::from_fn(|k| cosine * first[k] - sine * second[k]);
    axes[q] = core::array::from_fn(|k| sine * first[k] + cosine * second[k]);
}

impl Contact<3> {
    /// The condition of `D`: near singular poses of a robot it grows without bound, and of
    /// velocities and impulses after impact as many digits are lost as it has, at most.
    ///
    /// ```
    /// use routh::Contact;
    /// let contact = Contact::new([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-6]])?;
    /// let condition = contact.condition();
    /// assert_eq!((condition.number, condition.direction), (2e6, [0.0, 0.0, 1.0]));
    /// # Ok::<(), routh::Error>(())
    /// ```
    pub fn condition(&self) -> Condition {
        let largest = self.inertia().as_flattened().iter().fold(0.0_f64, |x, y| x.max(y.abs()));
        Condition::of(self.inertia().map(|row| row.map(|x| x / largest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_direction_is_found() {
        let axes: [[f64; 3]; 3] =
            [[2.0, 1.0, 2.0], [-2.0, 2.0, 1.0], [1.0, 2.0, -2.0]].map(|row| row.map(|x| x / 3.0));
        for least in [1e-2, 1e-6, 1e-10] {
            let values = [1.0, 0.1, least];
            let entry =
                |i: usize, j: usize| (0..3).map(|k| axes[k][i] * values[k] * axes[k][j]).sum();
            let matrix: [[f64; 3]; 3] =
                core::array::from_fn(|i| core::array::from_fn(|j| entry(i.min(j), i.max(j))));
            let Condition { number, direction } = Contact::new(matrix).unwrap().condition();
            assert!((number * least - 1.0).abs() < 1e-15 / least, "{number:e}");
            let along: f64 = direction.iter().zip(axes[2]).map(|(x, y)| x * y).sum();
            assert!((along.abs() - 1.0).abs() < 1e-12, "{direction:?}");
        }
    }

    #[test]
    fn graded_inertias_keep_their_ratio() {
        let inertia = [[1e-16, -4e-9, -5e-17], [-4e-9, 1.0, 3e-9], [-5e-17, 3e-9, 1e-16]];
        let number = Contact::new(inertia).unwrap().condition().number;
        // By the complement of the second axis, whose eigenvalues follow from a square.
        let [x, y, z] = [8.4e-17_f64, 9.1e-17, -3.8e-17];
        let least = 0.5 * (x + y) - (0.5 * (x - y)).hypot(z);
        assert!((number * least - 1.0).abs() < 1e-10, "{number:e}");
    }
}
