//! Rust's expressions as trees of the core, with the types that Rust infers.
//! What is outside of the printed part of Rust is refused here.

mod aggregates;
mod branches;
mod calls;
mod loops;
mod names;
mod operators;
mod patterns;
mod statements;

use syn::{Expr, FnArg, Pat};

use super::inventory::Routine;
use super::no_c;
use super::symbols::Symbols;
use super::tree::{Id, Local, Node, Statement, Tree};
use super::types::{Integer, Type};
use crate::Error;

/// A function's parameters and body, or a constant's value.
pub(super) struct Checked {
    pub(super) locals: Vec<Local>,
    pub(super) parameters: Vec<Id>,
    pub(super) body: Tree,
}

/// A type that is not yet known.
struct Unknown {
    integer: bool,
    known: Option<Type>,
}

pub(super) struct Checker<'a> {
    symbols: &'a Symbols<'a>,
    /// Names, and the locals or the places that they stand for.
    scope: Vec<(String, Tree)>,
    locals: Vec<Local>,
    unknown: Vec<Unknown>,
    output: Type,
    /// Whether a `break` has left the loop around since this was last unset.
    leaves: bool,
}

impl<'a> Checker<'a> {
    fn new(symbols: &'a Symbols<'a>, output: Type) -> Self {
        Self {
            symbols,
            scope: Vec::new(),
            locals: Vec::new(),
            unknown: Vec::new(),
            output,
            leaves: false,
        }
    }

    pub(super) fn constant(
        symbols: &'a Symbols<'a>,
        expr: &Expr,
        ty: &Type,
    ) -> Result<Checked, Error> {
        let mut checker = Self::new(symbols, Type::Unit);
        let value = checker.typed(expr, ty)?;
        checker.finished(value, Vec::new(), expr)
    }

    pub(super) fn function(symbols: &'a Symbols<'a>, item: &Routine) -> Result<Checked, Error> {
        let signature = symbols.functions.get(&item.name);
        let signature = signature.ok_or_else(|| no_c(item.sig, "unknown"))?;
        let mut checker = Self::new(symbols, signature.output.clone());
        let mut parameters = Vec::new();
        for (input, ty) in item.sig.inputs.iter().zip(&signature.parameters) {
            let (name, mutable) = match input {
                FnArg::Receiver(receiver) => ("self".to_owned(), receiver.mutability.is_some()),
                FnArg::Typed(input) => match &*input.pat {
                    Pat::Wild(_) => ("unused".to_owned(), false),
                    Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                        (name.ident.to_string(), name.mutability.is_some())
                    }
                    pattern => return Err(no_c(pattern, "a parameter has a name")),
                },
            };
            parameters.push(checker.visible(&name, ty.clone(), mutable));
        }
        let body = checker.block(item.block, false)?;
        checker.fit(&body, &signature.output, item.sig)?;
        checker.finished(body, parameters, item.sig)
    }

    /// Integers of any type are `i32`, as in Rust.
    fn finished(
        mut self,
        mut body: Tree,
        parameters: Vec<Id>,
        code: &impl quote::ToTokens,
    ) -> Result<Checked, Error> {
        for unknown in &mut self.unknown {
            if unknown.known.is_none() && unknown.integer {
                unknown.known = Some(Type::Integer(Integer::I32));
            }
        }
        self.settle(&mut body);
        let mut locals = std::mem::take(&mut self.locals);
        locals.iter_mut().for_each(|local| local.ty = self.resolved(&local.ty));
        let vague = |ty: &Type| matches!(ty, Type::Unknown(_));
        let shifted = |tree: &Tree| match (&tree.node, &tree.ty) {
            (Node::Infix("<<", ..), Type::Integer(integer)) => integer.is_signed(),
            _ => false,
        };
        if body.any(&shifted) {
            return Err(no_c(code, "C does not shift signed numbers to the left"));
        }
        if body.any(&|tree| has(&tree.ty, &vague)) || locals.iter().any(|l| has(&l.ty, &vague)) {
            return Err(no_c(code, "a type must be written"));
        }
        let pointer = |ty: &Type| matches!(ty, Type::Reference { .. });
        let made = |tree: &Tree| !matches!(tree.node, Node::Local(_) | Node::Reference(_));
        let mut kept = locals.iter().skip(parameters.len());
        if kept.any(|local| pointer(&local.ty)) || body.any(&|t| pointer(&t.ty) && made(t)) {
            return Err(no_c(code, "a reference is a parameter or the name of one place"));
        }
        Ok(Checked { locals, parameters, body })
    }

    fn settle(&self, tree: &mut Tree) {
        tree.ty = self.resolved(&tree.ty);
        tree.parts_mut().into_iter().for_each(|part| self.settle(part));
    }

    fn fresh(&mut self, integer: bool) -> Type {
        self.unknown.push(Unknown { integer, known: None });
        Type::Unknown(self.unknown.len() - 1)
    }

    fn resolved(&self, ty: &Type) -> Type {
        let inner = |ty: &Type| Box::new(self.resolved(ty));
        match ty {
            Type::Unknown(i) => match self.unknown.get(*i).and_then(|u| u.known.as_ref()) {
                Some(known) => self.resolved(known),
                None => ty.clone(),
            },
            Type::Option(value) => Type::Option(inner(value)),
            Type::Result(value, error) => Type::Result(inner(value), inner(error)),
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|p| self.resolved(p)).collect()),
            Type::Array(element, length) => Type::Array(inner(element), length.clone()),
            Type::Reference { mutable, to } => Type::Reference { mutable: *mutable, to: inner(to) },
            ty => ty.clone(),
        }
    }

    /// Makes two types one, if they can be.
    fn unify(&mut self, left: &Type, right: &Type) -> bool {
        match (self.resolved(left), self.resolved(right)) {
            (left, right) if left == right => true,
            (Type::Unknown(i), other) | (other, Type::Unknown(i)) => {
                let integer = self.unknown[i].integer;
                match &other {
                    Type::Unknown(j) => self.unknown[*j].integer |= integer,
                    Type::Integer(_) => {}
                    _ if integer => return false,
                    _ => {}
                }
                self.unknown[i].known = Some(other);
                true
            }
            (Type::Option(x), Type::Option(y)) => self.unify(&x, &y),
            (Type::Result(x, e), Type::Result(y, f)) => self.unify(&x, &y) && self.unify(&e, &f),
            (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                x.iter().zip(&y).all(|(x, y)| self.unify(x, y))
            }
            (Type::Array(x, m), Type::Array(y, n)) => m == n && self.unify(&x, &y),
            (Type::Reference { mutable, to }, Type::Reference { mutable: other, to: y }) => {
                mutable == other && self.unify(&to, &y)
            }
            _ => false,
        }
    }

    /// Refuses a value that is not of a type. What may be changed may be read.
    fn fit(&mut self, tree: &Tree, ty: &Type, code: &impl quote::ToTokens) -> Result<(), Error> {
        let (found, expected) = (self.resolved(&tree.ty), self.resolved(ty));
        let fits = match (&found, &expected) {
            (Type::Never, _) => true,
            (
                Type::Reference { mutable: true, to },
                Type::Reference { mutable: false, to: other },
            ) => self.unify(to, other),
            _ => self.unify(&found, &expected),
        };
        match fits {
            true => Ok(()),
            false => Err(no_c(code, format!("its type is not {expected:?} but {found:?}"))),
        }
    }

    fn typed(&mut self, expr: &Expr, ty: &Type) -> Result<Tree, Error> {
        let tree = self.expr(expr)?;
        self.fit(&tree, ty, expr)?;
        Ok(tree)
    }

    /// A local that is not visible by its name.
    fn hidden(&mut self, name: &str, ty: Type, mutable: bool) -> Id {
        self.locals.push(Local { name: name.to_owned(), ty, mutable, uses: 0 });
        self.locals.len() - 1
    }

    fn visible(&mut self, name: &str, ty: Type, mutable: bool) -> Id {
        let id = self.hidden(name, ty.clone(), mutable);
        self.scope.push((name.to_owned(), Tree::local(id, ty)));
        id
    }

    fn local(&mut self, id: Id) -> Tree {
        self.locals[id].uses += 1;
        Tree::local(id, self.locals[id].ty.clone())
    }

    /// A value as a place: itself, or a local that keeps it.
    fn placed(&mut self, name: &str, tree: Tree, statements: &mut Vec<Statement>) -> Tree {
        match (tree.is_steady(), tree.ty.is_changed(), tree.node) {
            (true, _, node) => Tree { node, ty: tree.ty },
            (false, mutable, Node::Reference(inner)) => {
                self.kept(name, *inner, statements).reference(mutable)
            }
            (false, _, node) => self.kept(name, Tree { node, ty: tree.ty }, statements),
        }
    }

    /// A local that keeps a value.
    fn kept(&mut self, name: &str, tree: Tree, statements: &mut Vec<Statement>) -> Tree {
        let id = self.hidden(name, tree.ty.clone(), false);
        statements.push(Statement::Let(id, Some(tree)));
        self.local(id)
    }

    /// Refuses operands of which one changes what another reads: C does not say
    /// which it computes first.
    fn ordered(&self, operands: &[Tree], code: &impl quote::ToTokens) -> Result<(), Error> {
        let changed: Vec<_> = operands.iter().map(|tree| tree.changed(self.symbols)).collect();
        for (i, changed) in changed.iter().enumerate().filter(|(_, changed)| !changed.is_empty()) {
            let reads = |tree: &Tree| changed.iter().any(|id| tree.mentions(*id));
            let others = operands.iter().enumerate().filter(|(j, _)| *j != i);
            if others.into_iter().any(|(j, other)| reads(other) || j > i && other.leaves()) {
                return Err(no_c(code, "C does not say which operand comes first"));
            }
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr) -> Result<Tree, Error> {
        let tree = match expr {
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Path(path) => self.path(path),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(index),
            Expr::Reference(reference) => {
                let inner = self.expr(&reference.expr)?;
                Ok(inner.reference(reference.mutability.is_some()))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::Macro(invocation) => self.invocation(&invocation.mac),
            Expr::Array(_) | Expr::Repeat(_) | Expr::Struct(_) | Expr::Tuple(_) => {
                self.aggregate(expr)
            }
            Expr::Try(attempt) => self.attempt(attempt),
            Expr::If(conditional) => self.conditional(conditional),
            Expr::Match(matching) => self.matching(matching),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block, true),
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => self.looping(expr),
            Expr::Return(result) => {
                let output = self.output.clone();
                let value = match &result.expr {
                    Some(value) => Some(Box::new(self.typed(value, &output)?)),
                    None => None,
                };
                Ok(Tree::new(Node::Return(value), Type::Never))
            }
            Expr::Break(leave) if leave.label.is_none() && leave.expr.is_none() => {
                self.leaves = true;
                Ok(Tree::new(Node::Break, Type::Never))
            }
            Expr::Continue(next) if next.label.is_none() => {
                Ok(Tree::new(Node::Continue, Type::Never))
            }
            Expr::Assign(assignment) => self.assignment(assignment),
            _ => Err(no_c(expr, "no such expression")),
        }?;
        Ok(Tree { ty: self.resolved(&tree.ty), ..tree })
    }
}

/// Whether a type, or one that it is made of, is such.
fn has(ty: &Type, such: &dyn Fn(&Type) -> bool) -> bool {
    such(ty)
        || match ty {
            Type::Option(part) | Type::Array(part, _) | Type::Reference { to: part, .. } => {
                has(part, such)
            }
            Type::Result(value, error) => has(value, such) || has(error, such),
            Type::Tuple(parts) => parts.iter().any(|part| has(part, such)),
            _ => false,
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
