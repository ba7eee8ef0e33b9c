//! The arcs that a contact's flow is compiled into.

use maud::html;

use super::examples::{FLOW, read, refused};
use super::page::{Section, figure};
use super::printed::minus;
use crate::commands::flow::{Orbit, Sectors};
use crate::input::SlidingContact;
use crate::output::Failure;
use crate::plot::portrait;

pub(super) fn section() -> Result<Section, Failure> {
    let sliding = read(FLOW, SlidingContact::read)?;
    let sectors = Sectors::of(&sliding);
    let orbits = Orbit::of_arcs(&sliding, &sectors).map_err(refused)?;
    let body = html! {
        p {
            "For one contact and one friction all slips between two invariant directions are one "
            "orbit, up to scale and start: its arcs are tabulated once, in "
            (sectors.bytes.div_ceil(1024)) " kB, and an impact is a look-up."
        }
        (figure(&portrait(&sectors, &orbits)?, "The flow of the spatial paper's robot in the plane of sliding \
            velocities, with its invariant directions and the sectors of its tables"))
        div.wide {
            table {
                thead { tr { th { "invariant direction" } th { "kind" } th { "dv/dp along it, 1/kg" } } }
                tbody {
                    @for direction in &sectors.directions {
                        tr {
                            th { (minus(&format!("{:.3}°", direction.angle.to_degrees()))) }
                            td { @if direction.attracts { "attracts" } @else { "repels" } }
                            td { (minus(&format!("{:.4e}", direction.along))) }
                        }
                    }
                }
            }
        }
    };
    Ok(Section { id: "flow", title: "Compiled flow", body })
}
