//! Any bytes as a program of the part of Rust that is printed as C. It is printed
//! in both precisions, twice alike. With `ROUTH_COMPILE` set it is also compiled
//! from Rust and from C, and both must do the same: some executions a second.
#![no_main]

use std::fs;
use std::path::Path;
use std::process::Command;

use routh_codegen::{Precision, emit};
use routh_fuzz::programs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = programs::program(bytes);
    let file = syn::parse_file(&text).expect(&text);
    let file = emit::reachable(file, &["run"]);
    for precision in Precision::ALL {
        let print = || emit::c::print(&file, "tried", precision, "");
        let printed = print().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(Ok(&printed), print().as_ref().map_err(|error| error.to_string()));
        if std::env::var_os("ROUTH_COMPILE").is_some() {
            compare(&text, &printed, precision);
        }
    }
});

fn compare(text: &str, printed: &emit::c::Sources, precision: Precision) {
    let folder = std::env::temp_dir().join(format!("routh_printer_{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("tried.h", &printed.header);
    write("tried.c", &printed.source);
    write("tried.rs", &format!("{}{text}{RUST}", programs::surroundings(precision.name())));
    let real = precision.c_type();
    write("main.c", &C.replace("REAL", real));
    run(&folder, "rustc", &["-O", "--edition", "2024", "-A", "warnings", "-o", "rust", "tried.rs"]);
    run(&folder, "cc", &["-O2", "-o", "c", "tried.c", "main.c", "-lm"]);
    assert_eq!(run(&folder, "./rust", &[]), run(&folder, "./c", &[]), "{text}");
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Vec<u8> {
    let program = if program.starts_with('.') { folder.join(program) } else { program.into() };
    let output = Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Some inputs, and what comes out of them in digits that tell all bits.
const RUST: &str = "
fn main() {
    for n in 0..40 {
        let x = |i: i32| ((n * 37 + i * 101) % 97 - 48) as Real / 8.0;
        let mut output = [0.0; 6];
        run(&[x(0), x(1), x(2), x(3), x(4), x(5)], &mut output);
        for x in output {
            if x.is_nan() { println!(\"nan\") } else { println!(\"{:016x}\", (x as f64).to_bits()) }
        }
    }
}
";

const C: &str = "
#include \"tried.h\"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    for (int n = 0; n < 40; n++) {
        REAL input[6], output[6] = {0};
        for (int i = 0; i < 6; i++) input[i] = (REAL)((n * 37 + i * 101) % 97 - 48) / 8;
        tried_run(input, output);
        for (int i = 0; i < 6; i++) {
            double x = output[i];
            uint64_t bits;
            memcpy(&bits, &x, sizeof bits);
            if (x != x) puts(\"nan\"); else printf(\"%016llx\\n\", (unsigned long long)bits);
        }
    }
    return 0;
}
";
