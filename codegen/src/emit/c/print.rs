//! Trees of the core as C: the body of a function, and where its values go.

mod aggregates;
mod branches;
mod loops;
mod statements;
mod values;

use std::collections::BTreeSet;

use super::check::Checked;
use super::inventory::{Calls, Routine};
use super::layout::Lines;
use super::names;
use super::scope::Scope;
use super::symbols::{Signature, Symbols};
use super::tree::{Id, Local, Node, Tree};
use super::types::Type;
use super::value::Value;

/// What becomes of a value.
#[derive(Clone)]
enum Sink {
    Store(Value),
    Return,
    Discard,
}

/// A function's statements, and the declarations of its parameters.
pub(super) struct Printed {
    pub(super) parameters: Vec<String>,
    pub(super) body: Lines,
}

struct Printer<'a> {
    symbols: &'a Symbols<'a>,
    locals: Vec<Local>,
    /// What locals are in C, as far as they are declared.
    places: Vec<Option<Value>>,
    scope: Scope,
    lines: Lines,
    /// Where a result that is an array is stored.
    result: Option<Value>,
    /// Whether this is the value of a constant, where there are no statements.
    constant: bool,
    /// Whether a local has been declared since this was last unset.
    declares: bool,
    /// Functions of the file that are not called here: locals may have their
    /// names.
    uncalled: BTreeSet<String>,
}

/// The value of a constant, if C can compute it before the program runs.
pub(super) fn constant(symbols: &Symbols, checked: Checked) -> Option<Value> {
    let mut printer = Printer::new(symbols, checked.locals, true);
    let value = printer.initialiser(&checked.body)?;
    (value.fixed && printer.lines.is_empty()).then_some(value)
}

pub(super) fn function(
    symbols: &Symbols,
    item: &Routine,
    signature: &Signature,
    checked: Checked,
) -> Printed {
    let mut printer = Printer::new(symbols, checked.locals, false);
    let called = Calls::of(item.block);
    let uncalled = symbols.functions.iter().filter(|(name, _)| !called.reach(name));
    printer.uncalled = uncalled.map(|(_, function)| function.c_name.clone()).collect();
    let mut parameters = Vec::new();
    for id in checked.parameters {
        parameters.push(printer.parameter(id));
    }
    if signature.output.is_array() {
        let c_name = printer.reserve("result");
        parameters.push(signature.output.declare(&c_name, symbols));
        printer.result = Some(Value::place(c_name, signature.output.clone()));
    }
    let sink = match &printer.result {
        Some(result) => Sink::Store(result.clone()),
        None if signature.output == Type::Unit => Sink::Discard,
        None => Sink::Return,
    };
    printer.inside(&checked.body, &sink);
    Printed { parameters, body: printer.lines }
}

impl<'a> Printer<'a> {
    fn new(symbols: &'a Symbols<'a>, locals: Vec<Local>, constant: bool) -> Self {
        Self {
            symbols,
            places: vec![None; locals.len()],
            locals,
            scope: Scope::new(),
            lines: Lines::at_depth(1),
            result: None,
            constant,
            declares: false,
            uncalled: BTreeSet::new(),
        }
    }

    /// Declares a parameter, and says of one that is not used that this is so.
    fn parameter(&mut self, id: Id) -> String {
        let Local { name, ty, mutable, uses } = self.locals[id].clone();
        let c_name = self.reserve(&name);
        let declaration = ty.declare_parameter(&c_name, self.symbols);
        if uses == 0 {
            self.lines.code(&format!("(void){c_name};"));
        }
        let mut place = Value::place(c_name, ty.clone());
        if mutable && ty.is_array() {
            let copy = self.declare(&name, &ty);
            self.copy(&copy, &place);
            place = copy;
        }
        place.fixed = !mutable;
        self.places[id] = Some(place);
        declaration
    }

    /// A name of C for a local.
    fn reserve(&mut self, name: &str) -> String {
        let Self { symbols, uncalled, .. } = self;
        self.scope.reserve(name, |name| {
            let outside = symbols.is_file_name(name) && !uncalled.contains(name);
            outside || names::is_keyword(name)
        })
    }

    fn declared_as(&self, ty: &Type, name: &str) -> String {
        ty.declare(name, self.symbols)
    }

    /// A local of C without a value.
    fn declare(&mut self, name: &str, ty: &Type) -> Value {
        let c_name = self.reserve(name);
        self.declares = true;
        self.lines.code(&format!("{};", ty.declare(&c_name, self.symbols)));
        Value::place(c_name, ty.clone())
    }

    /// A local of C with its value.
    fn declare_with(&mut self, name: &str, value: &Value) -> Value {
        if value.ty.is_array() && !value.text.starts_with('{') {
            let local = self.declare(name, &value.ty);
            self.copy(&local, value);
            return local;
        }
        let c_name = self.reserve(name);
        self.declares = true;
        let declaration = value.ty.declare(&c_name, self.symbols);
        self.lines.code(&format!("{declaration} = {};", value.text));
        Value::place(c_name, value.ty.clone())
    }

    /// A value in a local that does not change.
    fn kept(&mut self, name: &str, value: &Value) -> Value {
        Value { fixed: true, ..self.declare_with(name, value) }
    }

    /// Prints apart, leaving no trace but the result and the lines before it.
    fn trial<T>(&mut self, print: impl FnOnce(&mut Self) -> T) -> (T, Lines) {
        let (places, declares) = (self.places.clone(), self.declares);
        let inner = self.lines.apart();
        let outer = std::mem::replace(&mut self.lines, inner);
        self.scope.enter();
        let result = print(self);
        self.scope.leave();
        let lines = std::mem::replace(&mut self.lines, outer);
        (self.places, self.declares) = (places, declares);
        (result, lines)
    }

    /// Whether a value needs statements before it.
    fn needs_lines(&mut self, tree: &Tree) -> bool {
        match &tree.node {
            Node::If(pair, _) => self.needs_lines(&pair[0]) || !self.is_choice(tree),
            Node::Prefix(..) | Node::Infix(..) | Node::Cast(_) => {
                tree.parts().into_iter().any(|part| self.needs_lines(part))
            }
            _ => !self.trial(|printer| printer.value(tree)).1.is_empty(),
        }
    }

    /// The statements of a tree in a block of C that is already open.
    fn inside(&mut self, tree: &Tree, sink: &Sink) {
        self.scope.enter();
        self.open_block(tree, sink);
        self.scope.leave();
    }
}
