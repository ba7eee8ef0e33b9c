//! Branches: `if`, `switch`, `&&`, `||` and `c ? a : b`.

use super::super::tree::{Case, Node, Tree};
use super::super::types::Type;
use super::super::value::{Binding, Value};
use super::aggregates::is_expression;
use super::values::{choice, joined};
use super::{Printer, Sink};

impl Printer<'_> {
    pub(super) fn branches(&mut self, pair: &[Tree; 2], otherwise: Option<&Tree>, sink: &Sink) {
        let condition = self.value(&pair[0]);
        self.lines.open(&format!("if ({}) {{", condition.text));
        self.inside(&pair[1], sink);
        self.otherwise(otherwise, sink);
    }

    /// What follows the first branch. A condition that needs statements before it
    /// stands in a block of its own.
    fn otherwise(&mut self, otherwise: Option<&Tree>, sink: &Sink) {
        match otherwise.map(|tree| (tree, &tree.node)) {
            None => {}
            Some((_, Node::If(pair, next))) if !self.needs_lines(&pair[0]) => {
                let condition = self.value(&pair[0]);
                self.lines.reopen(&format!("}} else if ({}) {{", condition.text));
                self.inside(&pair[1], sink);
                return self.otherwise(next.as_deref(), sink);
            }
            Some((tree, _)) => {
                self.lines.reopen("} else {");
                self.inside(tree, sink);
            }
        }
        self.lines.close("}");
    }

    /// `&&` and `||`, of which the second operand may not be needed: where it
    /// needs statements they are in a branch.
    pub(super) fn lazy(&mut self, operator: &str, pair: &[Tree; 2]) -> Value {
        let left = self.value(&pair[0]);
        let binding = if operator == "&&" { Binding::And } else { Binding::Or };
        if !self.needs_lines(&pair[1]) {
            let right = self.value(&pair[1]);
            return joined(operator, binding, &left, &right, Type::Bool);
        }
        let holds = self.declare_with("holds", &left);
        let start = if operator == "&&" { "" } else { "!" };
        self.lines.open(&format!("if ({start}{}) {{", holds.text));
        self.scope.enter();
        let right = self.value(&pair[1]);
        self.lines.code(&format!("{} = {};", holds.text, right.text));
        self.scope.leave();
        self.lines.close("}");
        Value { fixed: true, ..holds }
    }

    /// Whether a conditional is printed as `c ? a : b`.
    pub(super) fn is_choice(&mut self, tree: &Tree) -> bool {
        let Node::If(pair, Some(otherwise)) = &tree.node else { return false };
        is_expression(tree)
            && !matches!(tree.ty, Type::Array(..) | Type::Unit | Type::Reference { .. })
            && !self.needs_lines(&pair[1])
            && !self.needs_lines(otherwise)
    }

    /// `c ? a : b`, or branches that store the value.
    pub(super) fn either(&mut self, tree: &Tree, pair: &[Tree; 2], otherwise: &Tree) -> Value {
        if !self.is_choice(tree) {
            return match tree.ty {
                Type::Unit | Type::Never => {
                    self.branches(pair, Some(otherwise), &Sink::Discard);
                    Value::new("0", Binding::Postfix, Type::Unit).made_from([])
                }
                _ => self.by_statements(tree),
            };
        }
        let condition = self.value(&pair[0]);
        let (yes, no) = (self.value(&pair[1]), self.value(otherwise));
        choice(&condition, &yes, &no)
    }

    /// The last case takes what is left, so that no value of an enumeration slips
    /// through.
    pub(super) fn switch(&mut self, number: &Tree, cases: &[Case], sink: &Sink) {
        let number = self.value(number);
        self.lines.code(&format!("switch ({}) {{", number.text));
        for (i, case) in cases.iter().enumerate() {
            let last = i + 1 == cases.len() || case.labels.is_empty();
            let labels = case.labels.iter().map(|label| self.value(label).text);
            let mut labels: Vec<_> = labels.map(|label| format!("case {label}:")).collect();
            labels.extend(last.then(|| "default:".to_owned()));
            self.case(&labels, &case.body, sink);
            if last {
                break;
            }
        }
        self.lines.code("}");
    }

    /// A case, in braces if it declares something.
    fn case(&mut self, labels: &[String], body: &Tree, sink: &Sink) {
        let inner = self.lines.apart();
        let outer = std::mem::replace(&mut self.lines, inner);
        let declares = std::mem::replace(&mut self.declares, false);
        self.lines.indent();
        self.inside(body, sink);
        if body.ty != Type::Never && !matches!(sink, Sink::Return) {
            self.lines.code("break;");
        }
        let inner = std::mem::replace(&mut self.lines, outer);
        if let Some((last, before)) = labels.split_last() {
            before.iter().for_each(|label| self.lines.code(label));
            let brace = if self.declares { " {" } else { "" };
            self.lines.code(&format!("{last}{brace}"));
        }
        self.lines.append(inner);
        if self.declares {
            self.lines.code("}");
        }
        self.declares |= declares;
    }
}

/// `!a`, or `a` of `!a`.
pub(super) fn negated(condition: &Value) -> String {
    match condition.text.strip_prefix('!') {
        Some(rest) if condition.binding == Binding::Unary => rest.to_owned(),
        _ => format!("!{}", condition.at_least(Binding::Unary)),
    }
}
