//! Random systems with simultaneous contacts, and what holds for their impacts.

use nalgebra::{DMatrix, DVector};
use routh::contacts::{Contacts, Impacts};
use routh::{Error, Law};

use crate::random::Random;

/// What a random system is meant to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As many coordinates as contacts or more.
    Plain,
    /// Contacts that depend on each other, some of them copies.
    Redundant,
    /// Contacts that depend on each other but for a little.
    Close,
    /// Contacts at rest, and one that approaches.
    Resting,
    /// Coordinates, contacts and velocities from 1e-12 to 1e12.
    Scaled,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 5] =
        [Self::Plain, Self::Redundant, Self::Close, Self::Resting, Self::Scaled];
}

/// A system before impact.
#[derive(Clone, Debug)]
pub struct System {
    /// `M`.
    pub mass: DMatrix<f64>,
    /// `J`.
    pub jacobian: DMatrix<f64>,
    /// `Jt` and friction, if there is any.
    pub tangents: Option<(DMatrix<f64>, Vec<f64>)>,
    /// Joint velocities.
    pub qd: DVector<f64>,
    /// The law of restitution.
    pub law: Law,
    /// Its coefficients.
    pub e: Vec<f64>,
}

/// The parts of an impact in coordinates in which `M` is one and every direction
/// has length one.
#[derive(Debug)]
pub struct Scaled {
    /// Directions of normals and tangents, a column each.
    pub directions: DMatrix<f64>,
    /// Lengths before scaling.
    pub lengths: Vec<f64>,
    /// The velocity before impact, of length one.
    pub before: DVector<f64>,
    /// Its length before scaling.
    pub unit: f64,
}

impl System {
    /// A random system of up to eight contacts.
    pub fn random(random: &mut Random, shape: Shape, friction: bool) -> Self {
        let k = 1 + random.bits() as usize % 8;
        let dof = match shape {
            Shape::Redundant | Shape::Close => 1 + random.bits() as usize % k,
            _ => k + random.bits() as usize % 3,
        };
        let mut matrix = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| random.normal());
        let root = matrix(dof, dof + 1);
        let mut mass = &root * root.transpose() + DMatrix::identity(dof, dof) * 0.05;
        let mut jacobian = matrix(k, dof);
        let mut tangents = matrix(k, dof);
        let mut qd = DVector::from(matrix(dof, 1).column(0));
        match shape {
            Shape::Plain => {}
            Shape::Redundant | Shape::Close => {
                let little = if shape == Shape::Close { random.power(-15.0, -3.0) } else { 0.0 };
                for i in 1..k {
                    if random.bits().is_multiple_of(3) {
                        let copy = jacobian.row(random.bits() as usize % i).into_owned();
                        let noise = DMatrix::from_fn(1, dof, |_, _| little * random.normal());
                        jacobian.set_row(i, &(copy + noise));
                    }
                }
            }
            Shape::Resting => {
                // Contacts of the first coordinates, of which only the last moves.
                mass = DMatrix::from_fn(dof, dof, |i, j| if i == j { 1.0 } else { 0.3 });
                for i in 0..k {
                    for j in 0..dof {
                        if (j + 1 == dof) != (i + 1 == k) {
                            jacobian[(i, j)] = 0.0;
                        }
                    }
                }
                qd.fill(0.0);
                qd[dof - 1] = -1.0;
            }
            Shape::Scaled => {
                for j in 0..dof {
                    let size = random.power(-12.0, 12.0);
                    mass.row_mut(j).scale_mut(size);
                    mass.column_mut(j).scale_mut(size);
                    jacobian.column_mut(j).scale_mut(size);
                    tangents.column_mut(j).scale_mut(size);
                    qd[j] /= size;
                }
                for i in 0..k {
                    jacobian.row_mut(i).scale_mut(random.power(-12.0, 12.0));
                    tangents.row_mut(i).scale_mut(random.power(-12.0, 12.0));
                }
                qd *= random.power(-12.0, 12.0);
            }
        }
        let law = if random.bits().is_multiple_of(2) { Law::Poisson } else { Law::Newton };
        let e = if random.bits().is_multiple_of(4) {
            vec![random.uniform(0.0, 1.0); k]
        } else {
            (0..k).map(|_| random.uniform(-0.2, 1.2).clamp(0.0, 1.0)).collect()
        };
        let size = |i: usize, m: &DMatrix<f64>| m.row(i).amax();
        let tangents = friction.then(|| {
            let mu = (0..k).map(|i| {
                let mu = random.uniform(-0.2, 1.5).max(0.0);
                if shape == Shape::Scaled {
                    mu * size(i, &jacobian) / size(i, &tangents)
                } else {
                    mu
                }
            });
            let mu = mu.collect();
            (tangents, mu)
        });
        let mut system = Self { mass, jacobian, tangents, qd, law, e };
        // Every other system is one that kinematics allows: no contact parts before.
        if random.bits().is_multiple_of(2) {
            let velocity = &system.jacobian * &system.qd;
            for i in (0..k).filter(|&i| velocity[i] > 0.0) {
                system.jacobian.row_mut(i).neg_mut();
            }
        }
        system
    }

    /// What the solver makes of it.
    ///
    /// # Errors
    /// As [`Contacts::solve`].
    pub fn solve(&self) -> Result<Impacts, Error> {
        let mut contacts = Contacts::new(&self.mass, &self.jacobian)?;
        if let Some((tangents, mu)) = &self.tangents {
            contacts = contacts.with_friction(tangents, mu)?;
        }
        contacts.solve(&self.qd, self.law, &self.e)
    }

    /// Normal velocities before impact.
    pub fn velocity(&self) -> DVector<f64> {
        &self.jacobian * &self.qd
    }

    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.jacobian.nrows()
    }

    /// Directions and velocity, scaled.
    ///
    /// # Panics
    /// If the mass matrix is not positive definite.
    pub fn scaled(&self) -> Scaled {
        let factor = self.mass.clone().cholesky().expect("positive definite").l();
        let mut rows = self.jacobian.transpose();
        if let Some((tangents, _)) = &self.tangents {
            let k = rows.ncols();
            rows = rows.resize_horizontally(2 * k, 0.0);
            rows.columns_mut(k, k).copy_from(&tangents.transpose());
        }
        let mut directions = factor.solve_lower_triangular(&rows).expect("regular");
        let lengths = directions.column_iter_mut().map(|mut column| column.normalize_mut());
        let lengths = lengths.collect();
        let mut before = factor.tr_mul(&self.qd);
        let unit = before.normalize_mut();
        Scaled { directions, lengths, before, unit }
    }
}

impl Scaled {
    /// How fast the contact approaches that does so most.
    pub fn approach(&self) -> f64 {
        -self.directions.tr_mul(&self.before).min()
    }

    fn velocities(&self, given: &[f64], from: usize) -> DVector<f64> {
        let lengths = &self.lengths[from..];
        DVector::from_fn(given.len(), |i, _| given[i] / self.unit / lengths[i])
    }

    fn impulses(&self, given: &[f64], from: usize) -> DVector<f64> {
        let lengths = &self.lengths[from..];
        DVector::from_fn(given.len(), |i, _| given[i] / self.unit * lengths[i])
    }
}

/// Checks what mechanics, friction and restitution demand, and returns the change of
/// energy as a part of what there was, and the square of the largest impulse, to which
/// rounding is in proportion.
///
/// # Panics
/// If something else is found.
pub fn check(system: &System, impacts: &Impacts) -> (f64, f64) {
    const CLOSE: f64 = 1e-12;
    let scaled = system.scaled();
    let k = system.contacts();
    let describe = || format!("{system:?}\n{impacts:?}");
    let e = DVector::from_column_slice(&system.e);
    let before = scaled.directions.columns(0, k).tr_mul(&scaled.before);
    let (velocity, impulse) =
        (scaled.velocities(&impacts.velocity, 0), scaled.impulses(&impacts.impulse, 0));
    let (compressed, compression) = (
        scaled.velocities(&impacts.compression_velocity, 0),
        scaled.impulses(&impacts.compression_impulse, 0),
    );
    for vector in [&velocity, &impulse, &compressed, &compression] {
        assert!(vector.iter().all(|x| *x >= 0.0), "negative\n{}", describe());
    }
    let large = impulse.amax().max(compression.amax()).max(1.0);
    let near = |found: &DVector<f64>, wanted: &DVector<f64>, what: &str| {
        let error = (found - wanted).amax() / large;
        assert!(error < CLOSE, "{what}: {error:e}\n{}", describe());
    };

    let mut all = impulse.as_slice().to_vec();
    let mut all_compression = compression.as_slice().to_vec();
    let (mut all_velocity, mut all_compressed) =
        (velocity.as_slice().to_vec(), compressed.as_slice().to_vec());
    if let (Some(tangential), Some((_, mu))) = (&impacts.tangential, &system.tangents) {
        let slip = scaled.velocities(&tangential.velocity, k);
        let slip_compressed = scaled.velocities(&tangential.compression_velocity, k);
        let friction = scaled.impulses(&tangential.impulse, k);
        let friction_compressed = scaled.impulses(&tangential.compression_impulse, k);
        let mu: Vec<f64> =
            (0..k).map(|i| mu[i] * scaled.lengths[k + i] / scaled.lengths[i]).collect();
        let mut phases = vec![(&compression * 1.0, &friction_compressed * 1.0, &slip_compressed)];
        match system.law {
            Law::Poisson => {
                phases.push((&impulse - &compression, &friction - &friction_compressed, &slip));
            }
            _ => phases.push((&impulse * 1.0, &friction * 1.0, &slip)),
        }
        for (normal, friction, slip) in phases {
            for i in 0..k {
                let slack = CLOSE * large * mu[i].max(1.0);
                let rest = mu[i] * normal[i] - friction[i].abs();
                assert!(rest > -slack, "cone {i}: {rest:e}\n{}", describe());
                let sliding =
                    slip[i].abs().min((mu[i] * normal[i] + friction[i] * slip[i].signum()).abs());
                assert!(sliding < slack, "sliding {i}: {sliding:e}\n{}", describe());
            }
        }
        all.extend(friction.iter());
        all_compression.extend(friction_compressed.iter());
        all_velocity.extend(slip.iter());
        all_compressed.extend(slip_compressed.iter());
    }
    let push = |impulse: Vec<f64>| &scaled.before + &scaled.directions * DVector::from(impulse);
    let (after, middle) = (push(all), push(all_compression));
    near(&DVector::from(all_velocity), &scaled.directions.tr_mul(&after), "velocity");
    near(&DVector::from(all_compressed), &scaled.directions.tr_mul(&middle), "compression");
    let factor = system.mass.clone().cholesky().expect("positive definite").l();
    near(&(factor.tr_mul(&impacts.qd) / scaled.unit), &after, "momentum");

    let apart = |impulse: &DVector<f64>, velocity: &DVector<f64>, what: &str| {
        let both = impulse.zip_map(velocity, |p, v| p.abs().min(v.abs())).amax() / large;
        assert!(both < CLOSE, "{what} not complementary: {both:e}\n{}", describe());
    };
    apart(&compression, &compressed, "compression");
    match system.law {
        Law::Poisson => {
            let more = &impulse - &compression - compression.component_mul(&e);
            assert!(more.min() > -CLOSE * large, "less than Poisson's\n{}", describe());
            apart(&more, &velocity, "Poisson");
        }
        _ => {
            let more = &velocity - before.zip_map(&e, |v, e| e * (-v).max(0.0));
            assert!(more.min() > -CLOSE * large, "less than Newton's\n{}", describe());
            apart(&impulse, &more, "Newton");
        }
    }
    let energy = after.norm_squared() - 1.0;
    let found = 2.0 * impacts.energy_change / scaled.unit / scaled.unit;
    let error = (energy - found).abs() / (large * large);
    assert!(error < CLOSE, "energy: {error:e}\n{}", describe());
    (energy, large * large)
}
