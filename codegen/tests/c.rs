//! Generated code in C does what it does in Rust, bit for bit: the same programs
//! are compiled from both and run on the same random inputs. C compilers have
//! nothing to warn of.

#[path = "c/harness.rs"]
mod harness;
#[path = "c/random.rs"]
mod random;

use routh_codegen::emit::{self, c};
use routh_codegen::{Error, Precision};

use self::harness::{Batch, Inputs, Program, STRICT, compiler, finished};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/c");

/// Flags that compilers are given: what is printed must not depend on them.
const FLAGS: [&[&str]; 3] = [&STRICT, &["-O0"], &["-O3", "-march=native"]];

fn agree(name: &str, programs: &[Program]) {
    Batch { name, programs, inputs: Inputs::Tame, runs: 2000, flags: &FLAGS }.agree();
}

fn program(name: &str) -> syn::File {
    let text = std::fs::read_to_string(format!("{DATA}/{name}.rs")).unwrap();
    let mut file = syn::parse_file(&text).unwrap();
    file.attrs.clear();
    file
}

#[test]
fn programs_agree() {
    let names = [
        "arithmetic",
        "integers",
        "arrays",
        "records",
        "control",
        "external",
        "methods",
        "options",
        "places",
    ];
    agree("programs", &names.map(|name| Program::new(name, &program(name), [8, 8])));
}

/// `TRIED` are the seeds, as `100..200`.
#[test]
fn random_programs_agree() {
    let seeds = std::env::var("TRIED").unwrap_or_else(|_| "0..300".to_owned());
    let (start, end) = seeds.split_once("..").unwrap();
    let seeds = start.parse::<u64>().unwrap()..end.parse().unwrap();
    let programs = seeds.map(|seed| {
        let text = random::program(&random::bytes(seed));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        Program::new(&format!("p{seed}"), &file, random::SIZES)
    });
    let programs: Vec<_> = programs.collect();
    let batch = Batch {
        name: "random",
        programs: &programs,
        inputs: Inputs::Wild,
        runs: 60,
        flags: &[&["-O1"]],
    };
    batch.agree();
}

/// Set the variable `ROUTH_BLESS` to accept what is printed now.
#[test]
fn a_small_program_is_printed_as_committed() {
    let head = "A small program.\nIts comment cannot be ended: */ int x; /* by what it says.";
    let file = program("small");
    let printed = c::print(&file, "small", Precision::F64, head).unwrap();
    for (ending, text) in [("h", printed.header), ("c", printed.source)] {
        let path = format!("{DATA}/small.{ending}");
        if std::env::var_os("ROUTH_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{path}");
    }
    let Some(mut compile) = compiler() else { return };
    compile.args(STRICT).arg("-c").arg(format!("{DATA}/small.c"));
    compile.arg("-o").arg(harness::folder("small", Precision::F64).join("small.o"));
    finished(compile);
}

#[test]
fn what_is_outside_the_subset_is_refused_by_name() {
    let mut wrong = Vec::new();
    for (code, construct) in [
        ("fn f(x: Real) -> Real { x.powi(2) }", "x . powi (2)"),
        ("fn f(x: Real) -> Real { x.tan() }", "x . tan ()"),
        ("fn f(x: Real) -> Real { pow(x, 2.0) }", "pow"),
        ("fn f<T>(x: T) {}", "fn f < T > (x : T)"),
        ("fn f(x: &[Real]) {}", "[Real]"),
        ("fn f(x: Option<()>) {}", "Option < () >"),
        ("fn f(x: Vec<Real>) {}", "Vec < Real >"),
        ("fn f(x: &Real) -> &Real { x }", "& Real"),
        ("struct P { x: &'static Real }", "& 'static Real"),
        ("fn f(x: Real) { println!() }", "println ! ()"),
        ("fn f(x: Option<Real>) -> Real { x.unwrap() }", "x . unwrap ()"),
        ("fn f(x: Option<Real>) -> Option<Real> { x.map(|x| x + 1.0) }", "x . map (| x | x + 1.0)"),
        ("fn f() { let g = |x: Real| x; }", "| x : Real | x"),
        ("fn f(x: Real) -> Real { x % 2.0 }", "x % 2.0"),
        ("fn f(n: i32) { let mut m = n; m <<= 1; }", "m <<= 1"),
        ("fn f(n: u8) {}", "u8"),
        ("fn f(x: Real) -> f32 { x as f32 }", "f32"),
        ("fn f() -> Real { 1.0f32 }", "1.0f32"),
        ("fn f() { 'a: loop { break 'a; } }", "'a : loop { break 'a ; }"),
        ("fn f() { loop { loop { break 'a; } } }", "break 'a"),
        ("fn f(n: usize) { for i in (0..n).step_by(2) {} }", "0 .. n"),
        ("fn f(v: [Real; 2]) { for x in v.iter().rev() {} }", "v . iter () . rev ()"),
        ("fn f(n: usize) { for mut i in 0..n {} }", "mut i"),
        ("fn f([x, y]: [Real; 2]) -> Real { x + y }", "[x , y]"),
        ("fn f(n: usize) -> u32 { n }", "fn f (n : usize) -> u32"),
        ("fn f(n: u32, m: usize) -> usize { m + n }", "n"),
        ("fn f(n: u32) -> u32 { -n }", "- n"),
        ("fn f() { let x = None; }", "fn f ()"),
        ("fn f(x: Real) -> Option<Real> { let y: Result<Real, usize> = Ok(x); Some(y?) }", "y ?"),
        ("struct P(Real);", "struct P (Real) ;"),
        ("struct P<T> { x: T }", "struct P < T > { x : T }"),
        ("impl<T> P<T> { fn f() {} }", "P < T >"),
        ("trait T {}", "trait T { }"),
        ("static X: Real = 1.0;", "static X : Real = 1.0 ;"),
        ("struct S { x: Real } pub fn f(s: &S) {}", "fn f (s : & S)"),
        ("const A: [Real; 1] = [1.0]; const B: Real = A[0];", "A [0]"),
        ("fn g(x: Real) -> Real { x } const B: Real = g(1.0);", "g (1.0)"),
        ("fn f(x: Real) { if let y = x {} }", "y"),
        ("fn f(x: Option<Real>) { if let Some(y @ 1.0) = x {} }", "y @ 1.0"),
        ("fn f(x: Option<Real>) { while let Some(y) = x {} }", "let Some (y) = x"),
        ("fn f(x: bool) { match x { true if x => {} _ => {} } }", "true if x"),
        ("fn f() -> Real { loop { break 1.0; } }", "break 1.0"),
        ("fn f(mut x: Real, mut y: Real) { [x, y] = [y, x]; }", "[x , y]"),
        ("fn f(n: i32) -> i32 { n << 1 }", "n << 1"),
        ("fn f(n: usize, m: usize) -> usize { n.min(m) }", "n . min (m)"),
        ("enum E { A(Real), B } fn f(e: E) {}", "A (Real)"),
        (
            "struct P { x: Real, y: Real } fn f(p: P) -> P { P { x: 1.0, ..p } }",
            "P { x : 1.0 , .. p }",
        ),
        ("fn f(v: [Real; 3], mut n: usize) -> Real { let x = &v[n]; n += 1; *x }", "x"),
        (
            "fn f(c: bool, x: &Real, y: &Real) -> Real { let z = if c { x } else { y }; *z }",
            "fn f (c : bool , x : & Real , y : & Real) -> Real",
        ),
        (
            "fn g(x: &mut Real) -> Real { *x } fn f(mut x: Real) -> Real { x + g(&mut x) }",
            "x + g (& mut x)",
        ),
        (
            "fn g(x: &mut Real) -> Real { *x }
             fn f(mut x: Real, y: Option<Real>) -> Option<Real> { Some(g(&mut x) + y?) }",
            "g (& mut x) + y ?",
        ),
        (
            "fn g(v: [Real; 2], w: &mut [Real; 2]) {} fn f(mut v: [Real; 2]) { g(v, &mut v) }",
            "g (v , & mut v)",
        ),
        ("fn f(x: Option<Real>) { if let Some(ref y) = x {} }", "ref y"),
        ("fn f(n: usize) -> usize { match n { 0..3 => 1, _ => 2 } }", "0 .. 3"),
        ("fn f(x: [Real; 3]) -> Real { let [a, ..] = x; a }", "[a , ..]"),
        (
            "fn g(n: &mut usize) -> usize { 0 }
             fn f(v: &[[Real; 2]; 2], mut n: usize) -> Real { v[n][g(&mut n)] }",
            "v [n] [g (& mut n)]",
        ),
        ("#[cfg(test)] fn f() {}", "# [cfg (test)]"),
        ("fn f(x: Real) -> Real { unsafe { x } }", "unsafe { x }"),
        ("async fn f() {}", "async fn f ()"),
    ] {
        let file = syn::parse_str(code).unwrap();
        match c::print(&file, "refused", Precision::F64, "") {
            Err(Error::Untranslatable { construct: found, .. }) if found == construct => {}
            Err(error) => wrong.push(format!("{code}: {error}")),
            Ok(_) => wrong.push(format!("{code} was printed")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let empty = syn::parse_str("").unwrap();
    assert!(matches!(c::print(&empty, "no name", Precision::F64, ""), Err(Error::Name(_))));
}

/// Rotations are what gcc fuses whatever it is told of contraction, alone and in
/// a loop.
#[test]
fn compilers_neither_fuse_nor_approximate() {
    let code = "
        pub fn turn(c: Real, s: Real, v: &mut [Real; 2]) {
            *v = [c * v[0] - s * v[1], c * v[1] + s * v[0]];
        }
        pub fn turn_all(c: Real, s: Real, from: &[Real; 64], to: &mut [Real; 64]) {
            for i in 0..32 {
                to[2 * i] = c * from[2 * i] - s * from[2 * i + 1];
                to[2 * i + 1] = c * from[2 * i + 1] + s * from[2 * i];
            }
        }";
    let folder = harness::folder("fused", Precision::F64);
    let printed = c::print(&syn::parse_str(code).unwrap(), "turn", Precision::F64, "").unwrap();
    std::fs::write(folder.join("turn.h"), printed.header).unwrap();
    std::fs::write(folder.join("turn.c"), printed.source).unwrap();
    let compiled = |flags: &[&str]| {
        let mut compile = compiler()?;
        compile.current_dir(&folder).args(flags).args(["-S", "-o", "turn.s", "turn.c"]);
        Some(compile.output().unwrap())
    };
    for flags in
        [&["-O2", "-mfma"][..], &["-O3", "-march=haswell"], &["-O3", "-mavx512vl", "-mfma"]]
    {
        match compiled(flags) {
            Some(output) if output.status.success() => {
                let assembly = std::fs::read_to_string(folder.join("turn.s")).unwrap();
                assert!(!assembly.contains("vfm") && !assembly.contains("vfnm"), "{flags:?}");
            }
            Some(_) if cfg!(not(target_arch = "x86_64")) => {}
            Some(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
            None => return,
        }
    }
    for flag in ["-ffast-math", "-Ofast", "-ffinite-math-only"] {
        let output = compiled(&[flag]).unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("compile without"), "{flag}");
    }
    let output = compiled(&["-fsingle-precision-constant"]).unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    // clang warns that it has no such flag, and goes by without it.
    let unknown = output.status.success() && message.contains("-fsingle-precision-constant");
    assert!(unknown || message.contains("compile_without"), "{message}");
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
         struct S { x: [f64; N] } impl S { fn first(&self) -> f64 { inner() } fn unused(&self) {} }
         struct U; impl U { fn first(&self) {} } struct E; impl E { const NONE: usize = 0; }
         fn root(s: &S) -> f64 { let other = match 1 { M => 1.0, _ => 2.0 }; other + called() }
         fn called() -> f64 { S { x: [0.0; 2] }.first() } fn inner() -> f64 { 1.0 }
         fn other() {} fn calls_root() { root() }",
    );
    let kept = emit::reachable(file.unwrap(), &["root"]);
    let expected = syn::parse_str(
        "use std::f64; const N: usize = M; const M: usize = 2;
         struct S { x: [f64; N] } impl S { fn first(&self) -> f64 { inner() } }
         fn root(s: &S) -> f64 { let other = match 1 { M => 1.0, _ => 2.0 }; other + called() }
         fn called() -> f64 { S { x: [0.0; 2] }.first() } fn inner() -> f64 { 1.0 }",
    );
    assert_eq!(kept, expected.unwrap());
}
