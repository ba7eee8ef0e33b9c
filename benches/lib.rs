//! The rival that the papers measure against: Runge-Kutta of fourth order with
//! fixed steps on the sliding velocity in the normal impulse.
#![forbid(unsafe_code)]

use routh_solver::Contact;

/// The tangential velocity after a normal impulse, by so many equal steps.
pub fn runge_kutta(contact: &Contact<3>, mu: f64, v0: [f64; 2], p: f64, steps: usize) -> [f64; 2] {
    let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
    let rate = |[x, y]: [f64; 2]| {
        let scale = mu / (x * x + y * y).sqrt();
        [h1 - scale * (b11 * x + b12 * y), h2 - scale * (b12 * x + b22 * y)]
    };
    let h = p / steps as f64;
    let along = |v: [f64; 2], k: [f64; 2], h: f64| [v[0] + h * k[0], v[1] + h * k[1]];
    (0..steps).fold(v0, |v, _| {
        let k1 = rate(v);
        let k2 = rate(along(v, k1, 0.5 * h));
        let k3 = rate(along(v, k2, 0.5 * h));
        let k4 = rate(along(v, k3, h));
        let mean = [
            (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]) / 6.0,
            (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]) / 6.0,
        ];
        along(v, mean, h)
    })
}
