//! Loops: all of them count, or end from inside.

use syn::{Expr, ExprBreak, ExprForLoop, ExprRange, Pat, RangeLimits};

use super::{Checker, peeled};
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::tree::{Count, Node, Statement, Tree};
use crate::emit::c::types::Type;

impl Checker<'_> {
    pub(super) fn looping(&mut self, expr: &Expr) -> Result<Tree, Error> {
        match expr {
            Expr::Loop(forever) if forever.label.is_none() => {
                self.loops.push(None);
                let body = self.body(&forever.body);
                let ty = self.loops.pop().flatten().unwrap_or(Type::Never);
                Ok(Tree::new(Node::Loop(Box::new(body?)), self.resolved(&ty)))
            }
            Expr::While(during) if during.label.is_none() => {
                let scope = self.scope.len();
                let mut condition = self.typed(&during.cond, &Type::Bool)?;
                let before = self.uses();
                self.loops.push(Some(Type::Unit));
                let body = self.body(&during.body)?;
                self.loops.pop();
                self.note_uses(&mut condition, &before);
                self.scope.truncate(scope);
                Ok(Tree::new(Node::While(Box::new([condition, body])), Type::Unit))
            }
            Expr::ForLoop(each) if each.label.is_none() => {
                self.loops.push(Some(Type::Unit));
                let tree = self.each(each);
                self.loops.pop();
                tree
            }
            _ => Err(no_c(expr, "loops have no labels")),
        }
    }

    /// The body of a loop, which what leaves it leaves alone.
    fn body(&mut self, block: &syn::Block) -> Result<Tree, Error> {
        let left = self.leaves;
        let body = self.block(block, true)?;
        self.leaves = left;
        self.fit(&body, &Type::Unit, block)?;
        Ok(body)
    }

    pub(super) fn leave(&mut self, leave: &ExprBreak) -> Result<Tree, Error> {
        self.leaves = true;
        let value = match &leave.expr {
            Some(value) => Some(self.expr(value)?),
            None => None,
        };
        let ty = value.as_ref().map_or(Type::Unit, |value| value.ty.clone());
        let known = self.loops.last().cloned().ok_or_else(|| no_c(leave, "no loop around it"))?;
        match known {
            Some(known) if !self.unify(&known, &ty) => {
                return Err(no_c(leave, "a value of another type is expected"));
            }
            Some(_) => {}
            None => {
                if let Some(last) = self.loops.last_mut() {
                    *last = Some(ty);
                }
            }
        }
        Ok(Tree::new(Node::Break(value.map(Box::new)), Type::Never))
    }

    fn each(&mut self, each: &ExprForLoop) -> Result<Tree, Error> {
        let (expr, backwards) = match peeled(&each.expr) {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                (peeled(&call.receiver), true)
            }
            expr => (expr, false),
        };
        match expr {
            Expr::Range(range) => self.counting(each, range, backwards),
            expr if !backwards => self.through(each, expr),
            _ => Err(no_c(&each.expr, "only ranges are counted backwards")),
        }
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
        let name = match &*each.pat {
            Pat::Ident(name) if name.mutability.is_none() && name.subpat.is_none() => {
                Some(name.ident.to_string())
            }
            Pat::Wild(_) => {
                self.unify(&ty, &Type::USIZE);
                None
            }
            other => return Err(no_c(other, "what counts is not changed")),
        };
        let scope = self.scope.len();
        let id = self.hidden(name.as_deref().unwrap_or("step"), ty, false);
        self.scope.extend(name.map(|name| (name, id)));
        let body = self.body(&each.body)?;
        self.scope.truncate(scope);
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let count = Count { id, ends: [start, end], inclusive, backwards, body };
        Ok(Tree::new(Node::Count(Box::new(count)), Type::Unit))
    }

    /// Through an array by counting: its elements, or references to them.
    fn through(&mut self, each: &ExprForLoop, expr: &Expr) -> Result<Tree, Error> {
        let refused = || no_c(&each.expr, "only ranges and arrays are gone through");
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
        let (by, Type::Array(element, length)) = (
            match array.ty {
                Type::Reference { mutable, .. } => Some(mutable),
                _ => None,
            },
            array.ty.referent().clone(),
        ) else {
            return Err(refused());
        };
        let mut statements = Vec::new();
        let scope = self.scope.len();
        // The loop goes through a copy of what might change while it does.
        let changing = |id: usize| {
            let changeable = matches!(self.locals[id].ty, Type::Reference { mutable: true, .. });
            by.is_none() && (self.locals[id].mutable || changeable)
        };
        let array = match array.is_steady() && !array.root().is_some_and(changing) {
            true => array,
            false => {
                let id = self.hidden("each", array.ty.clone(), false);
                statements.push(Statement::Let(id, Some(array)));
                self.local(id)
            }
        };
        let (number, pattern) = match (&*each.pat, numbered) {
            (Pat::Tuple(pair), true) if pair.elems.len() == 2 => {
                (Some(&pair.elems[0]), &pair.elems[1])
            }
            (pattern, false) => (None, pattern),
            (pattern, true) => return Err(no_c(pattern, "a number and an element are expected")),
        };
        let name = match number {
            Some(Pat::Ident(name)) if name.mutability.is_none() => name.ident.to_string(),
            Some(Pat::Wild(_)) | None => "i".to_owned(),
            Some(other) => return Err(no_c(other, "what counts is not changed")),
        };
        let i = self.hidden(&name, Type::USIZE, false);
        if let Some(Pat::Ident(_)) = number {
            self.scope.push((name, i));
        }
        let item = array.referent().element(Tree::local(i, Type::USIZE), *element);
        let item = match by {
            Some(mutable) => item.reference(mutable),
            None => item,
        };
        let mut start = Vec::new();
        self.unpacked(pattern, item, &mut start)?;
        let mut body = self.body(&each.body)?;
        self.scope.truncate(scope);
        if let Node::Block { statements, .. } = &mut body.node {
            statements.splice(0..0, start);
        }
        let end = Tree::text(length.text, Type::USIZE);
        let ends = [Tree::index(0), end];
        let count = Count { id: i, ends, inclusive: false, backwards: false, body };
        statements.push(Statement::Do(Tree::new(Node::Count(Box::new(count)), Type::Unit)));
        Ok(Tree::block(statements, None))
    }
}
