//! Statements: locals, assignments, and what brings a value where it belongs.

use super::super::tree::{Id, Node, Statement, Tree};
use super::super::types::Type;
use super::super::value::Value;
use super::aggregates::{is_expression, is_literal};
use super::{Printer, Sink};

impl Printer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(id, None) => {
                let local = self.locals[*id].clone();
                let place = self.declare(&local.name, &local.ty);
                self.places[*id] = Some(place);
            }
            Statement::Let(id, Some(value)) => self.let_local(*id, value),
            Statement::Do(tree) => self.deliver(tree, &Sink::Discard),
        }
    }

    /// A local of Rust with its value.
    pub(super) fn let_local(&mut self, id: Id, value: &Tree) {
        let local = self.locals[id].clone();
        if matches!(local.ty, Type::Unit | Type::Never) {
            return self.deliver(value, &Sink::Discard);
        }
        let mut place = self.let_in(&local.name, &Tree { ty: local.ty, ..value.clone() });
        place.fixed = !local.mutable;
        if local.name.starts_with('_') {
            self.lines.code(&format!("(void){};", place.text));
        }
        self.places[id] = Some(place);
    }

    /// A local of C with its value.
    pub(super) fn let_in(&mut self, name: &str, tree: &Tree) -> Value {
        match self.initialiser(tree) {
            Some(value) => {
                let value = Value { ty: tree.ty.clone(), ..value };
                Value { fixed: true, ..self.declare_with(name, &value) }
            }
            None => {
                let local = self.declare(name, &tree.ty);
                self.deliver(tree, &Sink::Store(local.clone()));
                Value { fixed: true, ..local }
            }
        }
    }

    /// The statements of a tree in a block that is already open.
    pub(super) fn open_block(&mut self, tree: &Tree, sink: &Sink) {
        let Node::Block { statements, tail, .. } = &tree.node else {
            return self.deliver(tree, sink);
        };
        statements.iter().for_each(|statement| self.statement(statement));
        match tail {
            Some(tail) if matches!(tail.node, Node::Block { braces: false, .. }) => {
                self.open_block(tail, sink);
            }
            Some(tail) => self.deliver(tail, sink),
            None => {}
        }
    }

    /// Statements that bring the value of a tree where it belongs.
    pub(super) fn deliver(&mut self, tree: &Tree, sink: &Sink) {
        match &tree.node {
            Node::If(pair, otherwise)
                if !matches!(sink, Sink::Store(_)) || tree.ty == Type::Unit =>
            {
                self.branches(pair, otherwise.as_deref(), sink);
            }
            Node::Switch(number, cases) => self.switch(number, cases, sink),
            Node::Block { braces: false, .. } => self.open_block(tree, sink),
            Node::Block { .. } => {
                self.lines.open("{");
                self.inside(tree, sink);
                self.lines.close("}");
            }
            Node::Loop(body) => self.forever(body),
            Node::While(pair) => self.during(pair),
            Node::Count(count) => self.counting(count),
            Node::Return(None) => self.lines.code("return;"),
            Node::Return(Some(value)) if value.ty == Type::Unit => {
                self.deliver(value, &Sink::Discard);
                self.lines.code("return;");
            }
            Node::Return(Some(value)) => self.deliver(value, &Sink::Return),
            Node::Break => self.lines.code("break;"),
            Node::Continue => self.lines.code("continue;"),
            Node::Assign(pair) => self.assign(&pair[0], &pair[1]),
            Node::Compound(operator, pair) => self.compound(operator, &pair[0], &pair[1]),
            _ => match sink {
                Sink::Store(place) => self.store(tree, place),
                Sink::Return => self.give_back(tree),
                Sink::Discard => self.discard(tree),
            },
        }
    }

    fn give_back(&mut self, tree: &Tree) {
        if let Some(result) = self.result.clone() {
            self.deliver(tree, &Sink::Store(result));
            return self.lines.code("return;");
        }
        let value = self.value(tree);
        self.lines.code(&format!("return {};", value.text));
    }

    fn discard(&mut self, tree: &Tree) {
        let value = self.value(tree);
        match (&tree.node, &value.ty) {
            (Node::Call(..), _) if !value.place => self.lines.code(&format!("{};", value.text)),
            (_, Type::Unit | Type::Never) => {}
            _ => self.lines.code(&format!("(void)({});", value.text)),
        }
    }

    /// Assigns a value, which is computed before the place. What is stored part by
    /// part must not read the place meanwhile.
    fn assign(&mut self, place: &Tree, value: &Tree) {
        let aliased = place.root().is_none_or(|root| value.mentions(root));
        let array = place.ty.is_array();
        if aliased && array && value.is_steady() {
            let (value, target) = (self.value(value), self.value(place));
            let code = self.copying("memmove", &target, &value);
            return self.lines.code(&format!("{code};"));
        }
        let by_parts =
            array || is_literal(value) && !self.has_braces(value) || !is_expression(value);
        if aliased && by_parts && (array || self.symbols.kind(&place.ty).is_some()) {
            let next = self.let_in("next", value);
            let target = self.value(place);
            return self.copy(&target, &next);
        }
        let target = self.value(place);
        self.deliver(value, &Sink::Store(target));
    }

    fn compound(&mut self, operator: &str, place: &Tree, value: &Tree) {
        let result = self.value(value);
        let target = self.value(place);
        self.lines.code(&format!("{} {operator} {};", target.text, result.text));
    }

    /// Brings a value to a place that it does not depend on.
    fn store(&mut self, tree: &Tree, target: &Value) {
        match &tree.node {
            Node::If(pair, otherwise) if !self.is_choice(tree) => {
                return self.branches(pair, otherwise.as_deref(), &Sink::Store(target.clone()));
            }
            Node::Repeat(value, length) => return self.fill(value, length, target),
            Node::Array(_) => return self.store_parts(tree, target),
            Node::Call(..) if target.ty.is_array() => {
                let call = self.call_into(tree, Some(target));
                return self.lines.code(&format!("{};", call.text));
            }
            Node::Parts(_) if !self.has_braces(tree) => return self.store_parts(tree, target),
            _ => {}
        }
        let value = self.value(tree);
        self.copy(target, &value);
    }

    pub(super) fn copy(&mut self, target: &Value, value: &Value) {
        let code = self.copying("memcpy", target, value);
        self.lines.code(&format!("{code};"));
    }

    /// An assignment, of arrays by this function.
    fn copying(&self, function: &str, target: &Value, value: &Value) -> String {
        let (to, from) = (&target.text, &value.text);
        if !target.ty.is_array() {
            return format!("{to} = {from}");
        }
        format!("{function}({to}, {from}, sizeof({}))", self.declared_as(&target.ty, ""))
    }
}
