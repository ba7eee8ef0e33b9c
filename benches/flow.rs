//! The compiled flow against the series and Runge-Kutta: times in turn, ratios
//! within one run, tables warm.

use std::error::Error;

use routh::{Accuracy, Contact, Flow, Friction, Law, Restitution};
use routh_benches::timed::{Timed, shortest};
use routh_integrators::{Problem, impact, runge_kutta};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::seed_robot;

const ROUNDS: usize = 60;
/// Random contacts, and impacts of each.
const CONTACTS: usize = 100;
const IMPACTS: usize = 200;
/// The paper's step count.
const PAPER: usize = 38;

/// Impacts of one contact.
struct Job {
    contact: Contact<3>,
    friction: Friction,
    impacts: Vec<([f64; 3], Restitution)>,
}

impl Job {
    /// Random impacts of a contact by one law or by all.
    fn new(contact: Contact<3>, friction: Friction, law: Option<Law>, random: &mut Random) -> Self {
        let impacts = (0..IMPACTS).map(|i| {
            let velocity = random.spatial(Kind::Plain).velocity;
            let law = law.unwrap_or(Law::ALL[i % 3]);
            Restitution::new(law, random.uniform(0.1, 1.0))
                .map(|restitution| (velocity, restitution))
        });
        Self { contact, friction, impacts: impacts.filter_map(Result::ok).collect() }
    }

    fn series(&self, accuracy: Accuracy) -> Timed<'_> {
        Timed::each(&self.impacts, move |&(velocity, restitution)| {
            self.contact.solve_with(velocity, self.friction, restitution, accuracy)
        })
    }

    fn flow<'a>(&'a self, flow: &'a Flow) -> Timed<'a> {
        Timed::each(&self.impacts, |&(velocity, restitution)| flow.solve(velocity, restitution))
    }

    fn runge_kutta(&self) -> Timed<'_> {
        Timed::each(&self.impacts, |&(velocity, restitution)| {
            impact::follow(&self.contact, velocity, self.friction, restitution, PAPER)
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random::seeded(5);
    let (robot, friction) = (seed_robot(), Friction::uniform(0.3)?);
    let flow = Flow::new(&robot, friction);
    let compact = Flow::compact(&robot, friction);
    println!("seed robot: tables of {} bytes, compact {}", flow.bytes(), compact.bytes());
    let problem = Problem::new(*robot.inertia(), 0.3, [4.0, 0.0], &[3000.0]);
    println!("\nns per impact, and how many times the flow's, series to 1e-10");
    for law in [None, Some(Law::Newton), Some(Law::Poisson), Some(Law::Energetic)] {
        let job = Job::new(robot, friction, law, &mut random);
        let times = [
            job.flow(&flow),
            job.flow(&compact),
            job.series(Accuracy::new(1e-10)?),
            job.runge_kutta(),
            Timed::new(|| runge_kutta::follow(&problem, PAPER)),
        ];
        let [flow, compact, series, whole, slip] = shortest(times, ROUNDS);
        println!(
            "{:9}: flow {flow:.0}; compact {compact:.0} ({:.2}); series {series:.0} ({:.2}); {PAPER} Runge-Kutta steps of a slip {slip:.0} ({:.2}), of the impact {whole:.0} ({:.2})",
            law.map_or("all laws", Law::name),
            compact / flow,
            series / flow,
            slip / flow,
            whole / flow,
        );
    }
    println!("\nseries over flow at tolerances of the series");
    let job = Job::new(robot, friction, None, &mut random);
    for tolerance in [1e-3, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14] {
        let times = [job.flow(&flow), job.series(Accuracy::new(tolerance)?)];
        let [flow, series] = shortest(times, ROUNDS);
        println!("{tolerance:e}: {:.2}", series / flow);
    }
    contacts(&mut random)
}

/// Many contacts: ratios, times and sizes.
fn contacts(random: &mut Random) -> Result<(), Box<dyn Error>> {
    let (mut ratios, mut made, mut made_compact, mut bytes) = (vec![], vec![], vec![], vec![]);
    for _ in 0..CONTACTS {
        let input = random.spatial(Kind::Plain);
        let contact = Contact::new(input.inertia)?;
        let job = Job::new(contact, input.friction, None, random);
        let flow = Flow::new(&contact, input.friction);
        let times = [job.flow(&flow), job.series(Accuracy::new(1e-10)?)];
        let [by_flow, by_series] = shortest(times, ROUNDS);
        ratios.push(by_series / by_flow);
        let making = [Flow::new, Flow::compact]
            .map(|make| Timed::new(move || make(&contact, input.friction)));
        let [whole, small] = shortest(making, 3);
        made.push(whole / 1e3);
        made_compact.push(small / 1e3);
        bytes.push(flow.bytes() as f64);
    }
    println!("\n{CONTACTS} random contacts: least, median and most");
    for (name, values) in [
        ("series to 1e-10 over flow", &mut ratios),
        ("tables made in us", &mut made),
        ("compact ones in us", &mut made_compact),
        ("bytes", &mut bytes),
    ] {
        values.sort_by(f64::total_cmp);
        println!(
            "{name}: {:.1} {:.1} {:.1}",
            values[0],
            values[CONTACTS / 2],
            values[CONTACTS - 1]
        );
    }
    Ok(())
}
