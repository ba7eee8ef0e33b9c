//! Values of several parts, which C writes in braces, or stores part by part
//! where braces do not serve.

use super::super::shapes::Mark;
use super::super::tree::{Node, Tree};
use super::super::types::{Length, Type};
use super::super::value::{Binding, Value};
use super::values::{element, part};
use super::{Printer, Sink};

/// Most elements of an array variable that are named in braces.
const MOST_ELEMENTS: usize = 16;

/// Longest text of equal elements in braces.
const MOST_TEXT: usize = 80;

impl Printer<'_> {
    /// A value of several parts in the middle of an expression.
    pub(super) fn aggregate(&mut self, tree: &Tree) -> Value {
        if !self.has_braces(tree) {
            return self.by_statements(tree);
        }
        let braces = self.braces(tree);
        let text = format!("({}){}", self.declared_as(&tree.ty, ""), braces.text);
        Value { text, ..braces }
    }

    /// What initialises a variable, if one expression can.
    pub(super) fn initialiser(&mut self, tree: &Tree) -> Option<Value> {
        if is_literal(tree) {
            return self.has_braces(tree).then(|| self.braces(tree));
        }
        (!tree.ty.is_array() && is_expression(tree)).then(|| self.value(tree))
    }

    /// Whether a literal can be written in braces.
    pub(super) fn has_braces(&mut self, tree: &Tree) -> bool {
        let mut parts = tree.parts();
        match &tree.node {
            Node::Parts { rest: Some(_), .. } => return false,
            Node::Repeat(value, length) => {
                return self.has_braces_within(value) && self.repeats(value, length).is_some();
            }
            _ => {}
        }
        // An array that must be kept while others change has no braces.
        let scalar = |tree: &Tree| !is_literal(tree) && !tree.ty.is_array();
        if parts.iter().any(|part| part.changes(self.symbols)) && !parts.iter().all(|p| scalar(p)) {
            return false;
        }
        parts.drain(..).all(|part| self.has_braces_within(part))
    }

    fn has_braces_within(&mut self, part: &Tree) -> bool {
        match is_literal(part) {
            true => self.has_braces(part),
            false => {
                is_expression(part) && (!part.ty.is_array() || part.ty.count() <= MOST_ELEMENTS)
            }
        }
    }

    /// How often a repeated value is written: zeros once, since what braces leave
    /// out is zero, and short values as often as they are there.
    fn repeats(&mut self, value: &Tree, length: &Length) -> Option<usize> {
        let (value, _) = self.trial(|printer| printer.within_braces(value));
        match value.text.trim_matches(['{', '}']) {
            "0" | "0U" | "UINT64_C(0)" | "INT64_C(0)" | "0.0" | "0.0f" | "false" => Some(1),
            _ if self.constant => Some(length.value),
            text if length.value * text.len() <= MOST_TEXT && value.fixed => Some(length.value),
            _ => None,
        }
    }

    fn within_braces(&mut self, tree: &Tree) -> Value {
        match is_literal(tree) {
            true => self.braces(tree),
            false => elements(&self.value(tree)),
        }
    }

    fn braces(&mut self, tree: &Tree) -> Value {
        let (names, parts): (Vec<String>, Vec<&Tree>) = match &tree.node {
            Node::Parts { parts, .. } => {
                parts.iter().map(|(name, part)| (format!(".{name} = "), part)).unzip()
            }
            Node::Repeat(value, length) => {
                let count = self.repeats(value, length).unwrap_or(1);
                let value = self.within_braces(value);
                let text = format!("{{{}}}", vec![value.text.clone(); count].join(", "));
                return Value::new(text, Binding::Postfix, tree.ty.clone()).made_from([&value]);
            }
            _ => tree.parts().into_iter().map(|part| (String::new(), part)).unzip(),
        };
        let mark = match &tree.node {
            Node::Parts { mark, .. } => mark.as_ref().map(initial),
            _ => None,
        };
        let values = self.sequence_by(&parts, Self::within_braces);
        let parts = names.iter().zip(&values).map(|(name, value)| format!("{name}{}", value.text));
        let texts: Vec<_> = mark.into_iter().chain(parts).collect();
        let text = format!("{{{}}}", texts.join(", "));
        Value::new(text, Binding::Postfix, tree.ty.clone()).made_from(&values)
    }

    /// Stores a literal part by part, after what it takes the other parts from.
    pub(super) fn store_parts(&mut self, tree: &Tree, target: &Value) {
        match &tree.node {
            Node::Parts { parts, rest, .. } => {
                let mut values = Vec::new();
                if let Some(rest) = rest {
                    if tree.changes(self.symbols) {
                        // Rust computes the parts first.
                        values.extend(parts.iter().map(|(_, part)| self.let_in("part", part)));
                    }
                    self.deliver(rest, &Sink::Store(target.clone()));
                }
                self.store_members(tree, target, &values);
            }
            Node::Array(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.deliver(part, &Sink::Store(nth(target, i)));
                }
            }
            _ => {}
        }
    }

    /// Stores the members that a literal names, whose values may be known.
    pub(super) fn store_members(&mut self, tree: &Tree, target: &Value, values: &[Value]) {
        let Node::Parts { mark, parts, .. } = &tree.node else { return };
        if let Some(mark) = mark {
            self.lines.code(&format!("{}{};", target.at_least(Binding::Postfix), initial(mark)));
        }
        for (i, (name, value)) in parts.iter().enumerate() {
            let place = part(target, name, value.ty.clone());
            match values.get(i) {
                Some(value) => self.copy(&place, value),
                None => self.deliver(value, &Sink::Store(place)),
            }
        }
    }

    pub(super) fn fill(&mut self, value: &Tree, length: &Length, target: &Value) {
        let simple = matches!(
            value.node,
            Node::Integer { .. }
                | Node::Text(_)
                | Node::Local(_)
                | Node::Constant(_)
                | Node::Repeat(..)
        );
        let nested = matches!(&value.node, Node::Repeat(inner, _) if inner.changes(self.symbols));
        let once = (!simple || nested).then(|| self.let_in("value", value));
        self.scope.enter();
        let i = self.reserve("i");
        self.lines.open(&format!("for (size_t {i} = 0; {i} < {}; {i}++) {{", length.text));
        let at = element(target, &Value::place(i, Type::USIZE));
        match once {
            Some(value) => self.copy(&at, &value),
            None => self.deliver(value, &Sink::Store(at)),
        }
        self.lines.close("}");
        self.scope.leave();
    }
}

/// What braces say of a variant before its data.
fn initial(mark: &Mark) -> String {
    match mark {
        Mark::Flag(member, set) => format!(".{member} = {set}"),
        Mark::Tag(label) => format!(".tag = {label}"),
    }
}

fn nth(array: &Value, i: usize) -> Value {
    element(array, &Value::new(i.to_string(), Binding::Postfix, Type::USIZE).made_from([]))
}

/// `{a[0], a[1]}`
fn elements(array: &Value) -> Value {
    let Type::Array(_, length) = &array.ty else { return array.clone() };
    let parts: Vec<_> = (0..length.value).map(|i| elements(&nth(array, i))).collect();
    let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
    let text = format!("{{{}}}", texts.join(", "));
    Value::new(text, Binding::Postfix, array.ty.clone()).made_from(&parts)
}

pub(super) fn is_literal(tree: &Tree) -> bool {
    matches!(tree.node, Node::Array(_) | Node::Repeat(..) | Node::Parts { .. })
}

/// Whether a tree has no statements where a value is decided.
pub(super) fn is_expression(tree: &Tree) -> bool {
    match &tree.node {
        Node::If(pair, Some(otherwise)) => {
            !matches!(pair[0].node, Node::Is { .. })
                && is_expression(&pair[1])
                && is_expression(otherwise)
        }
        Node::Block { statements, tail: Some(tail), .. } => {
            statements.is_empty() && is_expression(tail)
        }
        Node::Block { .. } | Node::Switch(..) | Node::If(..) | Node::Loop(_) => false,
        Node::Return(_) | Node::Break(_) | Node::Continue => false,
        _ => true,
    }
}
