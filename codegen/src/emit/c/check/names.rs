//! Literals and names.

use syn::{ExprPath, Lit, LitFloat, LitInt};

use super::Checker;
use crate::emit::c::no_c;
use crate::emit::c::shapes::{Kind, Variant};
use crate::emit::c::symbols::key;
use crate::emit::c::tree::{Node, Tree};
use crate::emit::c::types::{Integer, Type};
use crate::{Error, Precision};

impl Checker<'_> {
    pub(super) fn literal(&mut self, literal: &Lit) -> Result<Tree, Error> {
        match literal {
            Lit::Float(float) => Ok(Tree::text(self.float(float)?, Type::Real)),
            Lit::Int(integer) => self.integer(integer),
            Lit::Bool(truth) => Ok(Tree::text(truth.value.to_string(), Type::Bool)),
            _ => Err(no_c(literal, "no such literal")),
        }
    }

    /// C, like Rust, rounds a decimal to the nearest number of its type.
    fn float(&self, literal: &LitFloat) -> Result<String, Error> {
        if !literal.suffix().is_empty() && !self.symbols.is_real(literal.suffix()) {
            return Err(no_c(literal, "of another precision"));
        }
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

    fn integer(&mut self, literal: &LitInt) -> Result<Tree, Error> {
        let suffix = literal.suffix();
        let ty = match Integer::of_name(suffix) {
            Some(integer) => Type::Integer(integer),
            None if suffix.is_empty() => self.fresh(true),
            None => return Err(no_c(literal, "no such type")),
        };
        let decimal = literal.base10_digits();
        let (negative, decimal) = decimal.strip_prefix('-').map_or((false, decimal), |d| (true, d));
        let value = decimal.parse::<u64>().map_err(|_| no_c(literal, "out of range"))?;
        let written = literal.to_string().replace('_', "");
        let digits = match written.strip_prefix("0x") {
            Some(digits) => format!("0x{}", digits.trim_end_matches(suffix)),
            None => decimal.to_owned(),
        };
        let number = Tree::new(Node::Integer { digits, value }, ty.clone());
        Ok(match negative {
            true => Tree::new(Node::Prefix("-", Box::new(number)), ty),
            false => number,
        })
    }

    pub(super) fn path(&mut self, path: &ExprPath) -> Result<Tree, Error> {
        let unknown = || no_c(path, "no such name");
        let name = key(&path.path).ok_or_else(unknown)?;
        if let Some((_, place)) = self.scope.iter().rev().find(|(local, _)| *local == name) {
            let place = place.clone();
            if let Node::Local(id) = place.node {
                self.locals[id].uses += 1;
            }
            return Ok(place);
        }
        if let Some(constant) = self.symbols.constants.get(&name) {
            return Ok(Tree::new(Node::Constant(name), constant.ty.clone()));
        }
        if let Some((ty, variant)) = self.variant(&name, None) {
            return self.made(path, ty, &variant, None);
        }
        let (owner, name) = name.split_once("::").ok_or_else(unknown)?;
        self.label(owner, name).or_else(|| self.limit(owner, name)).ok_or_else(unknown)
    }

    /// A variant of an enumeration.
    fn label(&self, owner: &str, name: &str) -> Option<Tree> {
        let shape = self.symbols.declared(owner)?;
        let Kind::Enumeration(variants) = &shape.kind else { return None };
        let (_, label) = variants.iter().find(|(variant, _)| variant == name)?;
        Some(Tree::text(label, shape.ty.clone()))
    }

    /// The variant of `Option` or `Result` that has this name, and its type, which
    /// what is known of it may restrict.
    pub(super) fn variant(&mut self, name: &str, known: Option<&Type>) -> Option<(Type, Variant)> {
        let ty = match (name, known) {
            ("Some" | "None" | "Ok" | "Err", Some(known)) => known.clone(),
            ("Some" | "None", None) => Type::Option(Box::new(self.fresh(false))),
            ("Ok" | "Err", None) => {
                let [value, error] = [self.fresh(false), self.fresh(false)].map(Box::new);
                Type::Result(value, error)
            }
            _ => return None,
        };
        let variant = self.symbols.kind(&ty)?.variant(name)?.clone();
        Some((ty, variant))
    }

    /// A constant of a number type.
    fn limit(&self, ty: &str, name: &str) -> Option<Tree> {
        let (limits, double) = match self.symbols.precision {
            Precision::F64 => ("DBL", "(double)"),
            Precision::F32 => ("FLT", ""),
        };
        let integer = match ty {
            "Bits" => Some(self.symbols.bits()),
            ty => Integer::of_name(ty).map(Type::Integer),
        };
        let real = self.symbols.is_real(ty);
        let (text, ty) = match (integer, name) {
            (Some(Type::Integer(integer)), "MAX") => (integer.c_max(), Type::Integer(integer)),
            (None, "INFINITY" | "NAN") if real => (format!("{double}{name}"), Type::Real),
            (None, "EPSILON" | "MAX") if real => (format!("{limits}_{name}"), Type::Real),
            (None, "MIN_POSITIVE") if real => (format!("{limits}_MIN"), Type::Real),
            _ => return None,
        };
        Some(Tree::text(text, ty))
    }
}
