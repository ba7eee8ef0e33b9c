//! Solves one impact with the library as it is by default.

use routh::{Contact, Flow, Friction, Law, Restitution};

fn main() -> Result<(), routh::Error> {
    let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
    let (friction, restitution) =
        (Friction::new(0.3, 0.25)?, Restitution::new(Law::Energetic, 0.7)?);
    let impact = contact.solve([-1.0, 0.7, -1.1], friction, restitution)?;
    let again = Flow::new(&contact, friction).solve([-1.0, 0.7, -1.1], restitution)?;
    assert!(impact.velocity[0] > 0.0);
    assert!((impact.velocity[0] - again.velocity[0]).abs() < 1e-11);
    println!("{:?}", impact.velocity);
    Ok(())
}
