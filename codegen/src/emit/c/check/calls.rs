//! Calls of the file's functions and methods, and of Rust's own.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, Token};

use super::Checker;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::symbols::{Signature, key};
use crate::emit::c::tree::{Node, Tree};
use crate::emit::c::types::{Integer, Type};
use crate::emit::c::value::Binding;

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) -> Result<Tree, Error> {
        let Expr::Path(path) = &*call.func else {
            return Err(no_c(call, "only functions are called"));
        };
        let unknown = || no_c(&call.func, "no such function");
        let name = key(&path.path).ok_or_else(unknown)?;
        if let Some((ty, variant)) = self.variant(&name, None) {
            let value = self.expr(only(&call.args).ok_or_else(unknown)?)?;
            return self.made(call, ty, &variant, Some(value));
        }
        if let Some(signature) = self.symbols.functions.get(&name).cloned() {
            return self.called(call, name, &signature, None, &call.args);
        }
        let argument = only(&call.args).ok_or_else(unknown)?;
        match name.as_str() {
            "bits" => {
                let value = self.typed(argument, &Type::Real)?;
                Ok(library("bits_of", vec![value], self.symbols.bits()))
            }
            name if name.strip_suffix("from_bits").is_some_and(|start| {
                start.is_empty()
                    || start.strip_suffix("::").is_some_and(|ty| self.symbols.is_real(ty))
            }) =>
            {
                let value = self.typed(argument, &self.symbols.bits())?;
                Ok(library("real_of_bits", vec![value], Type::Real))
            }
            name if name.contains("::") => Err(unknown()),
            name => {
                let c_name = self.elementary(name).ok_or_else(unknown)?;
                let value = self.typed(argument, &Type::Real)?;
                Ok(library(&c_name, vec![value], Type::Real))
            }
        }
    }

    /// The function of C that does the same with a real.
    fn elementary(&self, name: &str) -> Option<String> {
        let name = match name {
            "abs" => "fabs",
            "exp_m1" => "expm1",
            "ln" => "log",
            "ln_1p" => "log1p",
            "sqrt" | "sin" | "cos" | "exp" | "floor" | "ceil" | "trunc" => name,
            _ => return None,
        };
        Some(format!("{name}{}", self.symbols.precision.c_suffix()))
    }

    fn called(
        &mut self,
        code: &impl quote::ToTokens,
        name: String,
        signature: &Signature,
        receiver: Option<Tree>,
        arguments: &Punctuated<Expr, Token![,]>,
    ) -> Result<Tree, Error> {
        if signature.parameters.len() != arguments.len() + usize::from(receiver.is_some()) {
            return Err(no_c(code, "another number of arguments is expected"));
        }
        let mut values: Vec<Tree> = receiver.into_iter().collect();
        for (argument, ty) in arguments.iter().zip(&signature.parameters[values.len()..]) {
            values.push(self.typed(argument, ty)?);
        }
        self.ordered(&values, code)?;
        // An array is passed by its place, which the call must not change.
        let passed = |i: usize, such: &dyn Fn(&Type) -> bool| such(&signature.parameters[i]);
        for (i, copied) in values.iter().enumerate().filter(|(i, _)| passed(*i, &Type::is_array)) {
            let mut changed =
                values.iter().enumerate().filter(|(j, _)| passed(*j, &Type::is_changed));
            if changed.any(|(j, place)| i != j && place.root().is_some_and(|x| copied.mentions(x)))
            {
                return Err(no_c(code, "an argument changes an array that is another"));
            }
        }
        Ok(Tree::new(Node::Call(name, values), signature.output.clone()))
    }

    /// Where a method is not the file's own, it is one of Rust's.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Result<Tree, Error> {
        let receiver = self.expr(&call.receiver)?;
        let shape = match receiver.ty.referent() {
            ty @ Type::Named(_) => self.symbols.shape(ty),
            _ => None,
        };
        let name =
            shape.and_then(|shape| Some(format!("{}::{}", shape.name.as_ref()?, call.method)));
        let signature = name.as_ref().and_then(|name| self.symbols.functions.get(name)).cloned();
        let Some((name, signature)) = name.zip(signature.filter(|s| s.is_method)) else {
            return self.builtin(call, receiver.referent());
        };
        let receiver = match (&signature.parameters[0], &receiver.ty) {
            (Type::Reference { .. }, Type::Reference { .. }) => receiver,
            (Type::Reference { mutable, .. }, _) => receiver.reference(*mutable),
            _ => receiver.referent(),
        };
        self.called(call, name, &signature, Some(receiver), &call.args)
    }

    fn builtin(&mut self, call: &ExprMethodCall, value: Tree) -> Result<Tree, Error> {
        let refused = || no_c(call, "no such method");
        let (name, ty) = (call.method.to_string(), value.ty.clone());
        let argument = only(&call.args);
        if argument.is_none() && !call.args.is_empty() {
            return Err(refused());
        }
        let test = |name: &str, value| {
            let int = Type::Integer(Integer::I32);
            let zero = Tree::text("0", int.clone());
            let pair = [library(name, vec![value], int), zero];
            Tree::infix("!=", Binding::Equality, pair, Type::Bool)
        };
        match (name.as_str(), &ty, argument) {
            ("unwrap_or", Type::Option(inner), Some(other)) => {
                let other = self.typed(other, inner)?;
                self.ordered(&[value.clone(), other.clone()], call)?;
                self.value_or(value, other)
            }
            (name, Type::Integer(integer), Some(other)) if !integer.is_signed() => {
                let (operator, binding) = match name {
                    "wrapping_add" => ("+", Binding::Sum),
                    "wrapping_sub" => ("-", Binding::Sum),
                    "wrapping_mul" => ("*", Binding::Product),
                    _ => return Err(refused()),
                };
                let pair = [value, self.typed(other, &ty)?];
                self.ordered(&pair, call)?;
                Ok(Tree::infix(operator, binding, pair, ty))
            }
            ("to_bits", Type::Real, None) => {
                Ok(library("bits_of", vec![value], self.symbols.bits()))
            }
            ("is_finite", Type::Real, None) => Ok(test("isfinite", value)),
            ("is_nan", Type::Real, None) => Ok(test("isnan", value)),
            (name, Type::Real, None) => {
                let c_name = self.elementary(name).ok_or_else(refused)?;
                Ok(library(&c_name, vec![value], Type::Real))
            }
            ("is_some" | "is_none" | "is_ok" | "is_err", ty, None) => {
                let variant = match name.as_str() {
                    "is_some" => "Some",
                    "is_none" => "None",
                    "is_ok" => "Ok",
                    _ => "Err",
                };
                let kind = self.symbols.kind(ty).ok_or_else(refused)?;
                Ok(kind.variant(variant).ok_or_else(refused)?.test(value))
            }
            _ => Err(refused()),
        }
    }

    /// The value in an `Option`, or another, which Rust computes anyway.
    fn value_or(&mut self, option: Tree, other: Tree) -> Result<Tree, Error> {
        let mut statements = Vec::new();
        let simple = match &other.node {
            Node::Integer { .. } | Node::Text(_) => true,
            Node::Prefix(_, inner) => matches!(inner.node, Node::Integer { .. } | Node::Text(_)),
            _ => other.is_steady(),
        };
        let option = self.placed("value", option, &mut statements);
        let other = if simple { other } else { self.kept("value", other, &mut statements) };
        let ty = other.ty.clone();
        let holds = option.clone().member("some", Type::Bool);
        let pair = Box::new([holds, option.member("value", ty.clone())]);
        let either = Tree::new(Node::If(pair, Some(Box::new(other))), ty);
        Ok(Tree::block(statements, Some(either)))
    }
}

/// The argument of a call with one.
fn only(arguments: &Punctuated<Expr, Token![,]>) -> Option<&Expr> {
    arguments.first().filter(|_| arguments.len() == 1)
}

fn library(name: &str, arguments: Vec<Tree>, ty: Type) -> Tree {
    Tree::new(Node::Library(name.to_owned(), arguments), ty)
}
