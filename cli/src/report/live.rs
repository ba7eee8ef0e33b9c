//! An impact that is solved as one moves it.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::examples::{ROD, SEED_ROBOT, read, read_lines, refused};
use super::page::Section;
use crate::input::{Collision, Impact};
use crate::output::Failure;

/// A slider: its name in the script, on the page, and its least, largest and first value.
struct Slider(&'static str, &'static str, [&'static str; 3]);

const SLIDERS: [Slider; 4] = [
    Slider("normal", "v_n before, m/s", ["-20", "-0.1", "-10"]),
    Slider("static", "μ static", ["0", "1.5", "0.3"]),
    Slider("kinetic", "μ kinetic", ["0", "1.5", "0.3"]),
    Slider("e", "e", ["0", "1", "0.5"]),
];

const LAWS: [&str; 3] = ["Newton", "Poisson", "energetic"];

pub(super) fn section() -> Result<Section, Failure> {
    let robots = robots()?.to_string();
    let body = html! {
        p {
            "Drag the start, or move a slider: the impact is solved again at once, by the solver itself, "
            "compiled to WebAssembly and kept in this page. The inertia of leg and arm comes from code "
            "that was generated from their URDFs."
        }
        div #live {
            div.plane { svg #hodograph viewBox="0 0 600 600" role="img" aria-label="Hodograph of the impact" {} }
            div.controls {
                label { "robot" select #robot {} }
                (laws())
                @for slider in &SLIDERS { (slider.markup()) }
                div #joints {}
                table #inertia { caption { "contact inertia D, 1/kg" } }
            }
            div.course { svg #course viewBox="0 0 600 260" role="img" aria-label="Velocities over the normal impulse" {} }
            div #answer aria-live="polite" {}
        }
        script type="application/json" #robots { (PreEscaped(robots)) }
    };
    Ok(Section { id: "impact", title: "An impact, live", body })
}

fn laws() -> Markup {
    html! {
        fieldset #law {
            legend { "restitution" }
            @for (i, law) in LAWS.into_iter().enumerate() {
                label { input type="radio" name="law" value=(i) checked[i == 2]; (law) }
            }
        }
    }
}

impl Slider {
    fn markup(&self) -> Markup {
        let Self(id, name, [least, largest, first]) = self;
        html! {
            label {
                span { (name) } output id={ (id) "-value" } {}
                input id=(id) type="range" min=(least) max=(largest) value=(first) step="0.01";
            }
        }
    }
}

/// A robot that is given by its contact inertia.
fn given<const N: usize>(name: &str, collision: &Collision<N>) -> Value {
    let Collision { contact, velocity, friction, .. } = collision;
    json!({
        "name": name, "joints": [], "generated": null,
        "inertia": contact.inertia().map(|row| row.to_vec()).to_vec(),
        "velocity": velocity.to_vec(),
        "friction": [friction.static_friction(), friction.kinetic()],
    })
}

/// The robots to choose from: how they strike, and their contact inertia or what they are
/// in the module, by number and joints.
fn robots() -> Result<Value, Failure> {
    let seed = read_lines(SEED_ROBOT, Impact::read)?.into_iter().next();
    let Some(Impact::Spatial(seed)) = seed else { return Err(refused("the robot is not spatial")) };
    let Impact::Planar(rod) = read(ROD, Impact::read)? else {
        return Err(refused("the rod is not planar"));
    };
    Ok(json!([
        given("spatial paper's robot", &seed),
        {
            "name": "leg with a free base", "inertia": null, "generated": 0,
            "joints": [
                {"name": "hip", "position": 0.3},
                {"name": "thigh", "position": 0.7},
                {"name": "knee", "position": -1.2},
            ],
            "velocity": [-3.0, 2.0, 1.0], "friction": [0.5, 0.4],
        },
        {
            "name": "planar arm", "inertia": null, "generated": 1,
            "joints": [
                {"name": "shoulder", "position": 0.5},
                {"name": "elbow", "position": 1.1},
            ],
            "velocity": [-2.0, 1.5], "friction": [0.5, 0.4],
        },
        given("planar paper's rod", &rod),
    ]))
}
