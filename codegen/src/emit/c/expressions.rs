//! Expressions. Each becomes one expression of C that computes the same
//! operations in the same order; what would need statements is refused here and
//! done by the statement around it where that is possible.

use syn::{BinOp, Block, Expr, ExprBinary, ExprCall, ExprIf, ExprUnary, Member, Stmt, UnOp};

use super::function::Function;
use super::no_c;
use super::types::{Integer, Type};
use super::value::{Binding, Value};
use crate::Error;

impl Function<'_> {
    /// The value of an expression; its type must be the expected one, if any.
    pub(super) fn value(&self, expr: &Expr, expected: Option<&Type>) -> Result<Value, Error> {
        let value = match expr {
            Expr::Paren(inner) => return self.value(&inner.expr, expected),
            Expr::Group(inner) => return self.value(&inner.expr, expected),
            Expr::Lit(literal) => self.literal(&literal.lit, expected),
            Expr::Path(path) => self.path(path),
            Expr::Binary(binary) => self.binary(binary, expected),
            Expr::Unary(unary) => self.unary(unary, expected),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => {
                    self.field(&self.value(&field.base, None)?, &name.to_string())
                }
                Member::Unnamed(_) => None,
            }
            .ok_or_else(|| no_c(expr, "no such field")),
            Expr::Index(index) => {
                let base = self.value(&index.expr, None)?;
                let at = self.value(&index.index, Some(&Type::USIZE))?;
                element(&base, &at).ok_or_else(|| no_c(expr, "not an array"))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.wrapping(call, expected),
            Expr::If(conditional) => self.conditional(conditional, expected),
            Expr::Block(block) if block.label.is_none() => match only_tail(&block.block) {
                Some(tail) => return self.value(tail, expected),
                None => Err(no_c(expr, "a block with statements is no part of an expression")),
            },
            Expr::Struct(literal) => self.compound(expr, &self.record_type(literal)?),
            _ => Err(no_c(expr, "no such expression in this place")),
        }?;
        match expected {
            Some(expected) if !agrees(&value, expected) => {
                Err(no_c(expr, format!("its type is not {expected:?} but {:?}", value.ty)))
            }
            _ => Ok(value),
        }
    }

    fn binary(&self, binary: &ExprBinary, expected: Option<&Type>) -> Result<Value, Error> {
        let (operator, binding) =
            operator(&binary.op).ok_or_else(|| no_c(binary, "no such operator"))?;
        let compares = matches!(binding, Binding::Equality | Binding::Relation);
        let shifts = binding == Binding::Shift;
        let inner = if compares { None } else { expected };
        let mut left = self.value(&binary.left, inner)?;
        let known = (!left.untyped).then(|| left.ty.clone());
        let right = match shifts {
            true => self.value(&binary.right, None)?,
            false => self.value(&binary.right, known.as_ref().or(inner))?,
        };
        if left.untyped && !right.untyped && !shifts {
            left = self.value(&binary.left, Some(&right.ty))?;
        }
        self.check_operands(binary, &left, &right, binding)?;
        let usize_constant = left.fixed && right.fixed && left.ty == Type::USIZE;
        if shifts || usize_constant && self.symbols.exceeds_int(&Expr::Binary(binary.clone())) {
            left = widened(left);
        }
        let (x, y) = (left.as_left(operator, binding), right.as_right(binding));
        let ty = if compares { Type::Bool } else { left.ty.clone() };
        let mut value =
            Value::new(format!("{x} {operator} {y}"), binding, ty).made_from([&left, &right]);
        value.untyped = !compares && left.untyped && (shifts || right.untyped);
        Ok(value)
    }

    fn check_operands(
        &self,
        binary: &ExprBinary,
        left: &Value,
        right: &Value,
        binding: Binding,
    ) -> Result<(), Error> {
        let operable = match (&left.ty, binding) {
            (Type::Real, Binding::Product) => !matches!(binary.op, BinOp::Rem(_)),
            (Type::Real, Binding::Sum | Binding::Relation | Binding::Equality) => true,
            (Type::Integer(_), Binding::And | Binding::Or) => false,
            (Type::Integer(_), _) => true,
            (Type::Bool, Binding::And | Binding::Or | Binding::Equality) => true,
            (ty, Binding::Equality) => self.symbols.is_enumeration(ty),
            _ => false,
        };
        if !operable {
            return Err(no_c(binary, "no such operation on these operands"));
        }
        let sequenced = matches!(binding, Binding::And | Binding::Or);
        if !sequenced && (left.mutates && !right.fixed || right.mutates && !left.fixed) {
            return Err(no_c(binary, "C does not say which operand comes first"));
        }
        Ok(())
    }

    fn unary(&self, unary: &ExprUnary, expected: Option<&Type>) -> Result<Value, Error> {
        match unary.op {
            UnOp::Deref(_) => {
                let value = self.value(&unary.expr, None)?;
                dereferenced(&value).ok_or_else(|| no_c(unary, "not a reference"))
            }
            UnOp::Neg(_) => {
                let value = self.value(&unary.expr, expected)?;
                let negative = match &value.ty {
                    Type::Real => true,
                    Type::Integer(integer) => integer.is_signed() || value.untyped,
                    _ => false,
                };
                if !negative {
                    return Err(no_c(unary, "no negative numbers of this type"));
                }
                Ok(prefixed("-", &value))
            }
            UnOp::Not(_) => {
                let value = self.value(&unary.expr, expected)?;
                match value.ty {
                    Type::Bool => Ok(prefixed("!", &value)),
                    Type::Integer(_) => Ok(prefixed("~", &widened(value))),
                    _ => Err(no_c(unary, "no such operation on this operand")),
                }
            }
            _ => Err(no_c(unary, "no such operator")),
        }
    }

    fn cast(&self, cast: &syn::ExprCast) -> Result<Value, Error> {
        let ty = self.symbols.value_type(&cast.ty)?;
        let expected = match &ty {
            Type::Integer(_) if is_integer_literal(&cast.expr) => Some(&ty),
            _ => None,
        };
        let mut value = self.value(&cast.expr, expected)?;
        if value.untyped {
            value = self.value(&cast.expr, Some(&Type::Integer(Integer::I32)))?;
        }
        let from_number = matches!(value.ty, Type::Real | Type::Integer(_) | Type::Bool)
            || self.symbols.is_enumeration(&value.ty);
        let to_number = match ty {
            Type::Real => matches!(value.ty, Type::Real | Type::Integer(_)),
            Type::Integer(_) => true,
            _ => false,
        };
        if !from_number || !to_number {
            return Err(no_c(cast, "no such conversion"));
        }
        let name = ty.declare("", self.symbols.precision);
        let text = format!("({name}){}", value.at_least(Binding::Unary));
        Ok(Value::new(text, Binding::Unary, ty).made_from([&value]))
    }

    /// A field of a structure or of what a reference refers to.
    pub(super) fn field(&self, base: &Value, name: &str) -> Option<Value> {
        let record = self.symbols.record(base.ty.referent())?;
        let (_, field) = record.fields.iter().find(|(n, _)| n == name)?;
        let text = match (&base.pointer, &base.ty) {
            (Some(pointer), _) => format!("{pointer}->{}", field.c_name),
            (None, Type::Reference { .. }) => format!("{}->{}", base.text, field.c_name),
            _ => format!("{}.{}", base.at_least(Binding::Postfix), field.c_name),
        };
        let mut value = Value::new(text, Binding::Postfix, field.ty.clone()).made_from([base]);
        value.place = base.place;
        value.read_only = base.read_only || base.ty.is_read_only();
        Some(value)
    }

    fn call(&self, call: &ExprCall) -> Result<Value, Error> {
        let Expr::Path(path) = &*call.func else {
            return Err(no_c(call, "only functions are called"));
        };
        let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let unknown = || no_c(&call.func, "no such function");
        let Some(signature) = self.symbols.functions.get(&name) else {
            return self.seam(call, &name).ok_or_else(unknown)?;
        };
        if signature.parameters.len() != call.args.len() {
            return Err(no_c(call, "another number of arguments is expected"));
        }
        let arguments = call.args.iter().zip(&signature.parameters);
        let arguments = arguments.map(|(argument, ty)| self.argument(argument, ty));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        check_sequence(call, &arguments)?;
        let mut value = called(&signature.c_name, &arguments, signature.output.clone());
        value.mutates |= signature.mutates();
        Ok(value)
    }

    /// A function that generated Rust has from its surroundings.
    fn seam(&self, call: &ExprCall, name: &str) -> Option<Result<Value, Error>> {
        let suffix = self.symbols.precision.c_suffix();
        let (name, from, to) = match name {
            "sqrt" | "sin" | "cos" | "exp" => (format!("{name}{suffix}"), Type::Real, Type::Real),
            "exp_m1" => (format!("expm1{suffix}"), Type::Real, Type::Real),
            "ln" => (format!("log{suffix}"), Type::Real, Type::Real),
            "ln_1p" => (format!("log1p{suffix}"), Type::Real, Type::Real),
            "bits" => ("bits_of".to_owned(), Type::Real, self.symbols.bits()),
            "from_bits" => ("real_of_bits".to_owned(), self.symbols.bits(), Type::Real),
            _ => return None,
        };
        let argument = call.args.first().filter(|_| call.args.len() == 1)?;
        Some(self.value(argument, Some(&from)).map(|value| called(&name, &[value], to)))
    }

    fn argument(&self, expr: &Expr, ty: &Type) -> Result<Value, Error> {
        let Type::Reference { to, .. } = ty else {
            return self.value(expr, Some(ty));
        };
        let Expr::Reference(reference) = peeled(expr) else {
            return Ok(self.passed(self.value(expr, Some(ty))?, to));
        };
        let referent = peeled(&reference.expr);
        if matches!(referent, Expr::Array(_) | Expr::Repeat(_) | Expr::Struct(_)) {
            let value = self.compound(referent, to)?;
            return Ok(if to.is_array() { value } else { prefixed("&", &value) });
        }
        let value = self.value(referent, Some(to))?;
        if to.is_array() {
            return Ok(self.passed(value, to));
        }
        if let Some(pointer) = &value.pointer {
            return Ok(Value::new(pointer.clone(), Binding::Postfix, ty.clone()));
        }
        if value.place {
            return Ok(prefixed("&", &value));
        }
        if self.symbols.record(to).is_some() {
            return Err(no_c(expr, "a structure is passed by the name of a local"));
        }
        let name = to.declare("", self.symbols.precision);
        Ok(Value::new(format!("&({name}){{{}}}", value.text), Binding::Unary, ty.clone())
            .made_from([&value]))
    }

    /// C99 passes an array of arrays that is `const` by a cast alone.
    fn passed(&self, value: Value, to: &Type) -> Value {
        if !(value.read_only && to.is_nested_array()) {
            return value;
        }
        let pointer = to.row_pointer(self.symbols.precision);
        let text = format!("({pointer}){}", value.at_least(Binding::Unary));
        Value::new(text, Binding::Unary, value.ty.clone()).made_from([&value])
    }

    /// `wrapping_add` and its like, which unsigned integers of C do anyway.
    fn wrapping(
        &self,
        call: &syn::ExprMethodCall,
        expected: Option<&Type>,
    ) -> Result<Value, Error> {
        let refused = || no_c(call, "no such method");
        let (operator, binding) = match call.method.to_string().as_str() {
            "wrapping_add" => ("+", Binding::Sum),
            "wrapping_sub" => ("-", Binding::Sum),
            "wrapping_mul" => ("*", Binding::Product),
            _ => return Err(refused()),
        };
        let argument = call.args.first().filter(|_| call.args.len() == 1).ok_or_else(refused)?;
        let left = widened(self.value(&call.receiver, expected)?);
        let right = self.value(argument, Some(&left.ty))?;
        match left.ty {
            Type::Integer(integer) if !integer.is_signed() => {
                let text = format!(
                    "{} {operator} {}",
                    left.as_left(operator, binding),
                    right.as_right(binding)
                );
                Ok(Value::new(text, binding, left.ty.clone()).made_from([&left, &right]))
            }
            _ => Err(refused()),
        }
    }

    /// `c ? a : b`
    fn conditional(&self, expr: &ExprIf, expected: Option<&Type>) -> Result<Value, Error> {
        let refused = || no_c(expr, "as part of an expression its branches must be expressions");
        let condition = self.value(&expr.cond, Some(&Type::Bool))?;
        let then = only_tail(&expr.then_branch).ok_or_else(refused)?;
        let (_, otherwise) = expr.else_branch.as_ref().ok_or_else(refused)?;
        let mut yes = self.value(then, expected)?;
        let known = (!yes.untyped).then(|| yes.ty.clone());
        let no = self.value(otherwise, known.as_ref().or(expected))?;
        if yes.untyped && !no.untyped {
            yes = self.value(then, Some(&no.ty))?;
        }
        if yes.ty.is_array() || yes.ty == Type::Unit {
            return Err(refused());
        }
        let text = format!(
            "{} ? {} : {}",
            condition.at_least(Binding::Or),
            yes.at_least(Binding::Or),
            no.text
        );
        let parts = [&condition, &yes, &no];
        let mut value = Value::new(text, Binding::Conditional, yes.ty.clone()).made_from(parts);
        value.untyped = yes.untyped && no.untyped;
        Ok(value)
    }
}

/// Rust evaluates arguments and elements in their order, C in any.
pub(super) fn check_sequence(code: &impl quote::ToTokens, values: &[Value]) -> Result<(), Error> {
    let free = values.iter().enumerate().any(|(i, value)| {
        value.mutates && values.iter().enumerate().any(|(j, other)| i != j && !other.fixed)
    });
    if free { Err(no_c(code, "C does not say which operand comes first")) } else { Ok(()) }
}

/// A tail that is all of a block.
pub(super) fn only_tail(block: &Block) -> Option<&Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(tail, None)] => Some(tail),
        _ => None,
    }
}

/// An expression without the parentheses around it.
pub(super) fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => peeled(&inner.expr),
        Expr::Group(inner) => peeled(&inner.expr),
        _ => expr,
    }
}

pub(super) fn element(base: &Value, at: &Value) -> Option<Value> {
    let Type::Array(ty, _) = base.ty.referent() else { return None };
    let text = format!("{}[{}]", base.at_least(Binding::Postfix), at.text);
    let mut value = Value::new(text, Binding::Postfix, (**ty).clone()).made_from([base, at]);
    value.place = true;
    value.read_only = base.read_only || base.ty.is_read_only();
    Some(value)
}

pub(super) fn nth(array: &Value, i: usize) -> Option<Value> {
    element(array, &Value::new(i.to_string(), Binding::Postfix, Type::USIZE).made_from([]))
}

fn dereferenced(value: &Value) -> Option<Value> {
    let Type::Reference { to, .. } = &value.ty else { return None };
    let mut place = Value::new(value.text.clone(), value.binding, (**to).clone());
    if !to.is_array() {
        place.text = format!("*{}", value.at_least(Binding::Unary));
        place.binding = Binding::Unary;
        place.pointer = Some(value.at_least(Binding::Postfix));
    }
    place.place = true;
    place.read_only = value.ty.is_read_only();
    Some(place)
}

fn prefixed(operator: &str, value: &Value) -> Value {
    let text = format!("{operator}{}", value.operand(operator));
    let mut result = Value::new(text, Binding::Unary, value.ty.clone()).made_from([value]);
    result.untyped = value.untyped;
    result
}

/// Bare literals of lengths are `int` in C, too narrow to shift.
fn widened(mut value: Value) -> Value {
    if value.fixed && !value.place && value.ty == Type::Integer(Integer::Usize) {
        value.text = format!("(size_t){}", value.at_least(Binding::Unary));
        value.binding = Binding::Unary;
    }
    value
}

fn called(name: &str, arguments: &[Value], output: Type) -> Value {
    let texts: Vec<_> = arguments.iter().map(|value| value.text.as_str()).collect();
    let text = format!("{name}({})", texts.join(", "));
    let mut value = Value::new(text, Binding::Postfix, output).made_from(arguments);
    value.fixed = false;
    value
}

/// Types agree if they are equal; what may be changed may also be read.
fn agrees(value: &Value, expected: &Type) -> bool {
    match (&value.ty, expected) {
        (Type::Reference { mutable: true, to }, Type::Reference { mutable: false, to: other }) => {
            to == other
        }
        (ty, _) => ty == expected,
    }
}

fn is_integer_literal(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
        Expr::Unary(unary) => is_integer_literal(&unary.expr),
        _ => false,
    }
}

pub(super) fn operator(op: &BinOp) -> Option<(&'static str, Binding)> {
    Some(match op {
        BinOp::Add(_) => ("+", Binding::Sum),
        BinOp::Sub(_) => ("-", Binding::Sum),
        BinOp::Mul(_) => ("*", Binding::Product),
        BinOp::Div(_) => ("/", Binding::Product),
        BinOp::Rem(_) => ("%", Binding::Product),
        BinOp::And(_) => ("&&", Binding::And),
        BinOp::Or(_) => ("||", Binding::Or),
        BinOp::BitXor(_) => ("^", Binding::BitXor),
        BinOp::BitAnd(_) => ("&", Binding::BitAnd),
        BinOp::BitOr(_) => ("|", Binding::BitOr),
        BinOp::Shl(_) => ("<<", Binding::Shift),
        BinOp::Shr(_) => (">>", Binding::Shift),
        BinOp::Eq(_) => ("==", Binding::Equality),
        BinOp::Ne(_) => ("!=", Binding::Equality),
        BinOp::Lt(_) => ("<", Binding::Relation),
        BinOp::Le(_) => ("<=", Binding::Relation),
        BinOp::Ge(_) => (">=", Binding::Relation),
        BinOp::Gt(_) => (">", Binding::Relation),
        _ => return None,
    })
}
