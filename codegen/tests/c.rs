//! Generated code in C does what it does in Rust, bit for bit: the same programs
//! are compiled from both and run on the same random inputs. C compilers have
//! nothing to warn of.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use routh_codegen::derivations::Derivations;
use routh_codegen::emit::{self, c};
use routh_codegen::program::SeriesProgram;
use routh_codegen::{Error, Precision};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/c");

/// What programs have around them in Rust.
fn surroundings(precision: Precision) -> String {
    let real = precision.name();
    let bits = real.replace('f', "u");
    let function = |name| format!("fn {name}(x: Real) -> Real {{ x.{name}() }}\n");
    let functions: String =
        ["sqrt", "sin", "cos", "exp", "exp_m1", "ln", "ln_1p"].map(function).concat();
    format!(
        "type Real = {real};\ntype Bits = {bits};\n{functions}
         fn bits(x: Real) -> Bits {{ x.to_bits() }}
         fn from_bits(x: Bits) -> Real {{ Real::from_bits(x) }}\n"
    )
}

/// Calls `run` 2000 times with numbers between -4 and 4 and prints what it gives.
fn rust_main(inputs: usize, outputs: usize) -> String {
    format!(
        r#"fn main() {{
    let mut state = 1_u64;
    for _ in 0..2000 {{
        let mut input = [0.0; {inputs}];
        for x in &mut input {{
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *x = ((state >> 40) as f64 / 2097152.0 - 4.0) as Real;
        }}
        let mut output = [0.0; {outputs}];
        run(&input, &mut output);
        for x in output {{
            if x.is_nan() {{ println!("nan") }} else {{ println!("{{:x}}", x.to_bits()) }}
        }}
    }}
}}
"#
    )
}

fn c_main(precision: Precision, inputs: usize, outputs: usize) -> String {
    let real = precision.c_type();
    let bits = precision.name().replace('f', "");
    format!(
        r#"#include "tried.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
int main(void)
{{
    uint64_t state = 1;
    for (int n = 0; n < 2000; n++) {{
        {real} input[{inputs}], output[{outputs}] = {{0}};
        for (int i = 0; i < {inputs}; i++) {{
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            input[i] = ({real})((double)(state >> 40) / 2097152.0 - 4.0);
        }}
        tried_run(input, output);
        for (int i = 0; i < {outputs}; i++) {{
            uint{bits}_t u;
            memcpy(&u, &output[i], sizeof u);
            if (output[i] != output[i]) puts("nan"); else printf("%" PRIx{bits} "\n", u);
        }}
    }}
    return 0;
}}
"#
    )
}

fn folder(name: &str, precision: Precision) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c_{name}_{precision}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn finished(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn run_rust(folder: &Path, program: &str) -> String {
    let (code, executable) = (folder.join("tried.rs"), folder.join("from_rust"));
    std::fs::write(&code, program).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut compile = Command::new(rustc);
    compile.args(["-O", "--edition", "2024", "-A", "warnings", "-o"]).arg(&executable).arg(code);
    finished(compile);
    finished(Command::new(executable))
}

/// The C compiler, if there is one. Where there is none this is said past the
/// capture of what passing tests print.
fn compiler() -> Option<Command> {
    let name = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(&name).arg("--version").output().is_ok();
    if !found {
        let message = format!("C is not tried: no compiler {name:?}; name one in CC\n");
        std::io::stderr().write_all(message.as_bytes()).unwrap();
    }
    found.then(|| Command::new(name))
}

const STRICT: [&str; 8] =
    ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-O2"];

fn run_c(folder: &Path, sources: &c::Sources, main: &str) -> Option<String> {
    let executable = folder.join("from_c");
    std::fs::write(folder.join("tried.h"), &sources.header).unwrap();
    std::fs::write(folder.join("tried.c"), &sources.source).unwrap();
    std::fs::write(folder.join("main.c"), main).unwrap();
    let mut compile = compiler()?;
    compile.args(STRICT).arg("-o").arg(&executable);
    compile.args([folder.join("tried.c"), folder.join("main.c")]).arg("-lm");
    finished(compile);
    Some(finished(Command::new(executable)))
}

fn agree(name: &str, file: &syn::File, [inputs, outputs]: [usize; 2]) {
    let file = emit::reachable(file.clone(), &["run"]);
    for precision in Precision::ALL {
        let folder = folder(name, precision);
        let sources = c::print(&file, "tried", precision, "A test.").unwrap();
        let program =
            [surroundings(precision), prettyplease::unparse(&file), rust_main(inputs, outputs)]
                .concat();
        let expected = run_rust(&folder, &program);
        let distinct: std::collections::BTreeSet<_> = expected.lines().collect();
        assert!(distinct.len() > 100, "{name} does too little");
        if let Some(found) = run_c(&folder, &sources, &c_main(precision, inputs, outputs)) {
            assert!(found == expected, "{name} in {precision} differs, see {}", folder.display());
        }
    }
}

fn program(name: &str) -> syn::File {
    let text = std::fs::read_to_string(format!("{DATA}/{name}.rs")).unwrap();
    let mut file = syn::parse_file(&text).unwrap();
    file.attrs.clear();
    file
}

#[test]
fn arithmetic_agrees() {
    agree("arithmetic", &program("arithmetic"), [8, 8]);
}

#[test]
fn integers_agree() {
    agree("integers", &program("integers"), [8, 8]);
}

#[test]
fn arrays_agree() {
    agree("arrays", &program("arrays"), [8, 8]);
}

#[test]
fn records_agree() {
    agree("records", &program("records"), [8, 8]);
}

#[test]
fn control_agrees() {
    agree("control", &program("control"), [8, 8]);
}

#[test]
fn a_recorded_search_agrees() {
    agree("events", &program("events"), [8, 8]);
}

#[test]
fn the_seam_agrees() {
    agree("seam", &program("seam"), [8, 8]);
}

/// Random expressions, fully in parentheses, of which C keeps what it needs.
struct Expressions(u64);

impl Expressions {
    fn choice(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick(&mut self, operators: &[&'static str]) -> &'static str {
        operators[self.choice(operators.len() as u64) as usize]
    }

    fn real(&mut self, depth: u32) -> String {
        let Some(next) = depth.checked_sub(1) else { return self.pick(&["a", "b", "0.75"]).into() };
        match self.choice(8) {
            0 => format!("(-{})", self.real(next)),
            1 => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.truth(next),
                self.real(next),
                self.real(next)
            ),
            2 => format!("((({}) >> 40) as Real)", self.integer(next)),
            _ => {
                let operator = self.pick(&["+", "-", "*", "/"]);
                format!("({} {operator} {})", self.real(next), self.real(next))
            }
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        let Some(next) = depth.checked_sub(1) else { return self.pick(&["m", "n", "7u64"]).into() };
        match self.choice(9) {
            0 => format!("(!{})", self.integer(next)),
            1 => {
                format!("({} {} {})", self.integer(next), self.pick(&["<<", ">>"]), self.choice(64))
            }
            2 | 3 => {
                let name = self.pick(&["add", "sub", "mul"]);
                format!("(m ^ {}).wrapping_{name}({})", self.integer(next), self.integer(next))
            }
            _ => {
                let operator = self.pick(&["&", "|", "^"]);
                format!("({} {operator} {})", self.integer(next), self.integer(next))
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        let Some(next) = depth.checked_sub(1) else { return self.pick(&["p", "q"]).into() };
        match self.choice(6) {
            0 => format!("(!{})", self.truth(next)),
            1 => format!("({} {} {})", self.real(next), self.pick(&["<", ">="]), self.real(next)),
            2 => {
                let operator = self.pick(&["==", "!="]);
                format!("({} {operator} ((n ^ 5) < {}))", self.truth(next), self.integer(next))
            }
            3 => {
                let operator = self.pick(&["<", ">", "=="]);
                format!("((m | {}) {operator} {})", self.integer(next), self.integer(next))
            }
            _ => {
                format!("({} {} {})", self.truth(next), self.pick(&["&&", "||"]), self.truth(next))
            }
        }
    }
}

#[test]
fn any_grouping_agrees() {
    let mut random = Expressions(1);
    let outputs = 64;
    let stores: String = (0..outputs)
        .map(|i| {
            let value = match i % 3 {
                0 => random.real(5),
                1 => format!("({} >> 12) as Real", random.integer(5)),
                _ => format!("{} as usize as Real", random.truth(5)),
            };
            format!("output[{i}] = {value};\n")
        })
        .collect();
    let program = format!(
        "pub fn run(input: &[Real; 4], output: &mut [Real; {outputs}]) {{
             let [a, b, c, d] = *input;
             let m = ((c + 4.0) * 1e6) as u64;
             let n = m.wrapping_mul(0x9e37_79b9_7f4a_7c15);
             let p = c < d;
             let q = a < 0.0;
             {stores}
         }}"
    );
    agree("grouping", &syn::parse_str(&program).unwrap(), [4, outputs]);
}

/// A kernel with its constants computed from as many inputs as it has parameters.
fn kernel(program: &SeriesProgram, order: usize) -> (syn::File, [usize; 2]) {
    let mut items = emit::concrete(emit::unrolled("kernel", program, order).unwrap()).unwrap();
    items.extend(emit::concrete(emit::constants("kernel", program).unwrap()).unwrap());
    let (states, parameters) = (program.states.len(), program.scalars.inputs.len());
    let (rows, inputs) = (order + 1, states + parameters);
    let outputs = rows * states;
    let start: Vec<syn::Expr> = (0..states).map(|i| syn::parse_quote!(input[#i])).collect();
    let given: Vec<syn::Expr> = (states..inputs).map(|i| syn::parse_quote!(input[#i])).collect();
    let syn::Item::Fn(constants) = items.last().unwrap() else { panic!() };
    let syn::FnArg::Typed(out) = constants.sig.inputs.last().unwrap() else { panic!() };
    let syn::Type::Reference(out) = &*out.ty else { panic!() };
    let syn::Type::Array(out) = &*out.elem else { panic!() };
    let (length, name) = (&out.len, quote::format_ident!("kernel_{order}"));
    items.push(syn::parse_quote! {
        pub fn run(input: &[Real; #inputs], output: &mut [Real; #outputs]) {
            let mut constants = [0.0; #length];
            kernel_constants(#(#given,)* &mut constants);
            let mut rows = [[0.0; #states]; #rows];
            #name(&constants, &[#(#start),*], &mut rows);
            for k in 0..#rows {
                for i in 0..#states {
                    output[k * #states + i] = rows[k][i];
                }
            }
        }
    });
    (syn::parse_quote!(#(#items)*), [inputs, outputs])
}

#[test]
fn kernels_agree() {
    let derivations = Derivations::committed().unwrap();
    for order in [12, 20] {
        for (name, program) in
            [("sliding", &derivations.sliding), ("slide", &derivations.regularised)]
        {
            let (file, sizes) = kernel(program, order);
            agree(&format!("{name}_{order}"), &file, sizes);
        }
    }
}

/// Set the variable `ROUTH_BLESS` to accept what is printed now.
#[test]
fn a_small_program_is_printed_as_committed() {
    let head = "A small program.\nIts comment cannot be ended: */ int x; /* by what it says.";
    let file = program("small");
    for precision in Precision::ALL {
        let printed = c::print(&file, "small", precision, head).unwrap();
        let folder = format!("{DATA}/{precision}");
        for (ending, text) in [("h", printed.header), ("c", printed.source)] {
            let path = format!("{folder}/small.{ending}");
            if std::env::var_os("ROUTH_BLESS").is_some() {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &text).unwrap();
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{path}");
        }
        let Some(mut compile) = compiler() else { continue };
        compile.args(STRICT).arg("-c").arg(format!("{folder}/small.c"));
        compile.arg("-o").arg(self::folder("small", precision).join("small.o"));
        finished(compile);
    }
}

#[test]
fn what_is_outside_the_subset_is_refused_by_name() {
    for (code, construct) in [
        ("fn f(x: Real) -> Real { x.abs() }", "x . abs ()"),
        ("fn f(x: Real) -> Real { pow(x, 2.0) }", "pow"),
        ("fn f<T>(x: T) {}", "fn f < T > (x : T)"),
        ("fn f(x: [Real; 2]) {}", "x : [Real ; 2]"),
        ("fn f() -> [Real; 2] { [1.0, 2.0] }", "fn f () -> [Real ; 2]"),
        ("fn f(x: Option<Real>) {}", "Option < Real >"),
        ("fn f(x: &[Real]) {}", "[Real]"),
        ("fn f(x: Real) { println!() }", "println ! ()"),
        ("fn f(x: Real) -> Real { x % 2.0 }", "x % 2.0"),
        ("fn f(x: Real) { let y = &x; }", "& x"),
        ("fn f() { let x = loop { break 1.0; }; }", "loop { break 1.0 ; }"),
        ("fn f() { 'a: loop { break 'a; } }", "'a : loop { break 'a ; }"),
        ("fn f(n: usize) { for i in 0..=n {} }", "0 ..= n"),
        ("fn f(n: usize) -> u32 { n }", "n"),
        ("fn f(n: u32) { let mut i = 0; i += n; }", "n"),
        ("struct P(Real);", "struct P (Real) ;"),
        ("enum E { A(Real) }", "A (Real)"),
        ("impl P {}", "impl P { }"),
        ("use std::f64;", "use std :: f64 ;"),
        (
            "fn g(x: &mut Real) -> Real { 1.0 } fn f(mut x: Real) -> Real { x + g(&mut x) }",
            "x + g (& mut x)",
        ),
        ("struct S { x: Real } pub fn f(s: &S) {}", "fn f (s : & S)"),
        ("const A: [Real; 1] = [1.0]; const B: Real = A[0];", "const B : Real = A [0] ;"),
        ("fn f(x: Real) { if let y = x {} }", "let y = x"),
        ("#[cfg(test)] fn f() {}", "# [cfg (test)]"),
        ("fn f(n: usize) -> usize { match n { m => m } }", "m"),
    ] {
        let file = syn::parse_str(code).unwrap();
        match c::print(&file, "refused", Precision::F64, "") {
            Err(Error::Untranslatable { construct: found, .. }) => assert_eq!(found, construct),
            other => panic!("{code} gave {other:?}"),
        }
    }
    let empty = syn::parse_str("").unwrap();
    assert!(matches!(c::print(&empty, "no name", Precision::F64, ""), Err(Error::Name(_))));
}

#[test]
fn blocks_in_kernels_become_statements() {
    let kernel = quote::quote! {
        pub fn powers(x: f64, y: f64) -> [f64; 2] {
            let s = 1.0 / ({ let h = { let h = (x) * x; h * h }; h * h });
            [(s + (y)) + (x + y), -(-0.5) * ({ let h = y * y; h * h })]
        }
    };
    let plain: syn::ItemFn = syn::parse_quote! {
        fn powers(x: Real, y: Real, constants: &mut [Real; 2]) {
            let h_2 = x * x;
            let h_1 = h_2 * h_2;
            let s = 1.0 / (h_1 * h_1);
            let h_3 = y * y;
            *constants = [s + y + (x + y), -(-0.5) * (h_3 * h_3)];
        }
    };
    assert_eq!(emit::concrete(kernel).unwrap(), [syn::Item::Fn(plain)]);
}

#[test]
fn only_what_roots_reach_is_kept() {
    let file = syn::parse_str(
        "use std::f64; const N: usize = M; const M: usize = 2; const UNUSED: usize = N;
         struct S { x: [f64; N] } impl S {} struct U; impl U {} enum E { A }
         fn root(s: &S) -> f64 { let other = match 1 { M => 1.0, _ => 2.0 }; other + called() }
         fn called() -> f64 { 1.0 } fn other() {} fn calls_root() { root() }",
    );
    let kept = emit::reachable(file.unwrap(), &["root"]);
    let expected = syn::parse_str(
        "use std::f64; const N: usize = M; const M: usize = 2;
         struct S { x: [f64; N] } impl S {}
         fn root(s: &S) -> f64 { let other = match 1 { M => 1.0, _ => 2.0 }; other + called() }
         fn called() -> f64 { 1.0 }",
    );
    assert_eq!(kept, expected.unwrap());
}
