//! Compiles programs from Rust and from their C, many at once, and runs both on
//! the same random inputs.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use routh_codegen::emit::{self, c};
use routh_codegen::{Error, Precision};

use crate::random;

/// Code with `pub fn run(input: &[Real; inputs], output: &mut [Real; outputs])`.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) file: syn::File,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl Program {
    pub(crate) fn new(name: &str, file: &syn::File, [inputs, outputs]: [usize; 2]) -> Self {
        let file = emit::reachable(file.clone(), &["run"]);
        Self { name: name.to_owned(), file, inputs, outputs }
    }

    pub(crate) fn print(&self, precision: Precision) -> Result<c::Sources, Error> {
        c::print(&self.file, &self.name, precision, "A test.")
    }
}

/// What inputs are like.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Inputs {
    /// Between -4 and 4.
    Tame,
    /// Among them zeros of both signs, infinities, and what is no number.
    Wild,
}

pub(crate) const STRICT: [&str; 8] =
    ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-O2"];

/// Programs of one batch, in a folder of its own.
pub(crate) struct Batch<'a> {
    pub(crate) name: &'a str,
    pub(crate) programs: &'a [Program],
    pub(crate) inputs: Inputs,
    pub(crate) runs: usize,
    /// Flags of C compilers, each of which must give the same.
    pub(crate) flags: &'a [&'a [&'a str]],
}

impl Batch<'_> {
    /// Panics with the names of programs that differ.
    pub(crate) fn agree(&self) {
        for precision in Precision::ALL {
            let folder = folder(self.name, precision);
            let expected = self.run_rust(&folder, precision);
            for flags in self.flags {
                let Some(found) = self.run_c(&folder, precision, flags) else { return };
                let lines = expected.lines().zip(found.lines()).filter(|(x, y)| x != y);
                let mut different: Vec<_> =
                    lines.filter_map(|(line, _)| line.split(' ').next()).collect();
                different.dedup();
                let place = folder.display();
                assert!(different.is_empty(), "{different:?} differ with {flags:?}, see {place}");
                assert_eq!(expected.lines().count(), found.lines().count());
            }
        }
    }

    fn run_rust(&self, folder: &Path, precision: Precision) -> String {
        let mut text = rust_start(precision, self.inputs);
        let mut calls = String::new();
        for Program { name, file, inputs, outputs } in self.programs {
            let code = prettyplease::unparse(file);
            let _ = writeln!(text, "mod {name} {{\nuse super::*;\n{code}}}");
            let _ = write!(
                calls,
                "    let mut state = 1_u64;
    for _ in 0..{} {{
        let mut input = [0.0; {inputs}];
        for x in &mut input {{ *x = drawn(&mut state); }}
        let mut output = [0.0; {outputs}];
        {name}::run(&input, &mut output);
        println!(\"{name} {{:x}}\", digest(&output));
    }}
",
                self.runs
            );
        }
        let _ = write!(text, "fn main() {{\n{calls}}}\n");
        let (code, executable) = (folder.join("tried.rs"), folder.join("from_rust"));
        std::fs::write(&code, text).unwrap();
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut compile = Command::new(rustc);
        // What overflows is a mistake of the program.
        compile.args(["-C", "opt-level=1", "-C", "overflow-checks=on", "--edition", "2024"]);
        compile.args(["-A", "warnings", "-o"]).arg(&executable).arg(code);
        finished(compile);
        finished(Command::new(executable))
    }

    fn run_c(&self, folder: &Path, precision: Precision, flags: &[&str]) -> Option<String> {
        compiler()?;
        let mut text = c_start(precision, self.inputs);
        let mut calls = String::new();
        for program in self.programs {
            let Program { name, inputs, outputs, .. } = program;
            let sources = program.print(precision).unwrap_or_else(|error| {
                panic!("{name}: {error}\n{}", prettyplease::unparse(&program.file))
            });
            std::fs::write(folder.join(format!("{name}.h")), &sources.header).unwrap();
            std::fs::write(folder.join(format!("{name}.c")), &sources.source).unwrap();
            let _ = writeln!(text, "#include \"{name}.h\"");
            let _ = write!(
                calls,
                "    state = 1;
    for (int n = 0; n < {}; n++) {{
        real input[{inputs}], output[{outputs}] = {{0}};
        for (int i = 0; i < {inputs}; i++) input[i] = drawn();
        {name}_run(input, output);
        printf(\"{name} %llx\\n\", digest(output, {outputs}));
    }}
",
                self.runs
            );
        }
        let _ = write!(text, "int main(void)\n{{\n{calls}    return 0;\n}}\n");
        std::fs::write(folder.join("main.c"), text).unwrap();
        let names = self.programs.iter().map(|program| program.name.as_str()).chain(["main"]);
        let names: Vec<&str> = names.collect();
        let share = names.len().div_ceil(2);
        std::thread::scope(|threads| {
            for names in names.chunks(share) {
                threads.spawn(move || {
                    let mut compile = compiler().unwrap();
                    compile.current_dir(folder).args(flags).arg("-c");
                    compile.args(names.iter().map(|name| format!("{name}.c")));
                    finished(compile);
                });
            }
        });
        let mut link = compiler()?;
        link.current_dir(folder).args(flags).args(["-o", "from_c"]);
        link.args(names.iter().map(|name| format!("{name}.o"))).arg("-lm");
        finished(link);
        Some(finished(Command::new(folder.join("from_c"))))
    }
}

/// What programs have around them in Rust.
fn rust_start(precision: Precision, inputs: Inputs) -> String {
    let surroundings = random::surroundings(precision.name());
    let wild = match inputs {
        Inputs::Tame => "",
        Inputs::Wild => {
            "if *state >> 60 == 0 {
        let special = [0.0, -0.0, Real::INFINITY, -Real::INFINITY, Real::NAN, Real::MAX, 1.0, -2.0];
        return special[(*state >> 57 & 7) as usize];
    }"
        }
    };
    format!(
        "{surroundings}fn drawn(state: &mut u64) -> Real {{
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    {wild}
    ((*state >> 40) as f64 / 2097152.0 - 4.0) as Real
}}
fn digest(output: &[Real]) -> u64 {{
    output.iter().fold(14695981039346656037, |sum: u64, x| {{
        let bits = if x.is_nan() {{ 1 }} else {{ x.to_bits() as u64 }};
        (sum ^ bits).wrapping_mul(1099511628211)
    }})
}}
"
    )
}

fn c_start(precision: Precision, inputs: Inputs) -> String {
    let real = precision.c_type();
    let bits = precision.name().replace('f', "");
    let largest = match precision {
        Precision::F64 => "DBL_MAX",
        Precision::F32 => "FLT_MAX",
    };
    let wild = match inputs {
        Inputs::Tame => String::new(),
        Inputs::Wild => format!(
            "if (state >> 60 == 0) {{
        const real special[8] = {{0, -(real)0, INFINITY, -INFINITY, NAN, {largest}, 1, -2}};
        return special[state >> 57 & 7];
    }}"
        ),
    };
    format!(
        "#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef {real} real;
static uint64_t state;
static real drawn(void)
{{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    {wild}
    return (real)((double)(state >> 40) / 2097152.0 - 4.0);
}}
static unsigned long long digest(const real *output, int count)
{{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int i = 0; i < count; i++) {{
        uint{bits}_t bits = 1;
        if (output[i] == output[i]) memcpy(&bits, &output[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(1099511628211);
    }}
    return sum;
}}
"
    )
}

pub(crate) fn folder(name: &str, precision: Precision) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c_{name}_{precision}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn finished(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The C compiler, if there is one. Where there is none this is said past the
/// capture of what passing tests print.
pub(crate) fn compiler() -> Option<Command> {
    let name = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(&name).arg("--version").output().is_ok();
    if !found {
        let message = format!("C is not tried: no compiler {name:?}; name one in CC\n");
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        std::io::stderr().write_all(message.as_bytes()).unwrap();
    }
    found.then(|| Command::new(name))
}
