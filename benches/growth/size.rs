//! Generated code against the order of its series: its size, and how long
//! compilers take for it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use plotters::prelude::SeriesLabelPosition;
use routh_codegen::{Language, Robot};

use crate::axis::{Axis, Division};
use crate::compiled::{run, rustc};
use crate::figure::{Figure, Panel, Shown};
use crate::kernel::Kernel;
use crate::law::Law;
use crate::measured::{Measured, folder, root};

const ORDERS: [usize; 10] = [4, 6, 8, 12, 16, 20, 24, 28, 32, 40];
/// Tolerances, and the orders that solvers have for them.
const SOLVERS: [(f64, usize); 4] = [(1e-4, 12), (1e-8, 16), (1e-12, 20), (1e-15, 24)];
/// Times that everything is compiled, to take the shortest.
const REPEATS: usize = 4;
const ASYMPTOTIC: [f64; 2] = [12.0, 40.0];

/// A file to compile, and what it is.
struct Source {
    language: Language,
    /// A solver with all that belongs to it, or an expansion alone.
    solver: bool,
    order: usize,
    path: PathBuf,
    bytes: usize,
    seconds: f64,
}

impl Source {
    fn write(
        language: Language,
        solver: bool,
        order: usize,
        text: &str,
        header: Option<(&str, &str)>,
    ) -> Result<Self, Box<dyn Error>> {
        let name = format!("{language:?}_{}{order}", if solver { "solver" } else { "kernel" });
        let folder = folder().join("sizes").join(name);
        fs::create_dir_all(&folder)?;
        if let Some((name, text)) = header {
            fs::write(folder.join(name), text)?;
        }
        let path = folder.join(if language == Language::C { "code.c" } else { "code.rs" });
        fs::write(&path, text)?;
        Ok(Self { language, solver, order, path, bytes: text.len(), seconds: f64::INFINITY })
    }

    /// Compiles it, to a library or an object.
    fn compile(&mut self) -> Result<(), Box<dyn Error>> {
        let object = self.object();
        let mut command = match self.language {
            Language::Rust => {
                let mut command = rustc(&self.path);
                command.args(["--crate-type", "lib", "--emit", "obj", "-o"]).arg(object);
                command
            }
            Language::C => {
                let mut command =
                    Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
                command.args(["-std=c99", "-O2", "-c"]).arg(&self.path).arg("-o").arg(object);
                command
            }
        };
        let start = Instant::now();
        run(&mut command)?;
        self.seconds = self.seconds.min(start.elapsed().as_secs_f64());
        Ok(())
    }

    fn object(&self) -> PathBuf {
        self.path.with_extension("o")
    }

    /// What curves call it.
    fn name(&self) -> &'static str {
        match (self.language, self.solver) {
            (Language::Rust, false) => "Rust, expansion",
            (Language::C, false) => "C, expansion",
            (Language::Rust, true) => "Rust, whole solver",
            (Language::C, true) => "C, whole solver",
        }
    }
}

/// Bytes of machine code in an object.
fn machine_code(object: &Path) -> Result<f64, Box<dyn Error>> {
    let listed = String::from_utf8(run(Command::new("size").arg("-A").arg(object))?)?;
    let text = listed.lines().filter(|line| line.starts_with(".text"));
    let sizes = text.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    Ok(sizes.sum())
}

fn sources() -> Result<Vec<Source>, Box<dyn Error>> {
    let [_, kernel] = Kernel::both()?;
    let mut sources = Vec::new();
    for order in ORDERS {
        sources.push(Source::write(Language::Rust, false, order, &kernel.rust(order)?, None)?);
        let c = kernel.c(order)?;
        let header = Some(("kernel.h", c.header.as_str()));
        sources.push(Source::write(Language::C, false, order, &c.source, header)?);
    }
    for (tolerance, order) in SOLVERS {
        let robot = Robot::from_toml(root().join("examples/seed_robot.toml"))?.tolerance(tolerance);
        for language in [Language::Rust, Language::C] {
            let made = robot.clone().language(language).generate()?;
            let header = made.files().find(|file| file.name.ends_with(".h"));
            let header = header.map(|file| (file.name.as_str(), file.text.as_str()));
            sources.push(Source::write(language, true, order, made.text(), header)?);
        }
    }
    Ok(sources)
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let mut sources = sources()?;
    let empty = |language| Source::write(language, false, 0, "", None);
    let mut empty = [empty(Language::Rust)?, empty(Language::C)?];
    for _ in 0..REPEATS {
        sources.iter_mut().chain(&mut empty).try_for_each(Source::compile)?;
    }
    let mut measured = Measured::default();
    let [_, kernel] = Kernel::both()?;
    for source in &sources {
        let (name, order) = (source.name(), source.order as f64);
        let code = machine_code(&source.object())?;
        measured.add("source", name, [order, source.bytes as f64]);
        measured.add("code", name, [order, code]);
        measured.add("seconds", name, [order, source.seconds]);
        if !source.solver {
            measured.add("each", name, [order, code / kernel.operations(source.order)]);
        }
    }
    for (empty, name) in empty.iter().zip(["rustc", "cc"]) {
        measured.add("nothing", name, [0.0, empty.seconds]);
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let order = Axis { name: "order N", division: Division::Doublings };
    let curves = |quantity: &str| {
        let curve = |name| Shown::new(name, measured.points(quantity, name));
        let expansions = [curve("Rust, expansion").coloured(0), curve("C, expansion").coloured(1)];
        let solvers = [curve("Rust, whole solver").ringed(0), curve("C, whole solver").ringed(1)];
        [expansions, solvers].map(Vec::from)
    };
    let panel = |title, name, [expansions, solvers]: [Vec<Shown>; 2]| {
        let shown = expansions.into_iter().chain(solvers);
        Panel::new(title, ("N", order), name, shown.filter(|shown| !shown.points.is_empty()))
    };
    let powers = |quantity| {
        let [expansions, solvers] = curves(quantity);
        let fitted = expansions.into_iter().map(|shown| shown.fitted(ASYMPTOTIC, Law::power));
        [fitted.collect(), solvers]
    };
    let square = |points: &[[f64; 2]]| Law::polynomial(points, &[0, 2]);
    let squares = curves("seconds")
        .map(|shown| shown.into_iter().map(|shown| shown.fitted([0.0, 64.0], square)).collect());
    let panels = vec![
        panel("Source text", "bytes", powers("source")),
        panel("Machine code", "bytes", powers("code")),
        panel("Compiling", "time (s)", squares),
        panel("Machine code per operation", "bytes", curves("each"))
            .at(SeriesLabelPosition::LowerRight),
    ];
    let nothing = |name: &str| measured.points("nothing", name).first().map_or(0.0, |p| p[1]);
    let notes = vec![format!(
        "An empty file takes rustc {:.3} s and cc {:.3} s.",
        nothing("rustc"),
        nothing("cc")
    )];
    Figure { panels, notes }
}
