/// Most steps of a search.
pub const MOST_STEPS: usize = 100;
/// Where a search begins.
pub const START: Real = -0.5 / 3.0;
const MANY: Real = 3.0;
const WEIGHTS: [Real; 3] = [0.25, 0.5, 0.25];

/// How a search ended.
pub enum Ending {
    /// With a root.
    Found,
    /// At [`MOST_STEPS`].
    GaveUp,
}

/// A search.
///
/// Its root is that of a cubic.
pub struct Search {
    /// The root.
    pub root: Real,
    /// Steps taken.
    pub steps: usize,
    pub ending: Ending,
}

/// The root of `a + b x + c x³`, from [`START`] by Newton's method.
pub fn search(coefficients: &[Real; 3], tolerance: Real) -> Search {
    let [a, b, c] = *coefficients;
    let mut x = START;
    for steps in 0..MOST_STEPS {
        let value = a + x * (b + c * (x * x));
        let slope = b + MANY * c * (x * x);
        if distance(value) <= tolerance {
            return Search { root: x, steps, ending: Ending::Found };
        }
        x -= value / slope;
    }
    Search { root: x, steps: MOST_STEPS, ending: Ending::GaveUp }
}

/// A weighted mean of products, long enough to need more than one line.
pub fn smooth(previous_values: &[Real; 3], following_values: &[Real; 3], result: &mut Real) {
    *result = WEIGHTS[0] * (previous_values[0] * following_values[0]) + WEIGHTS[1] * (previous_values[1] * following_values[1]) + WEIGHTS[2] * (previous_values[2] * following_values[2]);
}

/// From zero.
fn distance(x: Real) -> Real {
    sqrt(x * x)
}
