//! Impacts of any numbers, and what must hold for them.

use routh::{Accuracy, Contact, Error, Friction, Impact, Law, Restitution, Trajectory};

use crate::identities::misses;
use crate::numbers::Numbers;
use crate::reference::{Input, largest};

/// What identities of ordinary contacts are held to. Near-singular ones are among
/// them, which lose most of the digits.
const HELD: f64 = 1e-6;

/// The next impact, if there is one of these numbers.
pub fn read<const N: usize>(numbers: &mut Numbers) -> Option<(Contact<N>, Input<N>)> {
    let inertia = numbers.matrix();
    let mut velocity: [f64; N] = numbers.vector();
    velocity[0] -= 1.0;
    let [fixed, kinetic] = numbers.vector();
    let law = Law::ALL[usize::from(numbers.byte() % 3)];
    let e = match numbers.byte() {
        255 => numbers.number(),
        part => f64::from(part) / 254.0,
    };
    let friction = Friction::new(fixed, kinetic).or_else(|_| Friction::uniform(fixed)).ok()?;
    let restitution = Restitution::new(law, e).ok()?;
    let contact = Contact::new(inertia).ok()?;
    Some((contact, Input { inertia, velocity, friction, restitution }))
}

/// Checks that a result is finite.
///
/// # Panics
/// If it is not.
pub fn check_finite<const N: usize>(solved: &Result<Impact<N>, Error>) {
    let Ok(impact) = solved else { return };
    let scalars = [
        impact.compression_impulse,
        impact.normal_work,
        impact.friction_work,
        impact.energy_change,
    ];
    let events = impact.events.iter().map(|event| event.impulse);
    let all = impact.velocity.iter().chain(&impact.impulse).copied().chain(scalars).chain(events);
    assert!(all.into_iter().all(f64::is_finite), "{impact:?}");
}

/// Checks that a result is finite and, for numbers of ordinary size, that it is one of
/// impact with friction.
///
/// # Panics
/// If it is not.
pub fn check<const N: usize>(
    input: &Input<N>,
    contact: &Contact<N>,
    solved: &Result<Impact<N>, Error>,
) {
    check_finite(solved);
    if !is_ordinary(input, contact) {
        return;
    }
    match solved {
        Ok(impact) => {
            let missed = misses(input, contact, impact, 0.0);
            let missed = missed.iter().find(|miss| miss.exceeds(HELD));
            assert!(missed.is_none(), "{missed:?}\n{input:?}\n{impact:?}");
        }
        Err(error) => assert!(error.kind() == "not_approaching", "{error}\n{input:?}"),
    }
}

/// Whether sizes are within a few orders of each other.
fn is_ordinary<const N: usize>(input: &Input<N>, contact: &Contact<N>) -> bool {
    let diagonal = || (0..N).map(|i| contact.inertia()[i][i]);
    let most = largest(diagonal());
    let least = diagonal().fold(most, f64::min);
    let normal = input.velocity[0].abs();
    let mu = input.friction.static_friction();
    (1e-60..1e60).contains(&most)
        && most < 1e6 * least
        && (1e-60..1e60).contains(&normal)
        && input.velocity.iter().all(|v| v.abs() < 1e6 * normal)
        && contact.sticking_rate() > 1e-6 * contact.inertia()[0][0]
        && mu < 1e3
}

/// Follows the next motion to three impulses.
pub fn motion(numbers: &mut Numbers) {
    let (inertia, v0, mu) = (numbers.matrix(), numbers.vector(), numbers.number());
    let mut impulses: [f64; 3] = numbers.vector();
    impulses.sort_by(f64::total_cmp);
    let _ = (|| {
        let friction = Friction::uniform(mu)?;
        let contact = Contact::new(inertia)?;
        let mut motion = Trajectory::new(&contact, friction, v0, Accuracy::default())?;
        for p in impulses {
            let velocity = motion.advance(p)?;
            assert!(velocity.iter().all(|v| v.is_finite()), "{velocity:?}");
        }
        Ok::<_, Error>(())
    })();
}
