//! The library, generated Rust and generated C run one algorithm: at equal settings their
//! results are equal to the last bit, whatever the contact.

mod made;

use std::io::Write as _;
use std::process::{Command, Stdio};

use routh_codegen::Language;
use routh_solver::{Accuracy, Contact};
use routh_tests::generated::{any, any_3, any_6, any_9, any_12, any_planar};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::Input;

/// Impacts at each of five tolerances, of every kind: a million and more.
const MANY: usize = 240_000;

/// Powers of ten by which inertias, velocities and friction differ between directions.
const SPREADS: [f64; 6] = [4.0, 8.0, 12.0, 16.0, 24.0, 32.0];

/// Bits of a result, one after the other (Fowler, Noll and Vo's hash).
struct Bits(u64);

impl Bits {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const FACTOR: u64 = 0x0000_0100_0000_01b3;

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(Self::FACTOR);
    }

    fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        numbers.into_iter().for_each(|x| self.word(x.to_bits()));
    }
}

/// The bits of an impact or of its refusal, of the library's as of a generated solver's.
macro_rules! bits {
    ($result:expr, $refusal:expr) => {{
        let mut bits = Bits(Bits::START);
        match $result {
            Ok(impact) => {
                bits.numbers(impact.velocity);
                bits.numbers(impact.impulse);
                bits.numbers([
                    impact.compression_impulse,
                    impact.normal_work,
                    impact.friction_work,
                    impact.energy_change,
                    impact.critical_friction,
                ]);
                bits.word(impact.mode as u64);
                bits.word(impact.steps as u64);
                bits.word(impact.events.count as u64);
                for event in &impact.events.list[..impact.events.count] {
                    bits.word(event.kind as u64);
                    bits.numbers([event.impulse]);
                }
            }
            Err(error) => bits.word($refusal(error)),
        }
        bits.0
    }};
}

/// A library's error by the number that generated code has for it.
fn number(error: routh_solver::Error) -> u64 {
    match error.kind() {
        "not_finite" => 1,
        "not_approaching" => 2,
        "step_limit" => 7,
        "not_conserved" => 8,
        kind => panic!("{kind}"),
    }
}

/// The `i`-th impact: of every kind, and of every spread.
fn drawn(random: &mut Random, i: usize) -> Input<3> {
    let kinds = Kind::ALL.len();
    match i % (kinds + SPREADS.len()) {
        k if k < kinds => random.spatial(Kind::ALL[k]),
        k => random.spread(SPREADS[k - kinds]),
    }
}

/// The numbers of an impact, as the C driver reads them.
fn words<const N: usize>(input: &Input<N>, out: &mut Vec<u8>) {
    let law = f64::from(input.restitution.law() as u8);
    let [mu_static, mu] = [input.friction.static_friction(), input.friction.kinetic()];
    let numbers = input.velocity.iter().chain(input.inertia.as_flattened());
    for x in numbers.chain(&[mu_static, mu, law, input.restitution.e()]) {
        out.extend(x.to_le_bytes());
    }
}

/// A C program that reads impacts and writes the bits of their results.
fn driver(name: &str, size: usize) -> String {
    let upper = name.to_uppercase();
    let count = size + size * size + 4;
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

int main(void) {{
    double x[{count}];
    while (fread(x, sizeof x, 1, stdin) == 1) {{
        const double *more = x + {inertia_end};
        {name}_friction_t friction = {{more[0], more[1]}};
        {name}_restitution_t restitution = {{({name}_law_t)(int)more[2], more[3]}};
        {name}_impact_t out;
        {name}_status_t status = {name}_impact(x, x + {size}, &friction, &restitution, &out);
        hash = UINT64_C({start});
        if (status != {upper}_STATUS_SOLVED) {{
            word((uint64_t)status);
        }} else {{
            for (int i = 0; i < {size}; i++) number(out.velocity[i]);
            for (int i = 0; i < {size}; i++) number(out.impulse[i]);
            number(out.compression_impulse);
            number(out.normal_work);
            number(out.friction_work);
            number(out.energy_change);
            number(out.critical_friction);
            word((uint64_t)out.mode);
            word((uint64_t)out.steps);
            word((uint64_t)out.events.count);
            for (size_t i = 0; i < out.events.count; i++) {{
                word((uint64_t)out.events.list[i].kind);
                number(out.events.list[i].impulse);
            }}
        }}
        if (fwrite(&hash, sizeof hash, 1, stdout) != 1) return 1;
    }}
    return 0;
}}
"#,
        inertia_end = size + size * size,
        factor = Bits::FACTOR,
        start = Bits::START,
    )
}

/// What generated C makes of impacts, for each way to compile it; none without a compiler.
fn in_c(name: &str, size: usize, words: &[u8]) -> Vec<(String, Vec<u64>)> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(&compiler).arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        let message = format!("C is not tried: no compiler {compiler:?}; name one in CC\n");
        let _ = std::io::stderr().write_all(message.as_bytes());
        return Vec::new();
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("equality").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (_, robot) = made::robots().unwrap().into_iter().find(|(n, _)| *n == name).unwrap();
    robot.language(Language::C).generate().unwrap().write_into(&folder).unwrap();
    std::fs::write(folder.join("driver.c"), driver(name, size)).unwrap();
    [&["-O2"][..], &["-O3", "-march=native"]]
        .into_iter()
        .map(|flags| {
            let done = Command::new(&compiler)
                .current_dir(&folder)
                .args(["-std=c99", "-Wall", "-Wextra", "-Werror"])
                .args(flags)
                .args([&format!("{name}.c"), "driver.c", "-lm", "-o", "driver"])
                .output()
                .unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            (flags.join(" "), ask(&folder.join("driver"), words))
        })
        .collect()
}

fn ask(program: &std::path::Path, words: &[u8]) -> Vec<u64> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(words).unwrap());
        child.wait_with_output().unwrap()
    });
    let hashes = output.stdout.chunks_exact(8);
    hashes.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// Compares the bits of impacts in the library, in generated Rust and in C.
macro_rules! equal {
    ($test:ident, $module:ident, $size:literal, $many:expr, $draw:expr, $solve:expr) => {
        #[test]
        fn $test() {
            let mut random = Random::seeded(22);
            let (mut inputs, mut all, mut expected) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..$many {
                let input: Input<$size> = $draw(&mut random, i);
                let Ok(contact) = Contact::new(input.inertia) else { continue };
                let library = bits!($solve(contact, &input), number);
                let flat: [f64; $size * $size] = input.inertia.as_flattened().try_into().unwrap();
                let friction = $module::Friction {
                    static_friction: input.friction.static_friction(),
                    kinetic: input.friction.kinetic(),
                };
                let laws = [$module::Law::Newton, $module::Law::Poisson, $module::Law::Energetic];
                let law = laws[input.restitution.law() as usize];
                let restitution = $module::Restitution { law, e: input.restitution.e() };
                let generated = $module::impact(&input.velocity, &flat, &friction, &restitution);
                let same = bits!(generated, |error| error as u64 + 1);
                assert_eq!(
                    library,
                    same,
                    "{input:?}\n{:?}\n{generated:?}",
                    $solve(contact, &input)
                );
                words(&input, &mut all);
                inputs.push(input);
                expected.push(library);
            }
            for (flags, found) in in_c(stringify!($module), $size, &all) {
                assert_eq!(found.len(), expected.len(), "{flags}");
                for (i, input) in inputs.iter().enumerate() {
                    assert_eq!(found[i], expected[i], "{flags}: {input:?}");
                }
            }
        }
    };
}

/// A test for each tolerance.
macro_rules! in_space {
    ($($test:ident $module:ident $tolerance:literal)*) => {$(
        equal!($test, $module, 3, MANY, drawn, |contact: Contact<3>, input: &Input<3>| {
            let accuracy = Accuracy::new($tolerance).unwrap();
            contact.solve_with(input.velocity, input.friction, input.restitution, accuracy)
        });
    )*};
}

in_space! {
    at_1e_3 any_3 1e-3
    at_1e_6 any_6 1e-6
    at_1e_9 any_9 1e-9
    at_1e_12 any_12 1e-12
    at_1e_15 any 1e-15
}

equal!(
    in_the_plane,
    any_planar,
    2,
    MANY,
    |random: &mut Random, i: usize| match i % 8 {
        0 => random.spread(16.0),
        1 => random.spread(32.0),
        _ => random.planar(),
    },
    |contact: Contact<2>, input: &Input<2>| {
        contact.solve(input.velocity, input.friction, input.restitution)
    }
);
