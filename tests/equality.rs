//! The library, generated Rust and generated C run one algorithm: at equal settings their
//! results are equal to the last bit, for all contacts. C is compiled without a warning
//! and passes its own test programs.

mod made;

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use routh::{Accuracy, Contact, Flow, Friction, Impact, Jacobian, Law, Restitution};
use routh_codegen::Language;
use routh_tests::generated::{any, any_3, any_6, any_9, any_12, any_planar, any_planar_single};
use routh_tests::generated::{any_planar_varied, any_single, any_varied, bar, leg3_floating};
use routh_tests::generated::{light_flow, masses_flow, planar_arm, seed_robot, seed_robot_flow};
use routh_tests::generated::{seed_robot_flow_f32, seed_robot_pieces, spatial_arm4};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Impacts, Input, seed_robot as seed};

/// Impacts at each of five tolerances, of every kind: a million and more.
const MANY: usize = 240_000;

/// Impacts of solvers without an equivalent in the library.
const FEWER: usize = 20_000;

/// Powers of ten by which inertias, velocities and friction differ between directions.
const SPREADS: [f64; 6] = [4.0, 8.0, 12.0, 16.0, 24.0, 32.0];

/// Ways to compile C.
const FLAGS: [&[&str]; 2] = [&["-O2"], &["-O3", "-march=native"]];

/// Bits of a result, one after the other (Fowler, Noll and Vo's hash).
struct Bits(u64);

impl Bits {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x0000_0100_0000_01b3;

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(Self::FACTOR);
    }
}

/// Numbers in their order; single precision as the double ones that they are.
trait Numbers {
    fn put(&self, bits: &mut Bits);
}

impl Numbers for f64 {
    fn put(&self, bits: &mut Bits) {
        bits.word(self.to_bits());
    }
}

impl Numbers for f32 {
    fn put(&self, bits: &mut Bits) {
        f64::from(*self).put(bits);
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn put(&self, bits: &mut Bits) {
        self.iter().for_each(|x| x.put(bits));
    }
}

/// The bits of an impact or of its refusal, of the library's as of a generated solver's.
macro_rules! bits {
    ($result:expr, $refusal:expr $(, $more:ident)?) => {{
        let mut bits = Bits(Bits::START);
        match $result {
            Ok(impact) => {
                [impact.velocity, impact.impulse].put(&mut bits);
                impact.compression_impulse.put(&mut bits);
                [impact.normal_work, impact.friction_work, impact.energy_change].put(&mut bits);
                impact.critical_friction.put(&mut bits);
                $(impact.$more.put(&mut bits);)?
                bits.word(impact.mode as u64);
                bits.word(impact.steps as u64);
                bits.word(impact.events.count as u64);
                for event in &impact.events.list[..impact.events.count] {
                    bits.word(event.kind as u64);
                    event.impulse.put(&mut bits);
                }
            }
            Err(error) => bits.word($refusal(error)),
        }
        bits.0
    }};
}

/// A library's error by the number that generated code has for it.
fn number(error: routh::Error) -> u64 {
    match error.kind() {
        "not_finite" => 1,
        "not_approaching" => 2,
        "friction_out_of_range" => 5,
        "step_limit" => 7,
        "not_conserved" => 8,
        kind => panic!("{kind}"),
    }
}

/// A generated solver that is called by a row of numbers.
struct Solver {
    name: &'static str,
    real: &'static str,
    arrays: &'static [usize],
    structures: &'static [&'static str],
    /// Further outputs of its results.
    more: &'static [&'static str],
    solve: fn(&[f64]) -> u64,
}

macro_rules! solver {
    ($module:ident $($more:ident)?) => {
        Solver {
            name: stringify!($module),
            real: if size_of::<$module::Real>() == 8 { "double" } else { "float" },
            arrays: $module::ARRAYS,
            structures: $module::STRUCTURES,
            more: &[$(stringify!($more))?],
            solve: |row| bits!($module::of_row(row), |error| error as u64 + 1 $(, $more)?),
        }
    };
}

/// All solvers in C, in one folder; nowhere without a compiler.
static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let found = compiler().arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        // Written past the capture of test output: nothing was tested.
        let message = format!("C is not tried: no compiler {:?}; name one in CC\n", compiler());
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        let _ = std::io::stderr().write_all(message.as_bytes());
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("equality");
    std::fs::create_dir_all(&folder).unwrap();
    for (_, robot) in made::robots().unwrap() {
        robot.language(Language::C).generate().unwrap().write_into(&folder).unwrap();
    }
    Some(folder)
});

fn compiler() -> Command {
    Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

/// Compiles a solver with a program that calls it.
fn compile(folder: &Path, name: &str, program: &str, flags: &[&str]) -> Command {
    let mut compiler = compiler();
    compiler.current_dir(folder).args([
        "-std=c99",
        "-pedantic",
        "-Wall",
        "-Wextra",
        "-Wdouble-promotion",
        "-Werror",
    ]);
    compiler.args(flags).args([&format!("{name}.c"), &format!("{program}.c")]);
    let output = compiler.args(["-lm", "-o", program]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{name}: {said}");
    Command::new(folder.join(program))
}

impl Solver {
    /// A C program that reads impacts and writes the bits of their results.
    fn driver(&self) -> String {
        let Self { name, real, arrays, structures, more, .. } = self;
        let (mut given, mut at) = (String::new(), 0);
        for size in *arrays {
            let _ = write!(given, "x + {at}, ");
            at += size;
        }
        for structure in *structures {
            let kind = structure.to_lowercase();
            let cast = if kind == "friction" { "" } else { &format!("({name}_law_t)(int)") };
            let _ = write!(given, "&({name}_{kind}_t){{{cast}x[{at}], x[{}]}}, ", at + 1);
            at += 2;
        }
        let more: String = more.iter().map(|field| format!("NUMBERS({field})\n")).collect();
        format!(
            r#"#include "{name}.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash;

static void word(uint64_t x) {{ hash = (hash ^ x) * UINT64_C({factor}); }}

static void number(double x) {{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    word(u);
}}

#define NUMBERS(field) \
    for (size_t i = 0; i < sizeof out.field / sizeof({real}); i++) \
        number((double)((const {real} *)&out.field)[i]);

int main(void) {{
    double numbers[{at}];
    while (fread(numbers, sizeof numbers, 1, stdin) == 1) {{
        {real} x[{at}];
        for (int i = 0; i < {at}; i++) x[i] = ({real})numbers[i];
        {name}_impact_t out;
        {name}_status_t status = {name}_impact({given}&out);
        hash = UINT64_C({start});
        if (status != {upper}_STATUS_SOLVED) {{
            word((uint64_t)status);
        }} else {{
            NUMBERS(velocity)
            NUMBERS(impulse)
            NUMBERS(compression_impulse)
            NUMBERS(normal_work)
            NUMBERS(friction_work)
            NUMBERS(energy_change)
            NUMBERS(critical_friction)
            {more}word((uint64_t)out.mode);
            word((uint64_t)out.steps);
            word((uint64_t)out.events.count);
            for (size_t e = 0; e < out.events.count; e++) {{
                word((uint64_t)out.events.list[e].kind);
                NUMBERS(events.list[e].impulse)
            }}
        }}
        if (fwrite(&hash, sizeof hash, 1, stdout) != 1) return 1;
    }}
    return 0;
}}
"#,
            upper = name.to_uppercase(),
            factor = Bits::FACTOR,
            start = Bits::START,
        )
    }

    /// Compares C with Rust on impacts that are given by numbers.
    fn equals_c(&self, rows: &[Vec<f64>]) {
        let Some(folder) = &*FOLDER else { return };
        let program = format!("{}_driver", self.name);
        std::fs::write(folder.join(&program).with_extension("c"), self.driver()).unwrap();
        let expected: Vec<_> = rows.iter().map(|row| (self.solve)(row)).collect();
        for flags in FLAGS {
            let found = ask(compile(folder, self.name, &program, flags), rows);
            assert_eq!(found.len(), rows.len(), "{} {flags:?}", self.name);
            for (i, row) in rows.iter().enumerate() {
                assert_eq!(found[i], expected[i], "{} {flags:?}: {row:?}", self.name);
            }
        }
    }

    /// Compares Rust with the library, and C with both.
    fn equals_library<const N: usize>(
        &self,
        inputs: impl Iterator<Item = Input<N>>,
        library: impl Fn(Contact<N>, &Input<N>) -> u64,
    ) {
        let mut rows = Vec::new();
        for input in inputs {
            let Ok(contact) = Contact::new(input.inertia) else { continue };
            let row = input.row();
            assert_eq!((self.solve)(&row), library(contact, &input), "{} {input:?}", self.name);
            rows.push(row);
        }
        self.equals_c(&rows);
    }
}

/// The output of a driver.
fn ask(mut program: Command, rows: &[Vec<f64>]) -> Vec<u64> {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let words: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(&words).unwrap());
        child.wait_with_output().unwrap()
    });
    let hashes = output.stdout.chunks_exact(8);
    hashes.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// The impacts of the reference, then random ones of every kind and spread.
fn spatial(many: usize) -> impl Iterator<Item = Input<3>> {
    let mut random = Random::seeded(22);
    let kinds = Kind::ALL.len();
    let drawn = (0..many).map(move |i| match i % (kinds + SPREADS.len()) {
        k if k < kinds => random.spatial(Kind::ALL[k]),
        k => random.spread(SPREADS[k - kinds]),
    });
    Impacts::load().spatial.into_iter().map(|case| case.input).chain(drawn)
}

fn planar(many: usize) -> impl Iterator<Item = Input<2>> {
    let mut random = Random::seeded(22);
    let drawn = (0..many).map(move |i| match i % 8 {
        0 => random.spread(16.0),
        1 => random.spread(32.0),
        _ => random.planar(),
    });
    Impacts::load().planar.into_iter().map(|case| case.input).chain(drawn)
}

/// A test for each tolerance.
macro_rules! in_space {
    ($($test:ident $module:ident $tolerance:literal)*) => {$(
        #[test]
        fn $test() {
            let accuracy = Accuracy::new($tolerance).unwrap();
            let solver = solver!($module);
            solver.equals_library(spatial(MANY), |contact, input| {
                let Input { velocity, friction, restitution, .. } = *input;
                bits!(contact.solve_with(velocity, friction, restitution, accuracy), number)
            });
        }
    )*};
}

in_space! {
    at_1e_3 any_3 1e-3
    at_1e_6 any_6 1e-6
    at_1e_9 any_9 1e-9
    at_1e_12 any_12 1e-12
    at_1e_15 any 1e-15
}

#[test]
fn in_the_plane() {
    let solver = solver!(any_planar);
    solver.equals_library(planar(MANY), |contact, input| {
        bits!(contact.solve(input.velocity, input.friction, input.restitution), number)
    });
}

/// Its solver takes only a velocity.
#[test]
fn of_the_seed_robot() {
    let (accuracy, solver) = (Accuracy::new(1e-12).unwrap(), solver!(seed_robot));
    let (contact, friction) = (seed(), Friction::uniform(0.3).unwrap());
    let restitution = Restitution::new(Law::Energetic, 0.5).unwrap();
    let rows: Vec<_> = spatial(FEWER).map(|input| input.velocity.to_vec()).collect();
    for row in &rows {
        let velocity = row[..].try_into().unwrap();
        let library = contact.solve_with(velocity, friction, restitution, accuracy);
        assert_eq!((solver.solve)(row), bits!(library, number), "{row:?}");
    }
    solver.equals_c(&rows);
}

/// Its constants are folded, in the order in which the library computes.
#[test]
fn of_a_contact_in_the_plane() {
    let (contact, friction) =
        (Contact::new(made::BAR).unwrap(), Friction::new(0.73, 0.67).unwrap());
    let mut rows = Vec::new();
    for Input { velocity, restitution, .. } in planar(FEWER) {
        let law = f64::from(restitution.law() as u8);
        let row = vec![velocity[0], velocity[1], law, restitution.e()];
        let library = contact.solve(velocity, friction, restitution);
        assert_eq!((solver!(bar).solve)(&row), bits!(library, number), "{row:?}");
        rows.push(row);
    }
    solver!(bar).equals_c(&rows);
}

#[test]
fn in_single_precision() {
    solver!(any_single).equals_c(&spatial(FEWER).map(|input| input.row()).collect::<Vec<_>>());
    solver!(any_planar_single)
        .equals_c(&planar(FEWER).map(|input| input.row()).collect::<Vec<_>>());
}

/// The library's impact with its Jacobian, in the form of generated results.
struct Varied<const N: usize, const COLUMNS: usize> {
    impact: Impact<N>,
    jacobian: Jacobian<N, COLUMNS>,
}

impl<const N: usize, const COLUMNS: usize> Deref for Varied<N, COLUMNS> {
    type Target = Impact<N>;

    fn deref(&self) -> &Impact<N> {
        &self.impact
    }
}

#[test]
fn with_derivatives() {
    let accuracy = Accuracy::new(1e-12).unwrap();
    solver!(any_varied jacobian).equals_library(spatial(FEWER), |contact, input| {
        let Input { velocity, friction, restitution, .. } = *input;
        let library = contact.differentiate(velocity, friction, restitution, accuracy);
        bits!(library.map(|(impact, jacobian)| Varied { impact, jacobian }), number, jacobian)
    });
    solver!(any_planar_varied jacobian).equals_library(planar(FEWER), |contact, input| {
        let library = contact.differentiate(input.velocity, input.friction, input.restitution);
        bits!(library.map(|(impact, jacobian)| Varied { impact, jacobian }), number, jacobian)
    });
}

/// Positions or velocities of a robot, then friction if it takes any, law and coefficient.
fn drawn(random: &mut Random, i: usize, sizes: &[usize], friction: bool) -> Vec<f64> {
    let mut row: Vec<_> = (0..sizes.iter().sum()).map(|_| random.uniform(-3.0, 3.0)).collect();
    if friction {
        row.extend([0.5, random.uniform(0.0, 0.5)]);
    } else {
        row[0] = -0.01 - row[0].abs();
    }
    row.extend([(i % 3) as f64, random.uniform(0.0, 1.0)]);
    row
}

/// Models, and tables, whose `exp_m1`, `ln` and `ln_1p` are the C library's in both
/// languages.
#[test]
fn of_robots() {
    for solver in [
        solver!(planar_arm qd),
        solver!(spatial_arm4 qd),
        solver!(leg3_floating qd),
        solver!(seed_robot_flow),
        solver!(seed_robot_flow_f32),
        solver!(light_flow),
        solver!(masses_flow qd),
    ] {
        let mut random = Random::seeded(9);
        let friction = solver.structures.len() == 2;
        let rows = (0..FEWER).map(|i| drawn(&mut random, i, solver.arrays, friction));
        solver.equals_c(&rows.collect::<Vec<_>>());
    }
}

/// Pieces first, then sectors, as the library's tables; only the series, which these have
/// not, may solve an impact that they refuse.
#[test]
fn by_pieces() {
    let (solver, friction) = (solver!(seed_robot_pieces), Friction::uniform(0.3).unwrap());
    let flow = Flow::new(&seed(), friction);
    let mut rows = Vec::new();
    for Input { velocity, restitution, .. } in spatial(MANY) {
        let law = f64::from(restitution.law() as u8);
        let row = vec![velocity[0], velocity[1], velocity[2], law, restitution.e()];
        let library = flow.solve(velocity, restitution);
        if library.as_ref().is_ok_and(|impact| impact.steps == 0) {
            assert_eq!((solver.solve)(&row), bits!(library, number), "{row:?}");
        }
        rows.push(row);
    }
    solver.equals_c(&rows);
}

#[test]
fn test_programs_pass() {
    let Some(folder) = &*FOLDER else { return };
    for (name, _) in made::robots().unwrap() {
        let output = compile(folder, name, &format!("{name}_test"), FLAGS[0]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.ends_with(" passed, 0 failed\n"), "{name}: {said}");
    }
}
