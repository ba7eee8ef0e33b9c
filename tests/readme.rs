//! The README's code, as printed.

use std::error::Error;
use std::process::Command;

include!(concat!(env!("OUT_DIR"), "/readme.rs"));

#[test]
fn rust_blocks_run() -> Result<(), Box<dyn Error>> {
    assert_eq!(BLOCKS, 2);
    block_0()?;
    block_1()
}

/// The C block in a program of its own, beside the solver that it calls.
#[test]
fn c_block_runs() {
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    if Command::new(&cc).arg("--version").output().is_err() {
        eprintln!("the README's C is not tried: no compiler {cc:?}");
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let robot = routh_codegen::Robot::from_toml("../examples/seed_robot.toml").unwrap();
    let solver = robot.language(routh_codegen::Language::C).generate().unwrap();
    solver.write_into(&folder).unwrap();
    let (includes, lines): (Vec<_>, Vec<_>) = C.lines().partition(|line| line.starts_with('#'));
    let (includes, lines) = (includes.join("\n"), lines.join("\n"));
    let program = format!("{includes}\n#include <stdio.h>\nint main(void) {{\n{lines}\n}}\n");
    std::fs::write(folder.join("controller.c"), program).unwrap();
    let compiled = Command::new(cc)
        .current_dir(&folder)
        .args(
            "-std=c99 -pedantic -Wall -Wextra -Werror -O2 controller.c seed_robot.c -lm".split(' '),
        )
        .args(["-o", "controller"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(folder.join("controller")).output().unwrap();
    let found: Vec<f64> = String::from_utf8(output.stdout)
        .unwrap()
        .split_whitespace()
        .map(|x| x.parse().unwrap())
        .collect();
    // The reference's figures for this impact.
    let wanted = [4.844821609556937, -0.1836973733241901, 1.3162516337213068];
    for (x, y) in found.iter().zip(wanted) {
        assert!((x - y).abs() < 1e-5 * y.abs(), "{found:?}");
    }
    assert_eq!(found.len(), 3);
}
