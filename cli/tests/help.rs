//! What the help of each command shows can be run as it stands.

mod routh;

use routh::{examples, folder, routh, shell};

#[test]
fn inputs_are_solved() {
    for subcommand in ["solve", "trajectory", "chain", "contacts", "flow"] {
        let help = routh(&[subcommand, "--help"], "").out;
        let lines = help.lines().skip_while(|line| !line.starts_with("  {"));
        let input: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        assert_eq!(routh(&[subcommand, "-"], input.join("\n")).solved().len(), 1, "{subcommand}");
    }
}

#[test]
fn examples_work() {
    for (subcommand, results) in [
        ("solve", &[5, 5, 1, 1][..]),
        ("trajectory", &[1, 3]),
        ("contacts", &[1, 8, 1, 1, 1]),
        ("flow", &[1, 1]),
    ] {
        let examples = examples(subcommand);
        assert_eq!(examples.len(), results.len(), "{subcommand}");
        for (example, results) in examples.iter().zip(results) {
            assert_eq!(shell(example).solved().len(), *results, "{example}");
        }
    }
    for (subcommand, count, part) in [
        ("compare", 3, "series_direct"),
        ("derive", 2, "Planar impacts"),
        ("generate", 2, "REPORT.md"),
    ] {
        let examples = examples(subcommand);
        assert_eq!(examples.len(), count, "{subcommand}");
        for example in examples {
            assert!(shell(&example).printed().contains(part), "{example}");
        }
    }
}

#[test]
fn without_an_answer_there_is_no_plot() {
    let path = folder("nothing") + "/plot.svg";
    for subcommand in ["trajectory", "contacts", "flow", "chain"] {
        let run = routh(&[subcommand, "-", "--plot", &path], "{}");
        assert_eq!(run.status, 1, "{subcommand}");
        assert!(!std::path::Path::new(&path).exists(), "{subcommand}");
    }
}

/// The results are printed all the same.
#[test]
fn a_plot_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let folder = folder("taken");
    std::fs::create_dir(format!("{folder}/taken.svg")).unwrap();
    for arguments in [["trajectory", "examples/sliding.json"], ["chain", "examples/chain.json"]] {
        for name in ["missing/plot.svg", "taken.svg"] {
            let path = format!("{folder}/{name}");
            let run = routh(&[&arguments[..], &["--plot", &path]].concat(), "");
            assert_eq!((run.status, run.lines()), (1, routh(&arguments, "").solved()));
            assert!(run.err.starts_with(&format!("routh: cannot write {path}: ")), "{}", run.err);
        }
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}
