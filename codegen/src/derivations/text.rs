//! Derived programs as text, a line for each value, in the order of their use:
//!
//! ```text
//! system regularised tau            a system and its independent variable
//! inputs a h1 h2 b1 b2 mu
//! 0 number -1                       node 0 of its scalars
//! 1 input 3
//! 2 product 0 1
//! op0 norm state0 state1
//! op1 linear - 2*state0 1*op0       no constant term
//! state0 vt1 op1                    an unknown and its rate
//! ```
//!
//! Series that come from elsewhere are `given0` and so on. A scalar program begins with
//! `scalars` and ends with a line `output NAME NODE` for each output; a planar form is
//! one below a line `form MODE LAW`.

use std::fmt::Write as _;

use super::{Law, PlanarForm, PlanarMode};
use crate::program::{
    Function, Scalar, ScalarGraph, ScalarId, ScalarProgram, SeriesId, SeriesOp, SeriesProgram,
    State,
};

const FUNCTIONS: [Function; 5] =
    [Function::Sqrt, Function::Exp, Function::Log, Function::Sin, Function::Cos];

/// What a file of derivations holds.
pub(super) trait Text: Sized {
    /// Appends its lines.
    fn write(&self, text: &mut String);

    /// Reads its lines; none if one of them is not as expected.
    fn read(lines: &mut Lines) -> Option<Self>;
}

/// The lines of a file as words, and how many have been read.
pub(super) struct Lines<'a> {
    lines: Vec<Vec<&'a str>>,
    read: usize,
}

impl<'a> Lines<'a> {
    /// The rest of the next line, if it begins with that word.
    fn below(&mut self, head: &str) -> Option<Vec<&'a str>> {
        let (first, rest) = self.lines.get(self.read)?.split_first()?;
        (*first == head).then(|| {
            self.read += 1;
            rest.to_vec()
        })
    }

    /// Lines that begin with `prefix0`, `prefix1` and so on.
    fn numbered<T>(&mut self, prefix: &str, line: impl Fn(&[&str]) -> Option<T>) -> Option<Vec<T>> {
        let mut found = Vec::new();
        while let Some(words) = self.below(&format!("{prefix}{}", found.len())) {
            found.push(line(&words)?);
        }
        Some(found)
    }

    /// Everything that is left to read.
    fn all<T: Text>(&mut self) -> Option<Vec<T>> {
        let mut found = Vec::new();
        while self.read < self.lines.len() {
            found.push(T::read(self)?);
        }
        Some(found)
    }
}

/// The programs of a file, or the number of a line that is not as expected.
pub(super) fn read<T: Text>(text: &str) -> Result<Vec<T>, usize> {
    let lines = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut lines = Lines { lines, read: 0 };
    let last = lines.lines.len();
    lines.all().ok_or_else(|| (lines.read + 1).min(last))
}

/// The file of the given programs.
pub(super) fn write<T: Text>(programs: &[T]) -> String {
    let mut text = String::new();
    programs.iter().for_each(|program| program.write(&mut text));
    text
}

impl Text for SeriesProgram {
    fn write(&self, text: &mut String) {
        let Self { name, variable, given, scalars, ops, states } = self;
        let _ = writeln!(text, "system {name} {variable}");
        for (i, name) in given.iter().enumerate() {
            let _ = writeln!(text, "given{i} {name}");
        }
        write_graph(scalars, text);
        for (i, op) in ops.iter().enumerate() {
            let _ = writeln!(text, "op{i} {}", operation(op));
        }
        for (i, State { name, rate }) in states.iter().enumerate() {
            let _ = writeln!(text, "state{i} {name} {}", series(*rate));
        }
    }

    fn read(lines: &mut Lines) -> Option<Self> {
        let head = lines.below("system")?;
        let [name, variable] = head[..] else { return None };
        Some(Self {
            name: name.to_owned(),
            variable: variable.to_owned(),
            given: lines.numbered("given", |words| Some(words.concat()))?,
            scalars: read_graph(lines)?,
            ops: lines.numbered("op", parse_operation)?,
            states: lines.numbered("state", |words| {
                let [name, rate] = words[..] else { return None };
                Some(State { name: name.to_owned(), rate: parse_series(rate)? })
            })?,
        })
    }
}

impl Text for ScalarProgram {
    fn write(&self, text: &mut String) {
        let Self { name, graph, outputs } = self;
        let _ = writeln!(text, "scalars {name}");
        write_graph(graph, text);
        for (name, ScalarId(id)) in outputs {
            let _ = writeln!(text, "output {name} {id}");
        }
    }

    fn read(lines: &mut Lines) -> Option<Self> {
        let name = lines.below("scalars")?.concat();
        let graph = read_graph(lines)?;
        let mut outputs = Vec::new();
        while let Some(words) = lines.below("output") {
            let [name, id] = words[..] else { return None };
            outputs.push((name.to_owned(), parse_id(id)?));
        }
        Some(Self { name, graph, outputs })
    }
}

impl Text for PlanarForm {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "form {} {}", self.mode.name(), self.law.name());
        self.program.write(text);
    }

    fn read(lines: &mut Lines) -> Option<Self> {
        let head = lines.below("form")?;
        let [mode, law] = head[..] else { return None };
        Some(Self {
            mode: PlanarMode::ALL.into_iter().find(|known| known.name() == mode)?,
            law: Law::ALL.into_iter().find(|known| known.name() == law)?,
            program: ScalarProgram::read(lines)?,
        })
    }
}

fn write_graph(graph: &ScalarGraph, text: &mut String) {
    let _ = writeln!(text, "{}", ["inputs", &graph.inputs.join(" ")].join(" ").trim_end());
    for (i, node) in graph.nodes.iter().enumerate() {
        let node = match node {
            Scalar::Number(n) => format!("number {n}"),
            Scalar::Input(i) => format!("input {i}"),
            Scalar::Sum(ids) => format!("sum {}", joined(ids, |id| id.0.to_string())),
            Scalar::Product(ids) => format!("product {}", joined(ids, |id| id.0.to_string())),
            Scalar::Power(ScalarId(base), n) => format!("power {base} {n}"),
            Scalar::Apply(function, ScalarId(x)) => format!("{} {x}", function.name()),
        };
        let _ = writeln!(text, "{i} {node}");
    }
}

fn read_graph(lines: &mut Lines) -> Option<ScalarGraph> {
    let inputs = lines.below("inputs")?.into_iter().map(str::to_owned).collect();
    Some(ScalarGraph { inputs, nodes: lines.numbered("", parse_node)? })
}

fn parse_node(words: &[&str]) -> Option<Scalar> {
    Some(match *words {
        ["number", n] => Scalar::Number(n.parse().ok()?),
        ["input", i] => Scalar::Input(i.parse().ok()?),
        ["sum", ref ids @ ..] => Scalar::Sum(each(ids, parse_id)?),
        ["product", ref ids @ ..] => Scalar::Product(each(ids, parse_id)?),
        ["power", base, n] => Scalar::Power(parse_id(base)?, n.parse().ok()?),
        [name, x] => {
            let function = FUNCTIONS.into_iter().find(|function| function.name() == name)?;
            Scalar::Apply(function, parse_id(x)?)
        }
        _ => return None,
    })
}

fn operation(op: &SeriesOp) -> String {
    let maybe = |x: Option<String>| x.unwrap_or_else(|| "-".to_owned());
    match op {
        SeriesOp::Linear { constant, terms } => {
            let constant = maybe(constant.map(|ScalarId(id)| id.to_string()));
            let terms = joined(terms, |(ScalarId(factor), x)| format!("{factor}*{}", series(*x)));
            format!("linear {constant} {terms}")
        }
        SeriesOp::Times(polynomial, x) => {
            format!("times {} {}", series(*x), joined(polynomial, |id| id.0.to_string()))
        }
        SeriesOp::Product(x, y) => format!("product {} {}", series(*x), series(*y)),
        SeriesOp::Square(x) => format!("square {}", series(*x)),
        SeriesOp::Quotient(x, y) => format!("quotient {} {}", maybe(x.map(series)), series(*y)),
        SeriesOp::Sqrt(x) => format!("sqrt {}", series(*x)),
        SeriesOp::Norm(xs) => format!("norm {}", joined(xs, |x| series(*x))),
        SeriesOp::Power(x, n) => format!("power {} {n}", series(*x)),
        SeriesOp::Exp(x) => format!("exp {}", series(*x)),
        SeriesOp::Log(x) => format!("log {}", series(*x)),
        SeriesOp::Sin { of, cos } => format!("sin {} {}", series(*of), series(*cos)),
        SeriesOp::Cos { of, sin } => format!("cos {} {}", series(*of), series(*sin)),
    }
}

fn parse_operation(words: &[&str]) -> Option<SeriesOp> {
    let id = parse_series;
    Some(match *words {
        ["linear", constant, ref terms @ ..] => SeriesOp::Linear {
            constant: maybe(constant, parse_id)?,
            terms: each(terms, |term| {
                let (factor, x) = term.split_once('*')?;
                Some((parse_id(factor)?, id(x)?))
            })?,
        },
        ["times", x, ref polynomial @ ..] => SeriesOp::Times(each(polynomial, parse_id)?, id(x)?),
        ["product", x, y] => SeriesOp::Product(id(x)?, id(y)?),
        ["square", x] => SeriesOp::Square(id(x)?),
        ["quotient", x, y] => SeriesOp::Quotient(maybe(x, id)?, id(y)?),
        ["sqrt", x] => SeriesOp::Sqrt(id(x)?),
        ["norm", ref xs @ ..] => SeriesOp::Norm(each(xs, id)?),
        ["power", x, n] => SeriesOp::Power(id(x)?, n.parse().ok()?),
        ["exp", x] => SeriesOp::Exp(id(x)?),
        ["log", x] => SeriesOp::Log(id(x)?),
        ["sin", of, cos] => SeriesOp::Sin { of: id(of)?, cos: id(cos)? },
        ["cos", of, sin] => SeriesOp::Cos { of: id(of)?, sin: id(sin)? },
        _ => return None,
    })
}

fn series(id: SeriesId) -> String {
    match id {
        SeriesId::State(i) => format!("state{i}"),
        SeriesId::Op(i) => format!("op{i}"),
        SeriesId::Given(i) => format!("given{i}"),
    }
}

fn parse_series(word: &str) -> Option<SeriesId> {
    let (kind, i) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
    let i = i.parse().ok()?;
    match kind {
        "state" => Some(SeriesId::State(i)),
        "op" => Some(SeriesId::Op(i)),
        "given" => Some(SeriesId::Given(i)),
        _ => None,
    }
}

fn parse_id(word: &str) -> Option<ScalarId> {
    word.parse().ok().map(ScalarId)
}

/// What may be absent, which is written `-`.
fn maybe<T>(word: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if word == "-" { Some(None) } else { parse(word).map(Some) }
}

fn each<T>(words: &[&str], parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    words.iter().map(|word| parse(word)).collect()
}

fn joined<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY_OPERATION: &str = "\
system every t
given0 outside
inputs x
0 number -3/2
1 input 0
2 sum 0 1
3 product 0 1 2
4 power 3 -2
5 sqrt 4
6 exp 5
op0 linear 5 0*state0 1*given0
op1 linear - 1*op0
op2 times state0 0 1 2
op3 product op0 op1
op4 square op3
op5 quotient - op4
op6 quotient state0 op5
op7 sqrt op6
op8 norm op6 op7
op9 power op8 2/3
op10 exp op9
op11 log op10
op12 sin op11 op13
op13 cos op11 op12
state0 v op13
";

    #[test]
    fn every_operation_is_read_as_written() {
        let programs: Vec<SeriesProgram> = read(EVERY_OPERATION).unwrap();
        assert_eq!(programs.len(), 1);
        assert_eq!(write(&programs), EVERY_OPERATION);
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (line, wrong) in [(4, "0 number x"), (9, "5 cosh 4"), (11, "op0 linear 5 0+state0")] {
            let mut lines: Vec<_> = EVERY_OPERATION.lines().collect();
            lines[line - 1] = wrong;
            let found = read::<SeriesProgram>(&lines.join("\n")).unwrap_err();
            assert!((line..=line + 1).contains(&found), "line {line}: {found}");
        }
        assert!(read::<ScalarProgram>("scalars f").is_err());
    }
}
