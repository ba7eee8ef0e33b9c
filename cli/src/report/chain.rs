//! The chain paper: Figs. 2-6 and Table 1.

use maud::html;
use routh::Accuracy;
use routh::chain::ChainImpact;
use serde_json::Value;

use super::examples::{
    CHAIN, CHAIN_ANGLES, CHAIN_MODELS, CHAIN_OBLIQUE, CHAIN_SLIDING, read, read_lines, refused,
};
use super::page::{Section, figure};
use super::printed::{Printed, Within, table};
use crate::commands::chain::{Axis, Forces, Map, POINTS, Trace};
use crate::input::NamedChain;
use crate::output::Failure;
use crate::plot;

/// Table 1: bodies, largest force in kN, duration in ms, velocity in m/s.
const PRINTED: [(usize, [&str; 3]); 4] = [
    (3, ["25.05", "0.345", "0.07"]),
    (4, ["25.05", "0.35", "0.071"]),
    (5, ["25.05", "0.35", "0.071"]),
    (6, ["25.05", "0.35", "0.071"]),
];

const HEADS: [&str; 4] = ["bodies", "force, kN", "duration, ms", "velocity of the first, m/s"];

/// What Fig. 4 spans.
const PLANE: [&str; 2] = ["beta=-1.5:1.5:61", "contacts.0.friction=0.01:0.8:41"];

pub(super) fn section() -> Result<Section, Failure> {
    let models = forces(read_lines(CHAIN_MODELS, NamedChain::read)?)?;
    let straight = forces(vec![read(CHAIN, NamedChain::read)?])?;
    let oblique = forces(vec![read(CHAIN_OBLIQUE, NamedChain::read)?])?;
    let angles = forces(read_lines(CHAIN_ANGLES, NamedChain::read)?)?;
    let body = html! {
        p {
            "Spheres of steel touch in a row and the first is struck; contacts are compliant after "
            "Hertz, with restitution and friction. Power series follow every contact from kink to "
            "kink."
        }
        h3 { "Table 1: spheres in line, without losses" }
        (table(&HEADS, &table_1()?))
        p.note { "The paper prints the rebound without its sign." }
        (figure(&straight, "Fig. 3: forces at the contacts of six spheres in line"))
        (figure(&models, "Fig. 2: two models of restitution, R = 0.8"))
        (figure(&regions()?, "Fig. 4b: how the first contact slides, over eccentricity and friction"))
        (figure(&oblique, "Fig. 5: struck at 30 degrees, R = 0.8"))
        (figure(&angles, "Fig. 6: the first force for several restitutions and angles"))
    };
    Ok(Section { id: "chain", title: "Chains", body })
}

fn forces(chains: Vec<NamedChain>) -> Result<String, Failure> {
    let follow = |(chain, number)| {
        Trace::follow(number, chain, Accuracy::default(), POINTS).map(|(trace, _)| trace)
    };
    let traces = chains.into_iter().zip(1..).map(follow);
    let traces = traces.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    plot::forces(&Forces(traces))
}

fn regions() -> Result<String, Failure> {
    let chain: Value = serde_json::from_str(CHAIN_SLIDING).map_err(refused)?;
    let [one, other] = PLANE.map(str::parse::<Axis>);
    let (one, other) = (one.map_err(refused)?, other.map_err(refused)?);
    plot::regions(&Map::of(&chain, [&one, &other], Accuracy::default())?)
}

fn table_1() -> Result<Vec<(String, Vec<Printed>)>, Failure> {
    PRINTED
        .into_iter()
        .map(|(bodies, printed)| {
            let impact = spheres(bodies)?;
            let first = &impact.outcome.contacts[0];
            let found = [first.peak_force / 1e3, first.duration * 1e3, -impact.velocities[0][0]];
            let cells = printed.into_iter().zip(found);
            let cells =
                cells.map(|(text, found)| Printed::new(text, found, Within::Digit)).collect();
            Ok((bodies.to_string(), cells))
        })
        .collect()
}

/// The first spheres of the row.
fn spheres(bodies: usize) -> Result<ChainImpact, Failure> {
    let mut chain: Value = serde_json::from_str(CHAIN).map_err(refused)?;
    for (field, count) in [("bodies", bodies), ("contacts", bodies - 1)] {
        let list = chain.get_mut(field).and_then(Value::as_array_mut);
        list.ok_or_else(|| refused(field))?.truncate(count);
    }
    let chain = read(&chain.to_string(), NamedChain::read)?.chain;
    chain.solve(Accuracy::default()).map_err(refused)
}
