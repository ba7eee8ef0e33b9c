//! Calls of the file's functions and methods, and of Rust's own.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, Token};

use super::Checker;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::symbols::{Signature, key};
use crate::emit::c::tree::{Node, Statement, Tree};
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
            let values = call.args.iter().map(|value| self.expr(value));
            let values = values.collect::<Result<_, _>>()?;
            return self.made(call, ty, &variant, values);
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
        let name = call.method.to_string();
        let ty = value.ty.clone();
        const BINARY: [&str; 7] =
            ["min", "max", "copysign", "wrapping_add", "wrapping_sub", "wrapping_mul", "unwrap_or"];
        if let Some(argument) = only(&call.args).filter(|_| BINARY.contains(&name.as_str())) {
            if let Type::Option(inner) = &ty {
                let other = self.typed(argument, inner)?;
                return if name == "unwrap_or" {
                    self.value_or(value, other)
                } else {
                    Err(refused())
                };
            }
            let other = self.typed(argument, &ty)?;
            let pair = [value, other];
            return match (name.as_str(), &ty) {
                ("min", Type::Real | Type::Integer(_)) => Ok(extreme("<", pair, ty)),
                ("max", Type::Real | Type::Integer(_)) => Ok(extreme(">", pair, ty)),
                ("copysign", Type::Real) => {
                    let name = format!("copysign{}", self.symbols.precision.c_suffix());
                    Ok(library(&name, pair.into(), ty))
                }
                (_, Type::Integer(integer)) if !integer.is_signed() => {
                    let (operator, binding) = match name.as_str() {
                        "wrapping_add" => ("+", Binding::Sum),
                        "wrapping_sub" => ("-", Binding::Sum),
                        "wrapping_mul" => ("*", Binding::Product),
                        _ => return Err(refused()),
                    };
                    Ok(Tree::infix(operator, binding, pair, ty))
                }
                _ => Err(refused()),
            };
        }
        if !call.args.is_empty() {
            return Err(refused());
        }
        let test = |name: &str, value| {
            let int = Type::Integer(Integer::I32);
            let zero = Tree::text("0", int.clone());
            let pair = [library(name, vec![value], int), zero];
            Tree::infix("!=", Binding::Equality, pair, Type::Bool)
        };
        match (name.as_str(), &ty) {
            ("to_bits", Type::Real) => Ok(library("bits_of", vec![value], self.symbols.bits())),
            ("is_finite", Type::Real) => Ok(test("isfinite", value)),
            ("is_nan", Type::Real) => Ok(test("isnan", value)),
            ("is_sign_negative", Type::Real) => Ok(test("signbit", value)),
            (name, Type::Real) => {
                let c_name = self.elementary(name).ok_or_else(refused)?;
                Ok(library(&c_name, vec![value], Type::Real))
            }
            ("is_some" | "is_none" | "is_ok" | "is_err", ty) => {
                let variant = match name.as_str() {
                    "is_some" => "Some",
                    "is_none" => "None",
                    "is_ok" => "Ok",
                    _ => "Err",
                };
                let kind = self.symbols.kind(ty).ok_or_else(refused)?;
                let mark = kind.variant(variant).ok_or_else(refused)?.mark.clone();
                Ok(Tree::new(Node::Marked(Box::new(value), mark), Type::Bool))
            }
            _ => Err(refused()),
        }
    }

    /// What an `Option` has in it, or another value, which Rust computes anyway.
    fn value_or(&mut self, option: Tree, other: Tree) -> Result<Tree, Error> {
        let mut statements = Vec::new();
        let simple = match &other.node {
            Node::Integer { .. } | Node::Text(_) => true,
            Node::Prefix(_, inner) => matches!(inner.node, Node::Integer { .. } | Node::Text(_)),
            _ => other.is_steady(),
        };
        let (option, other) = match simple {
            true => (self.placed("value", option, &mut statements), other),
            false => {
                let mut kept = |tree: Tree| {
                    let id = self.hidden("value", tree.ty.clone(), false);
                    statements.push(Statement::Let(id, Some(tree)));
                    self.local(id)
                };
                (kept(option), kept(other))
            }
        };
        let ty = other.ty.clone();
        let mark = crate::emit::c::shapes::Mark::Flag("some", true);
        let holds = Tree::new(Node::Marked(Box::new(option.clone()), mark), Type::Bool);
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

fn extreme(operator: &'static str, pair: [Tree; 2], ty: Type) -> Tree {
    Tree::new(Node::Extreme(operator, Box::new(pair)), ty)
}
