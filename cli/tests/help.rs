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
    for (subcommand, results) in
        [("solve", &[5, 5, 1, 1][..]), ("trajectory", &[1, 3]), ("contacts", &[1, 1, 1])]
    {
        let examples = examples(subcommand);
        assert_eq!(examples.len(), results.len(), "{subcommand}");
        for (example, results) in examples.iter().zip(results) {
            assert_eq!(shell(example).solved().len(), *results, "{example}");
        }
    }
}

#[test]
fn without_an_answer_there_is_no_plot() {
    let folder = folder("nothing");
    let path = format!("{folder}/plot.svg");
    for subcommand in ["trajectory", "contacts", "flow", "chain"] {
        let run = routh(&[subcommand, "-", "--plot", &path], "{}");
        assert_eq!(run.status, 1, "{subcommand}");
        assert!(!std::path::Path::new(&path).exists(), "{subcommand}");
    }
    std::fs::remove_dir(folder).unwrap();
}
