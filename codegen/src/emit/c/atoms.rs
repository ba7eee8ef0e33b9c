//! Literals, names, and what braces initialise.

use syn::{Expr, ExprPath, ExprRepeat, ExprStruct, Lit, LitFloat, LitInt, Member};

use super::expressions::{check_sequence, nth, only_tail, peeled};
use super::function::Function;
use super::no_c;
use super::types::{Integer, Type};
use super::value::{Binding, Value};
use crate::{Error, Precision};

/// Most elements of an array variable that are named in braces.
const MOST_ELEMENTS: usize = 16;

/// Longest text of equal elements in braces.
const MOST_TEXT: usize = 80;

impl Function<'_> {
    pub(super) fn literal(&self, literal: &Lit, expected: Option<&Type>) -> Result<Value, Error> {
        let mut value = match literal {
            Lit::Float(float) => Value::new(self.float(float)?, Binding::Postfix, Type::Real),
            Lit::Int(integer) => self.integer(integer, expected)?,
            Lit::Bool(truth) => Value::new(truth.value.to_string(), Binding::Postfix, Type::Bool),
            _ => return Err(no_c(literal, "no such literal")),
        };
        value.fixed = true;
        Ok(value)
    }

    /// C, like Rust, rounds a decimal to the nearest number of its type.
    fn float(&self, literal: &LitFloat) -> Result<String, Error> {
        let digits = literal.base10_digits();
        let suffix = self.symbols.precision.c_suffix();
        let rounded = match self.symbols.precision {
            Precision::F64 => digits.parse::<f64>().ok(),
            Precision::F32 => digits.parse::<f32>().ok().map(f64::from),
        };
        match rounded {
            Some(0.0) => Ok(format!("0.0{suffix}")),
            Some(x) if x.is_finite() => {
                let point = if digits.contains(['.', 'e', 'E']) { "" } else { ".0" };
                Ok(format!("{digits}{point}{suffix}"))
            }
            _ => Err(no_c(literal, "out of range")),
        }
    }

    fn integer(&self, literal: &LitInt, expected: Option<&Type>) -> Result<Value, Error> {
        let suffix = literal.suffix();
        let ty = match (Integer::of_name(suffix), expected) {
            (Some(integer), _) => integer,
            (None, Some(Type::Integer(integer))) if suffix.is_empty() => *integer,
            (None, _) if suffix.is_empty() => Integer::Usize,
            _ => return Err(no_c(literal, "no such type")),
        };
        let decimal = literal.base10_digits();
        let (sign, decimal) = decimal.strip_prefix('-').map_or(("", decimal), |d| ("-", d));
        let value = decimal.parse::<u64>().map_err(|_| no_c(literal, "out of range"))?;
        let written = literal.to_string().replace('_', "");
        let digits = match written.strip_prefix("0x") {
            Some(digits) => format!("0x{}", digits.trim_end_matches(suffix)),
            None => decimal.to_owned(),
        };
        let text = format!("{sign}{}", ty.literal(&digits, value));
        let binding = if text.starts_with(['(', '-']) { Binding::Unary } else { Binding::Postfix };
        let mut value = Value::new(text, binding, Type::Integer(ty));
        value.untyped = suffix.is_empty() && expected.is_none();
        Ok(value)
    }

    pub(super) fn path(&self, path: &ExprPath) -> Result<Value, Error> {
        let unknown = || no_c(path, "no such name");
        let segments: Vec<_> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        match &segments[..] {
            [name] => self.name(name).ok_or_else(unknown),
            [ty, name] => self.associated(ty, name).ok_or_else(unknown),
            _ => Err(unknown()),
        }
    }

    fn name(&self, name: &str) -> Option<Value> {
        if let Some(local) = self.scope.find(name) {
            let mut value = Value::new(&local.c_name, Binding::Postfix, local.ty.clone());
            value.place = true;
            value.fixed = !local.mutable && !matches!(local.ty, Type::Reference { .. });
            return Some(value);
        }
        let constant = self.symbols.constants.get(name)?;
        let mut value = Value::new(&constant.c_name, Binding::Postfix, constant.ty.clone());
        value.fixed = true;
        value.place = !constant.is_macro;
        value.read_only = true;
        Some(value)
    }

    /// A variant, or a constant of a number type.
    fn associated(&self, ty: &str, name: &str) -> Option<Value> {
        if let Some(enumeration) = self.symbols.enumerations.get(ty) {
            let (_, c_name) = enumeration.variants.iter().find(|(variant, _)| variant == name)?;
            let ty = Type::Named(enumeration.c_name.clone());
            return Some(Value::new(c_name, Binding::Postfix, ty).made_from([]));
        }
        let limits = match self.symbols.precision {
            Precision::F64 => "DBL",
            Precision::F32 => "FLT",
        };
        let (text, ty) = match (ty, name) {
            ("Real" | "f64" | "f32", "INFINITY") => ("INFINITY".to_owned(), Type::Real),
            ("Real" | "f64" | "f32", "NAN") => ("NAN".to_owned(), Type::Real),
            ("Real" | "f64" | "f32", "EPSILON") => (format!("{limits}_EPSILON"), Type::Real),
            ("Real" | "f64" | "f32", "MAX") => (format!("{limits}_MAX"), Type::Real),
            ("Real" | "f64" | "f32", "MIN_POSITIVE") => (format!("{limits}_MIN"), Type::Real),
            ("Bits", "MAX") => match self.symbols.bits() {
                Type::Integer(bits) => (bits.c_max().to_owned(), Type::Integer(bits)),
                _ => return None,
            },
            (ty, "MAX") => {
                let integer = Integer::of_name(ty)?;
                (integer.c_max().to_owned(), Type::Integer(integer))
            }
            _ => return None,
        };
        Some(Value::new(text, Binding::Postfix, ty).made_from([]))
    }

    pub(super) fn record_type(&self, literal: &ExprStruct) -> Result<Type, Error> {
        let name = literal.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match self.symbols.records.get(&name) {
            Some(record) if literal.rest.is_none() && literal.qself.is_none() => {
                Ok(Type::Named(record.c_name.clone()))
            }
            _ => Err(no_c(literal, "no such structure")),
        }
    }

    /// An array or a structure in the middle of an expression.
    pub(super) fn compound(&self, expr: &Expr, ty: &Type) -> Result<Value, Error> {
        let braces = self
            .braces(expr, ty)?
            .ok_or_else(|| no_c(expr, "as part of an expression its parts must be expressions"))?;
        let name = ty.declare("", self.symbols.precision);
        let text = format!("({name}){}", braces.text);
        Ok(Value::new(text, Binding::Postfix, ty.clone()).made_from([&braces]))
    }

    /// What initialises a variable of this type, if one expression can.
    pub(super) fn initialiser(&self, expr: &Expr, ty: &Type) -> Result<Option<Value>, Error> {
        match peeled(expr) {
            expr @ (Expr::Array(_) | Expr::Repeat(_) | Expr::Struct(_)) => self.braces(expr, ty),
            _ if ty.is_array() => Ok(None),
            expr if !is_expression(expr) => Ok(None),
            expr => self.value(expr, Some(ty)).map(Some),
        }
    }

    /// What initialises a part of a variable: a short array by its elements.
    fn part(&self, expr: &Expr, ty: &Type) -> Result<Option<Value>, Error> {
        let value = self.initialiser(expr, ty)?;
        let literal = matches!(peeled(expr), Expr::Array(_) | Expr::Repeat(_));
        if value.is_some() || literal || !ty.is_array() || !is_expression(expr) {
            return Ok(value);
        }
        let array = self.value(expr, Some(ty))?;
        Ok(if ty.count() <= MOST_ELEMENTS { elements(&array) } else { None })
    }

    fn braces(&self, expr: &Expr, ty: &Type) -> Result<Option<Value>, Error> {
        let parts: Option<Vec<(String, Value)>> = match (expr, ty) {
            (Expr::Array(array), Type::Array(element, length)) => {
                if array.elems.len() != length.value {
                    return Err(no_c(expr, format!("{} elements are expected", length.value)));
                }
                let parts = array.elems.iter().map(|e| self.part(e, element));
                let parts = parts.collect::<Result<Option<Vec<_>>, _>>()?;
                parts.map(|parts| parts.into_iter().map(|part| (String::new(), part)).collect())
            }
            (Expr::Repeat(repeat), Type::Array(element, _)) => {
                self.repeated(repeat, element, ty)?
            }
            (Expr::Struct(literal), ty) => {
                if self.record_type(literal)? != *ty {
                    return Err(no_c(expr, format!("its type is not {ty:?}")));
                }
                self.designated(literal, ty)?
            }
            _ => return Err(no_c(expr, format!("its type is not {ty:?}"))),
        };
        let Some(parts) = parts else { return Ok(None) };
        let (names, values): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        check_sequence(expr, &values)?;
        let texts: Vec<_> = names
            .iter()
            .zip(&values)
            .map(|(name, value)| format!("{name}{}", value.text))
            .collect();
        let text = format!("{{{}}}", texts.join(", "));
        Ok(Some(Value::new(text, Binding::Postfix, ty.clone()).made_from(&values)))
    }

    /// Zeros of any number, since what braces leave out is zero; few of others.
    fn repeated(
        &self,
        repeat: &ExprRepeat,
        element: &Type,
        ty: &Type,
    ) -> Result<Option<Vec<(String, Value)>>, Error> {
        let length = self.symbols.length(&repeat.len)?;
        if !matches!(ty, Type::Array(_, expected) if *expected == length) {
            return Err(no_c(repeat, format!("its type is not {ty:?}")));
        }
        let Some(value) = self.part(&repeat.expr, element)? else { return Ok(None) };
        let zero = value.text.trim_matches(['{', '}']);
        let count = match zero {
            "0" | "0U" | "UINT64_C(0)" | "INT64_C(0)" | "0.0" | "0.0f" | "false" => 1,
            _ if !self.has_body => length.value,
            text if length.value * text.len() <= MOST_TEXT && value.fixed => length.value,
            _ => return Ok(None),
        };
        Ok(Some(vec![(String::new(), value); count]))
    }

    fn designated(
        &self,
        literal: &ExprStruct,
        ty: &Type,
    ) -> Result<Option<Vec<(String, Value)>>, Error> {
        let parts = self.assigned_fields(literal, ty)?.into_iter().map(|(name, ty, expr)| {
            let value = self.part(expr, &ty)?;
            Ok(value.map(|value| (format!(".{name} = "), value)))
        });
        parts.collect()
    }

    /// The fields that a literal sets, by their names in C, as it sets them.
    pub(super) fn assigned_fields<'e>(
        &self,
        literal: &'e ExprStruct,
        ty: &Type,
    ) -> Result<Vec<(String, Type, &'e Expr)>, Error> {
        let record = self.symbols.record(ty).ok_or_else(|| no_c(literal, "no such structure"))?;
        let all = literal.fields.len() == record.fields.len();
        let fields = literal.fields.iter().map(|field| {
            let Member::Named(name) = &field.member else { return None };
            let (_, known) = record.fields.iter().find(|(n, _)| name == n)?;
            Some((known.c_name.clone(), known.ty.clone(), &field.expr))
        });
        let fields = fields.collect::<Option<Vec<_>>>().filter(|_| all);
        fields.ok_or_else(|| no_c(literal, "other fields are expected"))
    }
}

/// `{a[0], a[1]}`
fn elements(array: &Value) -> Option<Value> {
    let Type::Array(_, length) = &array.ty else { return Some(array.clone()) };
    let parts = (0..length.value).map(|i| nth(array, i).and_then(|part| elements(&part)));
    let parts = parts.collect::<Option<Vec<_>>>()?;
    let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
    let text = format!("{{{}}}", texts.join(", "));
    Some(Value::new(text, Binding::Postfix, array.ty.clone()).made_from(&parts))
}

/// Whether an expression has no statements in it where a value is decided.
fn is_expression(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::If(conditional) => {
            let then = only_tail(&conditional.then_branch);
            let otherwise = conditional.else_branch.as_ref().map(|(_, expr)| &**expr);
            then.is_some_and(is_expression) && otherwise.is_some_and(is_expression)
        }
        Expr::Block(block) => only_tail(&block.block).is_some_and(is_expression),
        Expr::Match(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => false,
        Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => false,
        _ => true,
    }
}
