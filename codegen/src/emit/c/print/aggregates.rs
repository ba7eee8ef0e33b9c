//! Values of several parts, which C writes in braces, or stores part by part
//! where braces do not serve.

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
        let parts = tree.parts();
        if let Node::Repeat(value, length) = &tree.node {
            return self.has_braces_within(value) && self.repeats(value, length).is_some();
        }
        parts.into_iter().all(|part| self.has_braces_within(part))
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
            Node::Parts(parts) => {
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
        let values: Vec<_> = parts.into_iter().map(|part| self.within_braces(part)).collect();
        let parts = names.iter().zip(&values).map(|(name, value)| format!("{name}{}", value.text));
        let texts: Vec<_> = parts.collect();
        let text = format!("{{{}}}", texts.join(", "));
        Value::new(text, Binding::Postfix, tree.ty.clone()).made_from(&values)
    }

    /// Stores a literal part by part.
    pub(super) fn store_parts(&mut self, tree: &Tree, target: &Value) {
        match &tree.node {
            Node::Parts(parts) => {
                for (name, value) in parts {
                    let place = part(target, name, value.ty.clone());
                    self.deliver(value, &Sink::Store(place));
                }
            }
            Node::Array(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.deliver(part, &Sink::Store(nth(target, i)));
                }
            }
            _ => {}
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
        let once = (!simple).then(|| self.let_in("value", value));
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
    matches!(tree.node, Node::Array(_) | Node::Repeat(..) | Node::Parts(_))
}

/// Whether a tree has no statements where a value is decided.
pub(super) fn is_expression(tree: &Tree) -> bool {
    match &tree.node {
        Node::If(pair, Some(otherwise)) => is_expression(&pair[1]) && is_expression(otherwise),
        Node::Block { statements, tail: Some(tail), .. } => {
            statements.is_empty() && is_expression(tail)
        }
        Node::Block { .. } | Node::Switch(..) | Node::If(..) | Node::Loop(_) => false,
        Node::Return(_) | Node::Break | Node::Continue => false,
        _ => true,
    }
}
