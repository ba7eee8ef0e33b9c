//! Expressions. Each becomes one expression of C that computes the same
//! operations in the same order, after the statements that it needs before it.

use super::super::tree::{Node, Tree};
use super::super::types::{Integer, Type};
use super::super::value::{Binding, Value};
use super::{Printer, Sink};

impl Printer<'_> {
    pub(super) fn value(&mut self, tree: &Tree) -> Value {
        let ty = tree.ty.clone();
        match &tree.node {
            Node::Integer { digits, value } => {
                let integer = match ty {
                    Type::Integer(integer) => integer,
                    _ => Integer::Usize,
                };
                literal(integer.literal(digits, *value), ty)
            }
            Node::Text(text) => literal(text.clone(), ty),
            Node::Local(id) => match &self.places[*id] {
                Some(place) => place.clone(),
                None => Value::place(self.locals[*id].name.clone(), ty),
            },
            Node::Constant(name) => {
                let constant = &self.symbols.constants[name];
                let value = Value::kept(&constant.c_name, ty);
                Value { place: !constant.is_macro, read_only: true, ..value }
            }
            Node::Prefix(operator, inner) => {
                let value = self.value(inner);
                let value = if *operator == "~" { self.widened(value) } else { value };
                prefixed(operator, &value)
            }
            Node::Infix(operator, Binding::And | Binding::Or, pair) => self.lazy(operator, pair),
            Node::Infix(operator, binding, pair) => self.infix(tree, operator, *binding, pair),
            Node::Cast(inner) => {
                let value = self.value(inner);
                self.cast(&value, ty)
            }
            Node::Member(base, name) => {
                let mut base = self.value(base);
                if !base.place && ty.is_array() {
                    base = self.kept("value", &base);
                }
                part(&base, name, ty)
            }
            // The index is computed before the array is read.
            Node::Element(pair) => {
                let array = self.value(&pair[0]);
                element(&array, &self.value(&pair[1]))
            }
            Node::Referent(inner) => dereferenced(&self.value(inner)),
            Node::Reference(inner) => {
                let value = self.value(inner);
                self.pointer_to(value, tree.ty.clone())
            }
            Node::Call(..) => self.call(tree),
            Node::Library(name, arguments) => {
                let values: Vec<_> = arguments.iter().map(|tree| self.value(tree)).collect();
                let texts: Vec<_> = values.iter().map(|value| value.text.as_str()).collect();
                let text = format!("{name}({})", texts.join(", "));
                Value::new(text, Binding::Postfix, ty)
            }
            Node::Parts(_) | Node::Array(_) | Node::Repeat(..) => self.aggregate(tree),
            Node::If(pair, Some(otherwise)) => self.either(tree, pair, otherwise),
            Node::Block { statements, tail: Some(tail), .. } => {
                statements.iter().for_each(|statement| self.statement(statement));
                self.value(tail)
            }
            _ if matches!(ty, Type::Unit | Type::Never) => {
                self.deliver(tree, &Sink::Discard);
                Value::new("0", Binding::Postfix, ty).made_from([])
            }
            _ => self.by_statements(tree),
        }
    }

    /// A value that C can only compute by statements.
    pub(super) fn by_statements(&mut self, tree: &Tree) -> Value {
        let local = self.declare("value", &tree.ty);
        self.deliver(tree, &Sink::Store(local.clone()));
        Value { fixed: true, ..local }
    }

    fn infix(&mut self, tree: &Tree, operator: &str, binding: Binding, pair: &[Tree; 2]) -> Value {
        let mut values = [self.value(&pair[0]), self.value(&pair[1])];
        if binding == Binding::Shift {
            values[0] = self.widened(values[0].clone());
        }
        joined(operator, binding, &values[0], &values[1], tree.ty.clone())
    }

    fn cast(&self, value: &Value, ty: Type) -> Value {
        let text = format!("({}){}", self.declared_as(&ty, ""), value.at_least(Binding::Unary));
        Value::new(text, Binding::Unary, ty).made_from([value])
    }

    /// Bare literals of lengths are `int` in C, too narrow to shift or to wrap.
    fn widened(&self, mut value: Value) -> Value {
        if value.fixed && !value.place && value.ty == Type::USIZE {
            value.text = format!("(size_t){}", value.at_least(Binding::Unary));
            value.binding = Binding::Unary;
        }
        value
    }

    /// A pointer to a place, or to a value that is put into one.
    fn pointer_to(&mut self, mut value: Value, ty: Type) -> Value {
        let constant = value.read_only && matches!(ty, Type::Reference { mutable: true, .. });
        let braces = value.text.ends_with('}') && value.binding == Binding::Postfix;
        let literal = braces || self.symbols.kind(&value.ty).is_none();
        if constant || !value.place && !literal {
            value = self.kept("value", &value);
        }
        let mut pointer = match &value.pointer {
            _ if value.ty.is_array() => self.passed(&value),
            Some(pointer) => Value::new(pointer.clone(), Binding::Postfix, ty.clone()),
            None if value.place || braces => prefixed("&", &value),
            None => {
                let name = self.declared_as(&value.ty, "");
                let text = format!("&({name}){{{}}}", value.text);
                Value::new(text, Binding::Unary, ty.clone()).made_from([&value])
            }
        };
        pointer.ty = ty;
        pointer
    }

    /// C99 passes an array of arrays that is `const` by a cast alone.
    fn passed(&self, value: &Value) -> Value {
        if !(value.read_only && value.ty.referent().is_nested_array()) {
            return value.clone();
        }
        let pointer = value.ty.referent().row_pointer("", self.symbols);
        let text = format!("({pointer}){}", value.at_least(Binding::Unary));
        Value::new(text, Binding::Unary, value.ty.clone()).made_from([value])
    }

    /// A call. One whose result is an array stores it in a local.
    fn call(&mut self, tree: &Tree) -> Value {
        if !tree.ty.is_array() {
            return self.call_into(tree, None);
        }
        let name = match &tree.node {
            Node::Call(name, _) => name.rsplit("::").next().unwrap_or(name),
            _ => "call",
        };
        let local = self.declare(&format!("{name}_result"), &tree.ty);
        let call = self.call_into(tree, Some(&local));
        self.lines.code(&format!("{};", call.text));
        Value { fixed: true, ..local }
    }

    /// A call, for an array with the place where it is stored.
    pub(super) fn call_into(&mut self, tree: &Tree, place: Option<&Value>) -> Value {
        let Node::Call(name, arguments) = &tree.node else { return self.value(tree) };
        let signature = &self.symbols.functions[name];
        let values = arguments.iter().map(|tree| {
            let value = self.value(tree);
            self.passed(&value)
        });
        let values: Vec<_> = values.collect();
        let mut texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        texts.extend(place.map(|place| place.text.as_str()));
        let text = format!("{}({})", signature.c_name, texts.join(", "));
        Value::new(text, Binding::Postfix, tree.ty.clone())
    }
}

fn literal(text: String, ty: Type) -> Value {
    let unary = text.starts_with(['(', '-']);
    let binding = if unary { Binding::Unary } else { Binding::Postfix };
    Value::new(text, binding, ty).made_from([])
}

/// `x + y`
pub(super) fn joined(operator: &str, binding: Binding, x: &Value, y: &Value, ty: Type) -> Value {
    let text = format!("{} {operator} {}", x.as_left(operator, binding), y.as_right(binding));
    Value::new(text, binding, ty).made_from([x, y])
}

/// `c ? a : b`
pub(super) fn choice(condition: &Value, yes: &Value, no: &Value) -> Value {
    let text = format!(
        "{} ? {} : {}",
        condition.at_least(Binding::Or),
        yes.at_least(Binding::Or),
        no.text
    );
    Value::new(text, Binding::Conditional, yes.ty.clone()).made_from([condition, yes, no])
}

fn prefixed(operator: &str, value: &Value) -> Value {
    let text = format!("{operator}{}", value.operand(operator));
    Value::new(text, Binding::Unary, value.ty.clone()).made_from([value])
}

fn dereferenced(value: &Value) -> Value {
    let to = value.ty.referent().clone();
    let mut place = Value::place(value.text.clone(), to.clone());
    place.binding = value.binding;
    if !to.is_array() {
        place.text = format!("*{}", value.at_least(Binding::Unary));
        place.binding = Binding::Unary;
        place.pointer = Some(value.at_least(Binding::Postfix));
    }
    place.read_only = value.read_only || value.ty.is_read_only();
    place
}

/// A member of a place or a value.
pub(super) fn part(base: &Value, member: &str, ty: Type) -> Value {
    let text = match &base.pointer {
        Some(pointer) => format!("{pointer}->{member}"),
        None => format!("{}.{member}", base.at_least(Binding::Postfix)),
    };
    let value = Value::new(text, Binding::Postfix, ty).made_from([base]);
    Value { place: base.place, read_only: base.read_only, ..value }
}

/// An element of an array.
pub(super) fn element(base: &Value, at: &Value) -> Value {
    let ty = match base.ty.referent() {
        Type::Array(element, _) => (**element).clone(),
        other => other.clone(),
    };
    let text = format!("{}[{}]", base.at_least(Binding::Postfix), at.text);
    let value = Value::new(text, Binding::Postfix, ty).made_from([base, at]);
    Value { place: true, read_only: base.read_only, ..value }
}
