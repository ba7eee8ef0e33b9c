//! The same solvers in C: compiled without a warning, tested by their own test
//! programs, and to the last bit what they are in Rust.

mod made;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use routh_codegen::{Language, Robot};
use routh_tests::generated::{self, any, any_planar, any_planar_varied, any_single, any_varied};
use routh_tests::generated::{leg3_floating, planar_arm, spatial_arm4};
use routh_tests::generated::{masses_flow, seed_robot_flow, seed_robot_flow_f32};
use routh_tests::random::{Kind, Random};

const STRICT: [&str; 7] =
    ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off"];

/// The C compiler, if there is one.
fn compiler() -> Option<Command> {
    let name = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(&name).arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        // Past the capture of test output: nothing was tried.
        let message = format!("C is not tried: no compiler {name:?}; name one in CC\n");
        let _ = std::io::stderr().write_all(message.as_bytes());
    }
    found.then(|| Command::new(name))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(mut compiler: Command, folder: &Path, sources: &[&str], program: &str) {
    let done = compiler.current_dir(folder).args(STRICT).args(sources).args(["-lm", "-o", program]);
    let output = done.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

fn robot(name: &str) -> Robot {
    let all = made::robots().unwrap();
    all.into_iter().find(|(n, _)| *n == name).unwrap().1.language(Language::C)
}

/// Writes a solver in C into a folder of its own, once.
fn write(name: &str) -> PathBuf {
    static WRITTEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let folder = folder(name);
    let mut written = WRITTEN.lock().unwrap();
    if written.insert(name.to_owned()) {
        robot(name).generate().unwrap().write_into(&folder).unwrap();
    }
    folder
}

#[test]
fn test_programs_pass() {
    if compiler().is_none() {
        return;
    }
    for (name, _) in made::robots().unwrap() {
        let folder = write(name);
        let Some(compiler) = compiler() else { return };
        let sources = [format!("{name}.c"), format!("{name}_test.c")];
        compile(compiler, &folder, &[&sources[0], &sources[1]], "test");
        let output = Command::new(folder.join("test")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.ends_with(" passed, 0 failed\n"), "{name}: {said}");
    }
}

/// A C program that reads numbers as bits, calls the solver, and writes bits.
fn driver(
    name: &str,
    bits: usize,
    reads: &[(&str, usize)],
    given: &str,
    writes: &[(&str, usize)],
) -> String {
    let upper = name.to_uppercase();
    let real = if bits == 64 { "double" } else { "float" };
    let mut text = format!(
        "#include \"{name}.h\"\n#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n\n\
         static int get({real} *x) {{\n    uint{bits}_t u;\n    if (scanf(\"%\" SCNx{bits}, &u) != 1) {{\n        \
         return 0;\n    }}\n    memcpy(x, &u, sizeof u);\n    return 1;\n}}\n\n\
         static void put({real} x) {{\n    uint{bits}_t u;\n    memcpy(&u, &x, sizeof u);\n    \
         printf(\" %\" PRIx{bits}, u);\n}}\n\nint main(void) {{\n"
    );
    for (field, size) in reads {
        let _ = writeln!(text, "    {real} {field}[{size}];");
    }
    text += "    for (;;) {\n";
    for (field, size) in reads {
        let _ = writeln!(
            text,
            "        for (int i = 0; i < {size}; i++) {{\n            if (!get(&{field}[i])) {{\n                \
             return 0;\n            }}\n        }}"
        );
    }
    let has_friction = reads.iter().any(|(field, _)| *field == "fr");
    let (friction, given) = match has_friction {
        true => (
            format!("        {name}_friction_t friction = {{fr[0], fr[1]}};\n"),
            format!("{given}&friction, "),
        ),
        false => (String::new(), given.to_owned()),
    };
    let _ = write!(
        text,
        "{friction}        \
         {name}_restitution_t restitution = {{({name}_law_t)(int)re[0], re[1]}};\n        \
         {name}_impact_t out;\n        {name}_status_t status = {name}_impact({given}&restitution, &out);\n        \
         printf(\"%d\", (int)status);\n        if (status == {upper}_STATUS_SOLVED) {{\n            \
         printf(\" %d %d\", (int)out.mode, (int)out.steps);\n"
    );
    for (field, size) in writes {
        let _ = writeln!(
            text,
            "            for (int i = 0; i < {size}; i++) {{\n                put((&{field})[i]);\n            }}"
        );
    }
    text + "        }\n        puts(\"\");\n    }\n}\n"
}

/// What a driver answers to lines of numbers.
fn ask(folder: &Path, program: &str, input: String) -> String {
    let mut child = Command::new(folder.join(program))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn compare(name: &str, driver: &str, input: String, expected: &str) {
    let Some(compiler) = compiler() else { return };
    let folder = write(name);
    std::fs::write(folder.join("driver.c"), driver).unwrap();
    compile(compiler, &folder, &[&format!("{name}.c"), "driver.c"], "driver");
    let found = ask(&folder, "driver", input);
    assert_eq!(found.lines().count(), expected.lines().count());
    for (i, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, impact {i}");
    }
}

/// A line of bit patterns.
macro_rules! bits {
    ($line:ident, $($numbers:expr),*) => {
        $(for x in $numbers {
            let _ = write!($line, " {:x}", x.to_bits());
        })*
    };
}

macro_rules! contact {
    ($test:ident, $module:ident, $arguments:ident, $random:expr, $count:literal, $size:literal, $bits:literal, $($more:ident, $entries:literal)?) => {
        #[test]
        fn $test() {
            let mut random = Random::seeded(7);
            let (mut input, mut expected) = (String::new(), String::new());
            for i in 0..$count {
                let drawn = $random(&mut random, i);
                let (velocity, inertia, friction, restitution) = generated::$arguments(&drawn);
                let law = restitution.law as u8 as $module::Real;
                bits!(input, velocity, inertia, [friction.static_friction, friction.kinetic], [law, restitution.e]);
                input.push('\n');
                match $module::impact(&velocity, &inertia, &friction, &restitution) {
                    Ok(found) => {
                        let _ = write!(expected, "0 {} {}", found.mode as u8, found.steps);
                        bits!(
                            expected,
                            found.velocity,
                            found.impulse,
                            [found.compression_impulse, found.normal_work, found.friction_work]
                        );
                        $(bits!(expected, found.$more.as_flattened());)?
                    }
                    Err(error) => {
                        let _ = write!(expected, "{}", error as u8 + 1);
                    }
                }
                expected.push('\n');
            }
            let reads = [("ve", $size), ("in", $size * $size), ("fr", 2), ("re", 2)];
            let writes = [
                ("out.velocity[0]", $size),
                ("out.impulse[0]", $size),
                ("out.compression_impulse", 1),
                ("out.normal_work", 1),
                ("out.friction_work", 1),
                $((concat!("out.", stringify!($more), "[0][0]"), $entries),)?
            ];
            let driver = driver(stringify!($module), $bits, &reads, "ve, in, ", &writes);
            compare(stringify!($module), &driver, input, &expected);
        }
    };
}

fn spatial(random: &mut Random, i: usize) -> routh_tests::reference::Input<3> {
    random.spatial(Kind::ALL[i % Kind::ALL.len()])
}

fn planar(random: &mut Random, _: usize) -> routh_tests::reference::Input<2> {
    random.planar()
}

contact!(space_is_equal, any, spatial, spatial, 20_000, 3, 64,);
contact!(single_precision_is_equal, any_single, spatial_single, spatial, 20_000, 3, 32,);
contact!(plane_is_equal, any_planar, planar, planar, 20_000, 2, 64,);
contact!(derivatives_are_equal, any_varied, spatial_varied, spatial, 5_000, 3, 64, jacobian, 15);
contact!(
    planar_derivatives_are_equal,
    any_planar_varied,
    planar_varied,
    planar,
    5_000,
    2,
    64,
    jacobian,
    8
);

macro_rules! model {
    ($test:ident, $module:ident, $size:literal) => {
        #[test]
        fn $test() {
            let mut random = Random::seeded(8);
            let (mut input, mut expected) = (String::new(), String::new());
            for i in 0..5_000 {
                let q: [f64; $module::POSITIONS] =
                    std::array::from_fn(|_| random.uniform(-3.0, 3.0));
                let qd: [f64; $module::VELOCITIES] =
                    std::array::from_fn(|_| random.uniform(-2.0, 2.0));
                let friction =
                    $module::Friction { static_friction: 0.5, kinetic: random.uniform(0.0, 0.5) };
                let law =
                    [$module::Law::Newton, $module::Law::Poisson, $module::Law::Energetic][i % 3];
                let restitution = $module::Restitution { law, e: random.uniform(0.0, 1.0) };
                bits!(
                    input,
                    q,
                    qd,
                    [friction.static_friction, friction.kinetic],
                    [(i % 3) as f64, restitution.e]
                );
                input.push('\n');
                match $module::impact(&q, &qd, &friction, &restitution) {
                    Ok(found) => {
                        let _ = write!(expected, "0 {} {}", found.mode as u8, found.steps);
                        bits!(expected, found.velocity, found.impulse, found.qd);
                    }
                    Err(error) => {
                        let _ = write!(expected, "{}", error as u8 + 1);
                    }
                }
                expected.push('\n');
            }
            let reads =
                [("q", $module::POSITIONS), ("qd", $module::VELOCITIES), ("fr", 2), ("re", 2)];
            let writes = [
                ("out.velocity[0]", $size),
                ("out.impulse[0]", $size),
                ("out.qd[0]", $module::VELOCITIES),
            ];
            let driver = driver(stringify!($module), 64, &reads, "q, qd, ", &writes);
            compare(stringify!($module), &driver, input, &expected);
        }
    };
}

model!(planar_arm_is_equal, planar_arm, 2);
model!(spatial_arm_is_equal, spatial_arm4, 3);
model!(leg_is_equal, leg3_floating, 3);

/// Solvers with tables: `exp_m1`, `ln` and `ln_1p` are the C library's in both
/// languages.
macro_rules! flow {
    ($test:ident, $module:ident, $bits:literal, $size:expr, $($more:ident)?) => {
        #[test]
        fn $test() {
            let mut random = Random::seeded(9);
            let (mut input, mut expected) = (String::new(), String::new());
            for i in 0..20_000 {
                let mut velocity: [$module::Real; $size] =
                    std::array::from_fn(|_| random.uniform(-3.0, 3.0) as $module::Real);
                velocity[0] = -0.01 - velocity[0].abs();
                let law =
                    [$module::Law::Newton, $module::Law::Poisson, $module::Law::Energetic][i % 3];
                let e = random.uniform(0.0, 1.0) as $module::Real;
                let restitution = $module::Restitution { law, e };
                bits!(input, velocity, [(i % 3) as $module::Real, e]);
                input.push('\n');
                match $module::impact(&velocity, &restitution) {
                    Ok(found) => {
                        let _ = write!(expected, "0 {} {}", found.mode as u8, found.steps);
                        let works =
                            [found.compression_impulse, found.normal_work, found.friction_work];
                        bits!(expected, found.velocity, found.impulse, works);
                        $(bits!(expected, found.$more);)?
                    }
                    Err(error) => {
                        let _ = write!(expected, "{}", error as u8 + 1);
                    }
                }
                expected.push('\n');
            }
            let reads = [("ve", $size), ("re", 2)];
            let writes = [
                ("out.velocity[0]", 3),
                ("out.impulse[0]", 3),
                ("out.compression_impulse", 1),
                ("out.normal_work", 1),
                ("out.friction_work", 1),
                $((concat!("out.", stringify!($more), "[0]"), $size),)?
            ];
            let driver = driver(stringify!($module), $bits, &reads, "ve, ", &writes);
            compare(stringify!($module), &driver, input, &expected);
        }
    };
}

flow!(flow_is_equal, seed_robot_flow, 64, seed_robot_flow::DIMENSION,);
flow!(flow_is_equal_in_single_precision, seed_robot_flow_f32, 32, 3,);
flow!(flow_of_masses_is_equal, masses_flow, 64, masses_flow::VELOCITIES, qd);
