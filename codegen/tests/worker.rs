//! Symbolica is shared by all threads and, one after the other, by all
//! processes of a machine; where it cannot be had there is an error, no abort.
//!
//! A process that has used Symbolica keeps it to its end, so every test here
//! uses it in children: this executable again, running one of the jobs.
#![cfg(feature = "symbolica")]

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use routh_codegen::model::System;
use routh_codegen::{Error, derive, symbolic};

/// Set where a job is to run.
const CHILD: &str = "ROUTH_WORKER_TEST_CHILD";

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

fn job(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--test-threads=1"]).env(CHILD, "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[track_caller]
fn assert_succeeds(child: Child) {
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|x| String::from_utf8(x).unwrap());
    let ran = out.contains("1 passed");
    assert!(output.status.success() && ran, "{}\n{out}\n{err}", output.status);
}

/// `y' = n y`, whose coefficients are `n^k / k!`.
fn derive_growth(n: usize) -> Result<[f64; 3], Error> {
    let coefficients = symbolic::run(move || {
        let system = System::parse("growth", "t", &[], &[("y", &format!("{n}*y"))]);
        let program = derive::taylor(&system.map_err(Error::Derivation)?)?;
        Ok::<_, Error>(program.coefficients(&[], &[1.0], 2))
    })??;
    Ok([0, 1, 2].map(|k| coefficients[0][k]))
}

#[track_caller]
fn assert_works(n: usize) {
    let rate = n as f64;
    assert_eq!(derive_growth(n).unwrap(), [1.0, rate, rate * rate / 2.0]);
}

#[test]
#[ignore = "a job of many_threads_share_one_worker"]
fn threads_job() {
    if is_child() {
        std::thread::scope(|scope| {
            for n in 2..34 {
                scope.spawn(move || assert_works(n));
            }
        });
    }
}

#[test]
fn many_threads_share_one_worker() {
    assert_succeeds(job("threads_job").spawn().unwrap());
}

#[test]
#[ignore = "a job of a_panic_is_an_error_and_the_worker_lives_on"]
fn panic_job() {
    if is_child() {
        for n in 2..5 {
            let error = symbolic::run(move || -> () { panic!("job {n} failed") }).unwrap_err();
            assert!(matches!(error, Error::Derivation(text) if text == format!("job {n} failed")));
            let error = symbolic::run(|| -> () { panic!("a plain text") }).unwrap_err();
            assert!(matches!(error, Error::Derivation(text) if text == "a plain text"));
            let error = symbolic::run(|| -> () { std::panic::panic_any(7) }).unwrap_err();
            assert!(matches!(error, Error::Derivation(_)));
            assert_works(n);
        }
    }
}

#[test]
fn a_panic_is_an_error_and_the_worker_lives_on() {
    assert_succeeds(job("panic_job").spawn().unwrap());
}

#[test]
#[ignore = "a job of many_processes_take_turns"]
fn turn_job() {
    if is_child() {
        assert_works(3);
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert_works(5);
    }
}

#[test]
fn many_processes_take_turns() {
    let children: Vec<_> = (0..4).map(|_| job("turn_job").spawn().unwrap()).collect();
    children.into_iter().for_each(assert_succeeds);
}

#[test]
#[ignore = "a job of another_instance_is_an_error"]
fn refused_job() {
    if is_child() {
        for _ in 0..2 {
            let error = derive_growth(2).unwrap_err();
            let Error::SymbolicaUnavailable(reason) = error else { panic!("{error}") };
            assert!(reason.contains("another instance"), "{reason}");
        }
    }
}

/// The port by which Symbolica recognises other instances is taken. It is one
/// of this test's own, so that no other process is refused.
#[test]
fn another_instance_is_an_error() {
    let instance = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = instance.local_addr().unwrap().port();
    let child = job("refused_job").env("SYMBOLICA_PORT", port.to_string()).spawn();
    assert_succeeds(child.unwrap());
}
