//! Compliant contacts where theory says that they agree with rigid ones.

use nalgebra::{DMatrix, DVector};
use routh::compliant::{Compliance, Compliant, Model};
use routh::contacts::Contacts;
use routh::{Accuracy, Friction, Law};
use routh_tests::random::Random;

fn compliant(
    mass: &DMatrix<f64>,
    normals: &DMatrix<f64>,
    qd: &DVector<f64>,
    stiffness: &[f64],
    e: &[f64],
) -> Vec<f64> {
    let smooth = Friction::uniform(0.0).unwrap();
    let laws = stiffness.iter().zip(e);
    let laws = laws.map(|(&k, &e)| Compliance::new(k, e, smooth, Model::Michalczyk).unwrap());
    let contacts = Compliant::of_bodies(mass, normals, None, laws.collect()).unwrap();
    let before = -(normals * qd);
    let still = vec![0.0; before.len()];
    let after = contacts.solve(before.as_slice(), &still, Accuracy::default()).unwrap();
    after.approach.iter().map(|u| -u).collect()
}

fn largest(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

/// Contacts that are not coupled, any number of them, each with its own
/// stiffness: rigid and compliant agree.
#[test]
fn contacts_apart_from_each_other_agree() {
    let mut random = Random::seeded(63);
    for _ in 0..500 {
        let count = 1 + (random.uniform(0.0, 4.0) as usize);
        let draw = |random: &mut Random, low: f64, high: f64| -> Vec<f64> {
            (0..count).map(|_| random.uniform(low, high)).collect()
        };
        let mass = DMatrix::from_diagonal(&DVector::from_vec(draw(&mut random, 0.5, 5.0)));
        let normals = DMatrix::from_diagonal(&DVector::from_vec(draw(&mut random, 0.5, 2.0)));
        let qd = DVector::from_vec(draw(&mut random, -2.0, -0.1));
        let (stiffness, e) = (draw(&mut random, 1e5, 1e7), draw(&mut random, 0.0, 1.0));
        let rigid = Contacts::new(&mass, &normals).unwrap().solve(&qd, Law::Poisson, &e).unwrap();
        let found = compliant(&mass, &normals, &qd, &stiffness, &e);
        assert!(largest(&found, &rigid.velocity) < 1e-12, "{found:?} {:?}", rigid.velocity);
    }
}

/// A support that restores nothing and is much stiffer than the contact that is
/// struck holds as a rigid one does: the difference vanishes with the ratio of the
/// stiffnesses.
#[test]
fn a_stiff_plastic_support_is_rigid() {
    let mass = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.4]);
    let normals = DMatrix::from_row_slice(2, 2, &[1.0, -0.5, 1.0, 1.0]);
    // The first contact rests, the second strikes and presses it.
    let qd = DVector::from_row_slice(&[-0.5, -1.0]);
    let e = [0.0, 0.6];
    let rigid = Contacts::new(&mass, &normals).unwrap().solve(&qd, Law::Poisson, &e).unwrap();
    let errors: Vec<f64> = [1e2, 1e4, 1e6]
        .iter()
        .map(|ratio| {
            let found = compliant(&mass, &normals, &qd, &[1e6 * ratio, 1e6], &e);
            largest(&found, &rigid.velocity)
        })
        .collect();
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1], "{errors:?}");
    assert!(errors[2] < 1e-3, "{errors:?}");
}

/// Coupled contacts depend on the ratio of their stiffnesses, not on
/// their size: the paper's triple contact.
#[test]
fn the_triple_contact_is_a_family() {
    let mass = [
        [26.0, 0.0, 1.38, 0.42],
        [0.0, 26.0, -3.24, -1.44],
        [1.38, -3.24, 3.392, 0.9992],
        [0.42, -1.44, 0.9992, 0.5],
    ];
    let mass = DMatrix::from_fn(4, 4, |i, j| mass[i][j]);
    let normals = [[0.0, 1.0, -0.3, 0.0], [0.0, 1.0, 0.3, 0.0], [0.0, 1.0, -0.78, -0.48]];
    let normals = DMatrix::from_fn(3, 4, |i, j| normals[i][j]);
    let qd = DVector::from_row_slice(&[0.0, 0.0, 0.0, 10.0]);
    let e = [0.7, 0.5, 0.5];
    let at = |k: f64, ratio: f64| compliant(&mass, &normals, &qd, &[k * ratio, k * ratio, k], &e);
    for ratio in [1e-3, 1.0, 1e3] {
        assert!(largest(&at(1e9, ratio), &at(1e6, ratio)) < 1e-12, "{ratio}");
    }
    let rigid = Contacts::new(&mass, &normals).unwrap().solve(&qd, Law::Poisson, &e).unwrap();
    let (soft, stiff) = (at(1e9, 1e-3), at(1e9, 1e4));
    assert!(soft[0] > rigid.velocity[0] && rigid.velocity[0] > stiff[0], "{soft:?} {stiff:?}");
    assert!(soft[2] < rigid.velocity[2] && rigid.velocity[2] < stiff[2], "{soft:?} {stiff:?}");
}
