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
        self.branch(&pair[0], &pair[1], sink);
        self.otherwise(otherwise, sink);
    }

    /// A branch with the names that its condition gives it.
    pub(super) fn branch(&mut self, condition: &Tree, body: &Tree, sink: &Sink) {
        let places = self.places.clone();
        self.scope.enter();
        self.name_parts(condition);
        self.inside(body, sink);
        self.scope.leave();
        self.places = places;
    }

    /// Declares the names that a condition has given.
    pub(super) fn name_parts(&mut self, condition: &Tree) {
        match &condition.node {
            Node::Infix("&&", _, pair) => pair.iter().for_each(|part| self.name_parts(part)),
            Node::Is { bound, .. } => {
                for bound in bound.iter().filter(|bound| bound.used) {
                    self.let_local(bound.id, &bound.part);
                }
            }
            _ => {}
        }
    }

    /// What follows the first branch. A condition that needs statements before it
    /// stands in a block of its own.
    fn otherwise(&mut self, otherwise: Option<&Tree>, sink: &Sink) {
        match otherwise.map(|tree| (tree, &tree.node)) {
            None => {}
            Some((_, Node::If(pair, next))) if !self.needs_lines(&pair[0]) => {
                let condition = self.value(&pair[0]);
                self.lines.reopen(&format!("}} else if ({}) {{", condition.text));
                self.branch(&pair[0], &pair[1], sink);
                return self.otherwise(next.as_deref(), sink);
            }
            Some((tree, _)) => {
                self.lines.reopen("} else {");
                self.inside(tree, sink);
            }
        }
        self.lines.close("}");
    }

    /// Whether a pattern holds. Its names stand for parts of the place for now.
    pub(super) fn is(&mut self, tree: &Tree) -> Value {
        let Node::Is { subject, tests, bound } = &tree.node else { return self.value(tree) };
        if let Some((id, value)) = subject {
            match self.places[*id].clone() {
                Some(place) => self.deliver(value, &Sink::Store(place)),
                None => self.let_local(*id, value),
            }
        }
        let tests: Vec<_> = tests.iter().map(|test| self.value(test)).collect();
        for bound in bound {
            let part = self.value(&bound.part);
            self.places[bound.id] = Some(part);
        }
        let both = |x: Value, y: Value| joined("&&", Binding::And, &x, &y, Type::Bool);
        let all = tests.into_iter().reduce(both);
        all.unwrap_or_else(|| Value::new("true", Binding::Postfix, Type::Bool).made_from([]))
    }

    /// `&&` and `||`, of which the second operand may not be needed: where it
    /// needs statements they are in a branch.
    pub(super) fn lazy(&mut self, operator: &str, pair: &[Tree; 2]) -> Value {
        let left = self.value(&pair[0]);
        if matches!(&pair[0].node, Node::Is { tests, .. } if tests.is_empty()) {
            return self.value(&pair[1]);
        }
        let binding = if operator == "&&" { Binding::And } else { Binding::Or };
        if !self.needs_lines(&pair[1]) {
            let right = self.value(&pair[1]);
            return joined(operator, binding, &left, &right, Type::Bool);
        }
        self.declare_subjects(&pair[1]);
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

    /// Declares what a condition keeps where its branches can see it.
    fn declare_subjects(&mut self, condition: &Tree) {
        match &condition.node {
            Node::Infix("&&", _, pair) => pair.iter().for_each(|part| self.declare_subjects(part)),
            Node::Is { subject: Some((id, _)), .. } => {
                let local = self.locals[*id].clone();
                let place = self.declare(&local.name, &local.ty);
                self.places[*id] = Some(Value { fixed: true, ..place });
            }
            _ => {}
        }
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
