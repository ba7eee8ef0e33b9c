//! An impact that is solved as one moves it.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::examples::{ROD, SEED_ROBOT, read, read_lines, refused};
use super::page::Section;
use crate::input::{Collision, Impact};
use crate::output::Failure;

/// A robot to choose: how it strikes, and its contact inertia or what the module needs
/// to know it.
#[derive(Serialize)]
struct Robot {
    name: &'static str,
    inertia: Option<Vec<Vec<f64>>>,
    joints: Vec<Joint>,
    /// Its number in the module.
    generated: Option<usize>,
    velocity: Vec<f64>,
    friction: [f64; 2],
}

#[derive(Serialize)]
struct Joint {
    name: &'static str,
    position: f64,
}

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
    let robots = serde_json::to_string(&robots()?).map_err(refused)?;
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

impl Robot {
    /// One that is given by its contact inertia.
    fn given<const N: usize>(name: &'static str, collision: &Collision<N>) -> Self {
        Self {
            name,
            inertia: Some(collision.contact.inertia().iter().map(|row| row.to_vec()).collect()),
            joints: Vec::new(),
            generated: None,
            velocity: collision.velocity.to_vec(),
            friction: [collision.friction.static_friction(), collision.friction.kinetic()],
        }
    }
}

fn robots() -> Result<Vec<Robot>, Failure> {
    let seed = read_lines(SEED_ROBOT, Impact::read)?.into_iter().next();
    let Some(Impact::Spatial(seed)) = seed else { return Err(refused("the robot is not spatial")) };
    let Impact::Planar(rod) = read(ROD, Impact::read)? else {
        return Err(refused("the rod is not planar"));
    };
    let joint = |(name, position)| Joint { name, position };
    Ok(vec![
        Robot::given("spatial paper's robot", &seed),
        Robot {
            name: "leg with a free base",
            inertia: None,
            joints: [("hip", 0.3), ("thigh", 0.7), ("knee", -1.2)].map(joint).into(),
            generated: Some(0),
            velocity: vec![-3.0, 2.0, 1.0],
            friction: [0.5, 0.4],
        },
        Robot {
            name: "planar arm",
            inertia: None,
            joints: [("shoulder", 0.5), ("elbow", 1.1)].map(joint).into(),
            generated: Some(1),
            velocity: vec![-2.0, 1.5],
            friction: [0.5, 0.4],
        },
        Robot::given("planar paper's rod", &rod),
    ])
}
