//! The paper on simultaneous contacts: its system, with parameters of our own.

use maud::html;

use super::examples::{TRIPLE_CONTACT, read, refused};
use super::page::{Section, figure};
use crate::commands::contacts::Family;
use crate::input::Simultaneous;
use crate::output::Failure;
use crate::plot;

pub(super) fn section() -> Result<Section, Failure> {
    let system = read(TRIPLE_CONTACT, Simultaneous::read)?;
    let impacts = system.solve().map_err(refused)?;
    let family = Family::of(&system, &impacts).map_err(refused)?;
    let body = html! {
        p {
            "A heavy body on two supports, A and B, and an arm that strikes at C: the answer is that of "
            "a complementarity problem, solved exactly. The paper prints no parameters; these are "
            "the example's."
        }
        (figure(&plot::bars(&impacts)?, "Fig. 2: impulses, and velocities before compression and after restitution"))
        (figure(&plot::family(&family)?, "Velocities after impact if contacts are compliant, over how stiff the \
            supports are; the rigid answer is dashed"))
    };
    Ok(Section { id: "contacts", title: "Simultaneous contacts", body })
}
