//! Programs as text that a person reads: infix formulas and recurrences.

use std::collections::HashMap;
use std::fmt::Write;

use super::recurrence::{Convolution, Lead, Recurrence, Weight};
use super::{
    Number, Scalar, ScalarGraph, ScalarId, ScalarProgram, SeriesId, SeriesOp, SeriesProgram, State,
};

/// Binding strength of the outermost operation of a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Atom,
}

struct Formulas<'a> {
    graph: &'a ScalarGraph,
    variable: &'a str,
    names: HashMap<ScalarId, String>,
}

impl Formulas<'_> {
    fn operand(&self, id: ScalarId, at_least: Strength) -> String {
        let (text, strength) = self.formula(id);
        if strength < at_least { format!("({text})") } else { text }
    }

    fn formula(&self, id: ScalarId) -> (String, Strength) {
        match self.names.get(&id) {
            Some(name) => (name.clone(), Strength::Atom),
            None => self.definition(id),
        }
    }

    fn definition(&self, id: ScalarId) -> (String, Strength) {
        match self.graph.node(id) {
            Scalar::Number(n) => (n.to_string(), number_strength(n)),
            Scalar::Input(i) => (self.graph.inputs[*i].clone(), Strength::Atom),
            Scalar::Sum(terms) => {
                let mut text = String::new();
                for &term in terms {
                    let formula = self.operand(term, Strength::Product);
                    match formula.strip_prefix('-') {
                        _ if text.is_empty() => text = formula,
                        Some(positive) => text = format!("{text} - {positive}"),
                        None => text = format!("{text} + {formula}"),
                    }
                }
                (text, Strength::Sum)
            }
            Scalar::Product(factors) => (self.product(factors), Strength::Product),
            &Scalar::Power(base, n) if n < 0 => {
                let power = self.power(base, -n);
                (format!("1/{power}"), Strength::Product)
            }
            &Scalar::Power(base, n) => (self.power(base, n), Strength::Atom),
            Scalar::Apply(function, x) => {
                (format!("{}({})", function.name(), self.formula(*x).0), Strength::Atom)
            }
        }
    }

    fn power(&self, base: ScalarId, n: i32) -> String {
        let base = self.operand(base, Strength::Atom);
        if n == 1 { base } else { format!("{base}^{n}") }
    }

    fn product(&self, factors: &[ScalarId]) -> String {
        let (mut over, mut under) = (Vec::new(), Vec::new());
        let mut sign = "";
        for &factor in factors {
            match self.graph.node(factor) {
                Scalar::Number(n) => {
                    sign = if n.is_negative() { "-" } else { "" };
                    let size = if n.is_negative() { n.neg() } else { n.clone() };
                    if !size.is_one() {
                        over.push(size.to_string());
                    }
                }
                &Scalar::Power(base, n) if n < 0 && !self.names.contains_key(&factor) => {
                    under.push(self.power(base, -n));
                }
                _ => over.push(self.operand(factor, Strength::Atom)),
            }
        }
        let over = if over.is_empty() { "1".to_owned() } else { over.join(" ") };
        match under.len() {
            0 => format!("{sign}{over}"),
            1 => format!("{sign}{over} / {}", under[0]),
            _ => format!("{sign}{over} / ({})", under.join(" ")),
        }
    }
}

fn number_strength(n: &Number) -> Strength {
    if n.is_negative() { Strength::Product } else { Strength::Atom }
}

/// A scalar program as one formula a line; values used more than once get a
/// name of their own first.
pub fn render_scalars(program: &ScalarProgram) -> String {
    let graph = &program.graph;
    let mut formulas = Formulas { graph, variable: "", names: HashMap::new() };
    let mut text = String::new();
    let outputs: HashMap<ScalarId, &str> =
        program.outputs.iter().rev().map(|(name, id)| (*id, name.as_str())).collect();
    let mut line = |formulas: &Formulas, name: &str, id| {
        let _ = writeln!(text, "{name} = {}", formulas.definition(id).0);
    };
    let mut uses = graph.uses();
    for (i, node) in graph.nodes.iter().enumerate().rev() {
        if let Scalar::Power(base, _) = node {
            uses[base.0] += uses[i].saturating_sub(1);
        }
    }
    for (i, uses) in uses.into_iter().enumerate() {
        let id = ScalarId(i);
        let inner =
            matches!(graph.node(id), Scalar::Sum(_) | Scalar::Product(_) | Scalar::Apply(..));
        if let Some(name) = outputs.get(&id) {
            line(&formulas, name, id);
            if inner {
                formulas.names.insert(id, (*name).to_owned());
            }
        } else if uses > 1 && inner {
            let name = format!("t{}", formulas.names.len() + 1);
            line(&formulas, &name, id);
            formulas.names.insert(id, name);
        }
    }
    for (name, id) in &program.outputs {
        if outputs[id] != name {
            line(&formulas, name, *id);
        }
    }
    text
}

/// A series program as its system and its recurrences.
///
/// ```
/// use routh_codegen::{derivations::Derivations, program::render_series};
/// let text = render_series(&Derivations::committed()?.regularised);
/// assert!(text.contains("dp/dtau = u0     p[k+1] = u0[k]/(k+1)"));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn render_series(program: &SeriesProgram) -> String {
    let formulas =
        Formulas { graph: &program.scalars, variable: &program.variable, names: HashMap::new() };
    let name = |id: SeriesId| match id {
        SeriesId::State(i) => program.states[i].name.clone(),
        SeriesId::Op(i) => format!("u{i}"),
        SeriesId::Given(i) => program.given[i].clone(),
    };
    let lines = program.ops.iter().enumerate().map(|(i, op)| {
        let this = SeriesId::Op(i);
        let definition = format!("{} = {}", name(this), definition(op, &formulas, &name));
        let rule = op.rules(this).map(|(_, rule)| format!("[k] = {}", recurrence(&rule, &name)));
        (definition, rule)
    });
    let rates = program.states.iter().map(|State { name: state, rate }| {
        let rate = name(*rate);
        let definition = format!("d{state}/d{} = {rate}", program.variable);
        (definition, Some(format!("{state}[k+1] = {rate}[k]/(k+1)")))
    });
    format!("{}{}", columns(lines), columns(rates))
}

/// Two columns, the second one aligned.
fn columns(lines: impl Iterator<Item = (String, Option<String>)>) -> String {
    let lines: Vec<_> = lines.collect();
    let with_second = lines.iter().filter(|(_, second)| second.is_some());
    let width = with_second.map(|(first, _)| first.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (first, second) in lines {
        let _ = match second {
            Some(second) => writeln!(text, "{first:<width$}   {second}"),
            None => writeln!(text, "{first}"),
        };
    }
    text
}

fn definition(op: &SeriesOp, formulas: &Formulas, name: &dyn Fn(SeriesId) -> String) -> String {
    match op {
        SeriesOp::Linear { constant, terms } => {
            let mut text = constant.map_or(String::new(), |c| formulas.formula(c).0);
            for (factor, series) in terms {
                let factor = match formulas.operand(*factor, Strength::Product).as_str() {
                    "1" => String::new(),
                    "-1" => "-".to_owned(),
                    other => format!("{other} "),
                };
                let term = format!("{factor}{}", name(*series));
                text = match term.strip_prefix('-') {
                    _ if text.is_empty() => term,
                    Some(positive) => format!("{text} - {positive}"),
                    None => format!("{text} + {term}"),
                };
            }
            text
        }
        SeriesOp::Product(x, y) => format!("{} {}", name(*x), name(*y)),
        SeriesOp::Square(x) => format!("{}^2", name(*x)),
        SeriesOp::Quotient(Some(x), y) => format!("{} / {}", name(*x), name(*y)),
        SeriesOp::Quotient(None, y) => format!("1 / {}", name(*y)),
        SeriesOp::Sqrt(x) => format!("sqrt({})", name(*x)),
        SeriesOp::Norm(xs) => {
            let squares: Vec<_> = xs.iter().map(|x| format!("{}^2", name(*x))).collect();
            format!("sqrt({})", squares.join(" + "))
        }
        SeriesOp::Times(polynomial, x) => {
            let terms = polynomial.iter().enumerate().map(|(i, c)| {
                let c = formulas.operand(*c, Strength::Product);
                match i {
                    0 => c,
                    1 => format!("{c} {}", formulas.variable),
                    _ => format!("{c} {}^{i}", formulas.variable),
                }
            });
            format!("({}) {}", terms.collect::<Vec<_>>().join(" + "), name(*x))
        }
        SeriesOp::Power(x, alpha) => format!("{}^({alpha})", name(*x)),
        SeriesOp::Exp(x) => format!("exp({})", name(*x)),
        SeriesOp::Log(x) => format!("log({})", name(*x)),
        SeriesOp::Sin { of, .. } => format!("sin({})", name(*of)),
        SeriesOp::Cos { of, .. } => format!("cos({})", name(*of)),
    }
}

fn recurrence(rule: &Recurrence, name: &dyn Fn(SeriesId) -> String) -> String {
    let mut text = match &rule.lead {
        Lead::None => String::new(),
        Lead::Series(x) => format!("{}[k]", name(*x)),
        Lead::Projection(xs) => {
            let terms = xs.iter().map(|x| format!("{0}[0] {0}[k]", name(*x)));
            format!("2 ({})", terms.collect::<Vec<_>>().join(" + "))
        }
    };
    let added = rule.added.iter().map(|c| ("+", c));
    for (sign, c) in added.chain(rule.subtracted.iter().map(|c| ("-", c))) {
        let sum = convolution(c, name);
        let sum = if rule.mean { format!("{sum} / k") } else { sum };
        text = match (text.as_str(), sign) {
            ("", "+") => sum,
            ("", _) => format!("-{sum}"),
            _ => format!("{text} {sign} {sum}"),
        };
    }
    match rule.divisor {
        Some((1, d)) => format!("({text}) / {}[0]", name(d)),
        Some((n, d)) => format!("({text}) / ({n} {}[0])", name(d)),
        None => text,
    }
}

fn convolution(c: &Convolution, name: &dyn Fn(SeriesId) -> String) -> String {
    let last = if c.omit == 0 { "k".to_owned() } else { format!("k-{}", c.omit) };
    let weight = match &c.weight {
        Weight::One => String::new(),
        Weight::Index => "j ".to_owned(),
        Weight::Power(alpha) => format!("({alpha} j - (k-j)) "),
    };
    format!("sum(j={}..{last}) {weight}{}[j] {}[k-j]", c.first, name(c.left), name(c.right))
}
