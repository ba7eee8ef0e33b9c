//! Random contacts of all sizes and shapes, the same for the same seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routh::{Contact, Friction, Law, Restitution};

use crate::reference::Input;

/// What a random contact is meant to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ordinary inertia, friction and velocity.
    Plain,
    /// Strong coupling of normal and tangent, strong friction.
    Coupled,
    /// Sizes from 1e-12 to 1e12, for inertia and velocity apart.
    Scaled,
    /// Tangential directions of very different inertia.
    Stiff,
    /// A start next to rest.
    Grazing,
    /// A start at rest.
    Rest,
    /// Friction next to its critical value.
    Critical,
    /// A tangential inertia without preferred direction.
    Isotropic,
    /// A start on, or a hair off, an axis that is an invariant direction.
    Axis,
    /// No friction, or next to none.
    Slippery,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Plain,
        Self::Coupled,
        Self::Scaled,
        Self::Stiff,
        Self::Grazing,
        Self::Rest,
        Self::Critical,
        Self::Isotropic,
        Self::Axis,
        Self::Slippery,
    ];
}

/// A test for each kind, which calls a function of it.
#[macro_export]
macro_rules! sweeps {
    ($sweep:expr) => {
        $crate::sweeps! {
            $sweep;
            plain_contacts: Plain;
            coupled_contacts: Coupled;
            contacts_of_all_scales: Scaled;
            stiff_contacts: Stiff;
            grazing_starts: Grazing;
            starts_at_rest: Rest;
            critical_friction: Critical;
            isotropic_contacts: Isotropic;
            starts_on_an_axis: Axis;
            slippery_contacts: Slippery;
        }
    };
    ($sweep:expr; $($name:ident: $kind:ident;)*) => {$(
        #[test]
        fn $name() {
            let sweep: fn($crate::random::Kind) = $sweep;
            sweep($crate::random::Kind::$kind);
        }
    )*};
}

/// A source of random impacts.
#[derive(Debug)]
pub struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    /// The impacts of a seed.
    pub fn seeded(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A number between two others.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.rng.random::<f64>()
    }

    /// Any bit pattern.
    pub fn bits(&mut self) -> u64 {
        self.rng.random()
    }

    /// A power of ten with an exponent between two numbers.
    pub fn power(&mut self, low: f64, high: f64) -> f64 {
        10.0_f64.powf(self.uniform(low, high))
    }

    /// A number of normal distribution, nearly.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.rng.random::<f64>()).sum::<f64>() - 6.0
    }

    /// `A Aᵀ` for a random `A`, a little away from singular.
    fn inertia<const N: usize>(&mut self) -> [[f64; N]; N] {
        let a: [[f64; N]; N] = std::array::from_fn(|_| std::array::from_fn(|_| self.normal()));
        let mut d = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..=i {
                let sum: f64 = (0..N).map(|k| a[i][k] * a[j][k]).sum();
                d[i][j] = sum + if i == j { 0.02 } else { 0.0 };
                d[j][i] = d[i][j];
            }
        }
        d
    }

    fn restitution(&mut self) -> Restitution {
        let law = Law::ALL[self.rng.random_range(0..3)];
        let e = match self.rng.random_range(0..8) {
            0 => 0.0,
            1 => 1.0,
            2 => self.power(-9.0, -1.0),
            _ => self.uniform(0.0, 1.0),
        };
        Restitution::new(law, e).expect("between 0 and 1")
    }

    fn friction(&mut self, kinetic: f64) -> Friction {
        let more = if self.rng.random::<bool>() { 1.0 } else { self.uniform(1.0, 1.3) };
        Friction::new(kinetic * more, kinetic).expect("in range")
    }

    /// A planar impact.
    pub fn planar(&mut self) -> Input<2> {
        let inertia = self.inertia();
        let tangential = match self.rng.random_range(0..10) {
            0 => 0.0,
            1 => 1e-7 * self.normal(),
            _ => self.normal(),
        };
        let mu = self.uniform(0.0, 2.0);
        Input {
            inertia,
            velocity: [-self.uniform(0.05, 2.0), tangential],
            friction: self.friction(mu),
            restitution: self.restitution(),
        }
    }

    /// An impact whose directions differ in inertia, and whose velocities in size, by
    /// up to so many powers of ten; its friction by up to half as many either way.
    pub fn spread<const N: usize>(&mut self, decades: f64) -> Input<N> {
        let mut inertia: [[f64; N]; N] = self.inertia();
        let rows: [f64; N] = std::array::from_fn(|_| self.power(-0.25, 0.25).powf(decades));
        scale_rows(&mut inertia, rows);
        let mut velocity: [f64; N] =
            std::array::from_fn(|_| self.power(-0.5, 0.5).powf(decades) * self.normal());
        velocity[0] = -velocity[0].abs();
        let mu = self.power(-0.5, 0.5).powf(decades);
        let (friction, restitution) = (self.friction(mu), self.restitution());
        Input { inertia, velocity, friction, restitution }
    }

    /// A spatial impact whose inertia has a condition of so many powers of ten, in directions
    /// oblique to the axes.
    pub fn rotated(&mut self, decades: f64) -> Input<3> {
        let mut input = self.spatial(Kind::Plain);
        let between = self.uniform(0.0, decades);
        let values = [0.0, -between, -decades].map(|power| 10.0_f64.powf(power));
        let axes = self.axes();
        for i in 0..3 {
            for j in 0..=i {
                let entry: f64 = (0..3).map(|k| axes[k][i] * values[k] * axes[k][j]).sum();
                input.inertia[i][j] = entry;
                input.inertia[j][i] = entry;
            }
        }
        input
    }

    /// Three orthogonal directions.
    fn axes(&mut self) -> [[f64; 3]; 3] {
        let [x, y]: [[f64; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| self.normal()));
        let cross = |[a, b, c]: [f64; 3], [d, e, f]: [f64; 3]| {
            [b * f - c * e, c * d - a * f, a * e - b * d]
        };
        let unit = |x: [f64; 3]| {
            let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x.map(|x| x / length)
        };
        let first = unit(x);
        let last = unit(cross(first, y));
        [first, cross(last, first), last]
    }

    /// A spatial impact of a given kind.
    pub fn spatial(&mut self, kind: Kind) -> Input<3> {
        let mut d: [[f64; 3]; 3] = self.inertia();
        let mut v = [-self.uniform(0.05, 2.0), self.normal(), self.normal()];
        let mut mu = self.uniform(0.0, 1.5);
        match kind {
            Kind::Plain => {}
            Kind::Coupled => {
                let rows = [self.power(-1.0, 1.0), self.power(-1.0, 1.0), self.power(-1.0, 1.0)];
                scale_rows(&mut d, rows);
                mu = self.uniform(0.5, 5.0);
            }
            Kind::Scaled => {
                let (inertia, velocity) = (self.power(-12.0, 12.0), self.power(-12.0, 12.0));
                d = d.map(|row| row.map(|x| x * inertia));
                v = v.map(|x| x * velocity);
            }
            Kind::Stiff => {
                let rows = [1.0, self.power(-3.0, 3.0), self.power(-3.0, 3.0)];
                scale_rows(&mut d, rows);
            }
            Kind::Grazing => {
                let small = self.power(-12.0, -3.0);
                v = [v[0], v[1] * small, v[2] * small];
            }
            Kind::Rest => v = [v[0], 0.0, 0.0],
            Kind::Critical => {
                let contact = Contact::new(d).expect("positive definite");
                mu = contact.critical_friction() * (1.0 + self.power(-9.0, -1.0) * self.normal());
                mu = mu.abs();
            }
            Kind::Isotropic => {
                let b = self.uniform(0.5, 2.0);
                let h = [0.3 * self.uniform(-1.0, 1.0), 0.3 * self.uniform(-1.0, 1.0)];
                d = [[1.0, h[0], h[1]], [h[0], b, 0.0], [h[1], 0.0, b]];
            }
            Kind::Axis => {
                d[0][2] = 0.0;
                d[2][0] = 0.0;
                d[1][2] = 0.0;
                d[2][1] = 0.0;
                v[2] = if self.rng.random::<bool>() { 0.0 } else { self.power(-300.0, -6.0) };
            }
            Kind::Slippery => {
                mu = if self.rng.random::<bool>() { 0.0 } else { self.power(-60.0, -3.0) };
            }
        }
        Input {
            inertia: d,
            velocity: v,
            friction: self.friction(mu),
            restitution: self.restitution(),
        }
    }
}

fn scale_rows<const N: usize>(d: &mut [[f64; N]; N], rows: [f64; N]) {
    for i in 0..N {
        for j in 0..N {
            d[i][j] *= rows[i] * rows[j];
        }
    }
}
