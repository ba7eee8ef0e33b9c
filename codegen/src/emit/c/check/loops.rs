//! Loops: all of them count, or end from inside.

use syn::{Expr, ExprForLoop, ExprRange, Pat, RangeLimits};

use super::{Checker, peeled};
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::tree::{Count, Node, Statement, Tree};
use crate::emit::c::types::Type;

impl Checker<'_> {
    pub(super) fn looping(&mut self, expr: &Expr) -> Result<Tree, Error> {
        match expr {
            Expr::Loop(forever) if forever.label.is_none() => {
                let (body, left) = self.body(&forever.body)?;
                let ty = if left { Type::Unit } else { Type::Never };
                Ok(Tree::new(Node::Loop(Box::new(body)), ty))
            }
            Expr::While(during) if during.label.is_none() => {
                let condition = self.typed(&during.cond, &Type::Bool)?;
                let (body, _) = self.body(&during.body)?;
                Ok(Tree::new(Node::While(Box::new([condition, body])), Type::Unit))
            }
            Expr::ForLoop(each) if each.label.is_none() => self.each(each),
            _ => Err(no_c(expr, "loops have no labels")),
        }
    }

    /// The body of a loop, and whether a `break` leaves it.
    fn body(&mut self, block: &syn::Block) -> Result<(Tree, bool), Error> {
        let outside = std::mem::replace(&mut self.leaves, false);
        let body = self.block(block, true)?;
        let left = std::mem::replace(&mut self.leaves, outside);
        self.fit(&body, &Type::Unit, block)?;
        Ok((body, left))
    }

    fn each(&mut self, each: &ExprForLoop) -> Result<Tree, Error> {
        let (expr, backwards) = match peeled(&each.expr) {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                (peeled(&call.receiver), true)
            }
            expr => (expr, false),
        };
        let scope = self.scope.len();
        let tree = match expr {
            Expr::Range(range) => self.counting(each, range, backwards),
            expr if !backwards => self.through(each, expr),
            _ => Err(no_c(&each.expr, "only ranges are counted backwards")),
        };
        self.scope.truncate(scope);
        tree
    }

    fn counting(
        &mut self,
        each: &ExprForLoop,
        range: &ExprRange,
        backwards: bool,
    ) -> Result<Tree, Error> {
        let refused = || no_c(range, "only `a..b`, `a..=b` and their `rev()` are counted");
        let (Some(start), Some(end)) = (&range.start, &range.end) else { return Err(refused()) };
        let start = self.expr(start)?.referent();
        let end = self.expr(end)?.referent();
        self.fit(&end, &start.ty, range)?;
        let ty = self.resolved(&start.ty);
        if !matches!(ty, Type::Integer(_) | Type::Unknown(_)) {
            return Err(refused());
        }
        let ends = [start, end];
        self.ordered(&ends, range)?;
        if matches!(*each.pat, Pat::Wild(_)) {
            self.unify(&ty, &Type::USIZE);
        }
        let id = self.counter(Some(&each.pat), "step", ty)?;
        let (body, _) = self.body(&each.body)?;
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let count = Count { id, ends, inclusive, backwards, body };
        Ok(Tree::new(Node::Count(Box::new(count)), Type::Unit))
    }

    /// The local that counts, under the name that a pattern gives it or another.
    fn counter(&mut self, pattern: Option<&Pat>, other: &str, ty: Type) -> Result<usize, Error> {
        match pattern {
            Some(Pat::Ident(name)) if name.mutability.is_none() && name.subpat.is_none() => {
                Ok(self.visible(&name.ident.to_string(), ty, false))
            }
            Some(Pat::Wild(_)) | None => Ok(self.hidden(other, ty, false)),
            Some(other) => Err(no_c(other, "what counts is not changed")),
        }
    }

    /// Through an array by counting: its elements, or references to them.
    fn through(&mut self, each: &ExprForLoop, expr: &Expr) -> Result<Tree, Error> {
        let (expr, numbered) = match expr {
            Expr::MethodCall(call) if call.method == "enumerate" => (peeled(&call.receiver), true),
            expr => (expr, false),
        };
        let array = match expr {
            Expr::MethodCall(call) if call.method == "iter" || call.method == "iter_mut" => {
                let array = self.expr(&call.receiver)?.referent();
                array.reference(call.method == "iter_mut")
            }
            expr => self.expr(expr)?,
        };
        let by = match array.ty {
            Type::Reference { mutable, .. } => Some(mutable),
            _ => None,
        };
        let array = array.referent();
        let Type::Array(element, length) = array.ty.clone() else {
            return Err(no_c(&each.expr, "only ranges and arrays are gone through"));
        };
        let mut statements = Vec::new();
        // The loop goes through a copy of what might change while it does.
        let changes = |id: usize| {
            let local = &self.locals[id];
            local.mutable || matches!(local.ty, Type::Reference { mutable: true, .. })
        };
        let array = match by {
            None if array.is_steady() && array.root().is_some_and(changes) => {
                self.kept("each", array, &mut statements)
            }
            _ => self.placed("each", array, &mut statements),
        };
        let (number, pattern) = match (&*each.pat, numbered) {
            (Pat::Tuple(pair), true) if pair.elems.len() == 2 => {
                (Some(&pair.elems[0]), &pair.elems[1])
            }
            (pattern, false) => (None, pattern),
            (pattern, true) => return Err(no_c(pattern, "a number and an element are expected")),
        };
        let id = self.counter(number, "i", Type::USIZE)?;
        let item = array.element(Tree::local(id, Type::USIZE), *element);
        let item = match by {
            Some(mutable) => item.reference(mutable),
            None => item,
        };
        let mut start = Vec::new();
        self.unpacked(pattern, item, &mut start)?;
        let (body, _) = self.body(&each.body)?;
        let body = Tree::starting(start, body);
        let ends = [Tree::index(0), Tree::text(length.text, Type::USIZE)];
        let count = Count { id, ends, inclusive: false, backwards: false, body };
        statements.push(Statement::Do(Tree::new(Node::Count(Box::new(count)), Type::Unit)));
        Ok(Tree::block(statements, None))
    }
}
