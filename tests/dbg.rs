use routh_solver::*;
use routh_tests::reference::*;
#[test]
fn dbg() {
    for case in Impacts::load().spatial {
        if !(case.name.contains("(1.0, -4.0) newton") || case.name.contains("grazing-24")) {
            continue;
        }
        let c = Contact::new(case.input.inertia).unwrap();
        let i = c.solve(case.input.velocity, case.input.friction, case.input.restitution).unwrap();
        println!(
            "{} {:?}\n v {:?} {:?}\n I {:?} {:?}\n {:?} {:?} {:?} {:?} {:?} vs {:?}\n{:?} {:?}",
            case.name,
            scales(&case.input.velocity, &case.expect),
            i.velocity,
            case.expect.velocity,
            i.impulse,
            case.expect.impulse,
            i.compression_impulse,
            i.normal_work,
            i.friction_work,
            i.energy_change,
            i.critical_friction,
            case.expect.scalars,
            &*i.events,
            case.expect.events
        );
    }
}
