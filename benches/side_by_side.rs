//! Impacts and slips by every method of this project and of other crates, and by peers
//! in other languages where there are any: `benches/peers/run` starts both.
//!
//! Everything is timed in turn, a round of Rust and a round of each peer, and the
//! shortest counts. `ROUTH_PEER_COMMANDS` names commands to start, one a line: each is given
//! the file of cases, says `ready`, answers `round` with `done`, and `end` with its
//! rows. `ROUTH_COMPARISON` names the folder for cases, results and tables,
//! `ROUTH_ROUNDS` the number of rounds.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use routh_benches::contest::row::{self, Row};
use routh_benches::contest::{Case, Kind, Outcome, TOLERANCES, aims, table};
use serde::Deserialize;
use serde_json::{Value, json};

/// Rounds if none are named.
const ROUNDS: usize = 20;

/// Errors of the short table.
const SHORT: [f64; 2] = [1e-6, 1e-12];

/// A program in another language.
struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// What it reports.
#[derive(Deserialize)]
struct Report {
    versions: Value,
    rows: Vec<Answer>,
}

/// One of its rows.
#[derive(Deserialize)]
struct Answer {
    #[serde(flatten)]
    row: Row,
    #[serde(default)]
    outcomes: Vec<Outcome>,
    #[serde(default)]
    velocity: Vec<[f64; 2]>,
}

impl Peer {
    fn start(command: &str, cases: &Path) -> Result<Self, Box<dyn Error>> {
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().ok_or("an empty command")?)
            .args(words)
            .arg(cases)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().ok_or("no input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut peer = Self { child, to, from };
        peer.expect("ready")?;
        Ok(peer)
    }

    fn line(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            return Err("a peer has ended before its time".into());
        }
        Ok(line.trim_end().to_owned())
    }

    fn expect(&mut self, word: &str) -> Result<(), Box<dyn Error>> {
        let line = self.line()?;
        if line == word { Ok(()) } else { Err(format!("a peer says {line}, not {word}").into()) }
    }

    fn round(&mut self) -> Result<(), Box<dyn Error>> {
        writeln!(self.to, "round")?;
        self.expect("done")
    }

    fn end(mut self) -> Result<Report, Box<dyn Error>> {
        writeln!(self.to, "end")?;
        let report = serde_json::from_str(&self.line()?)?;
        self.child.wait()?;
        Ok(report)
    }
}

impl Answer {
    /// The row with the error that was measured here.
    fn measured(self, cases: &[Case]) -> Row {
        let Self { mut row, outcomes, velocity } = self;
        let case = cases.iter().find(|case| case.name == row.case);
        let error = case.map(|case| match row.kind {
            Kind::Slip => case.slip_error(&velocity),
            Kind::Impact => case.copies_error(outcomes.into_iter().map(Some)),
        });
        row.error = error.filter(|error| error.is_finite());
        row
    }
}

/// The first line of a file that begins so, without that.
fn described(path: &str, start: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    line.map_or("unknown".to_owned(), |line| line.trim_start_matches([':', ' ', '\t']).to_owned())
}

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let folder = PathBuf::from(variable("ROUTH_COMPARISON").unwrap_or_else(|| ".".to_owned()));
    let rounds = variable("ROUTH_ROUNDS").map_or(Ok(ROUNDS), |text| text.parse())?;
    let cases = Case::all()?;
    let names: Vec<_> = cases.iter().map(|case| case.name).collect();
    let exported: Vec<_> = cases.iter().map(Case::export).collect();
    let file = folder.join("cases.json");
    let tolerances = &TOLERANCES[..];
    std::fs::write(&file, json!({ "tolerances": tolerances, "cases": exported }).to_string())?;
    let mut peers = Vec::new();
    for command in variable("ROUTH_PEER_COMMANDS").unwrap_or_default().lines() {
        peers.push(Peer::start(command, &file)?);
    }
    let mut entries = row::entries(&cases, tolerances);
    for round in 0..rounds {
        row::sample(&mut entries, round);
        for peer in &mut peers {
            peer.round()?;
        }
        eprintln!("round {} of {rounds}", round + 1);
    }
    let mut rows = row::rows(entries);
    let mut versions = Vec::new();
    for peer in peers {
        let report = peer.end()?;
        rows.extend(report.rows.into_iter().map(|answer| answer.measured(&cases)));
        versions.push(report.versions);
    }
    let machine = json!({
        "processor": described("/proc/cpuinfo", "model name"),
        "cores": std::thread::available_parallelism()?.get(),
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
    });
    let results =
        json!({ "machine": machine, "versions": versions, "rounds": rounds, "rows": rows });
    std::fs::write(folder.join("results.json"), serde_json::to_string_pretty(&results)?)?;
    let table = |kind, errors| table::markdown(&rows, kind, &names, errors);
    let short = table(Kind::Impact, &SHORT[..]);
    let whole = Kind::ALL.map(|kind| table(kind, &table::ERRORS[..])).join("\n");
    let aims = aims::markdown(&rows, &names);
    std::fs::write(folder.join("readme.md"), &short)?;
    std::fs::write(folder.join("comparison.md"), format!("{whole}\n{aims}"))?;
    println!("{short}\n{aims}");
    Ok(())
}
