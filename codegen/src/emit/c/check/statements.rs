//! Blocks, locals and assignments.

use syn::{Block, Expr, ExprAssign, Pat, Stmt};

use super::{Checker, peeled};
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::tree::{Node, Statement, Tree};
use crate::emit::c::types::Type;

impl Checker<'_> {
    pub(super) fn block(&mut self, block: &Block, braces: bool) -> Result<Tree, Error> {
        let scope = self.scope.len();
        let (mut statements, mut tail) = (Vec::new(), None);
        let mut ty = Type::Unit;
        for (i, statement) in block.stmts.iter().enumerate() {
            let last = i + 1 == block.stmts.len();
            match statement {
                Stmt::Local(local) => self.declaration(local, &mut statements)?,
                Stmt::Expr(expr, None) if last => {
                    let tree = self.expr(expr)?;
                    ty = tree.ty.clone();
                    tail = Some(Box::new(tree));
                }
                Stmt::Expr(expr, _) => {
                    let tree = self.expr(expr)?;
                    if tree.ty == Type::Never {
                        ty = Type::Never;
                    }
                    statements.push(Statement::Do(tree));
                }
                Stmt::Macro(statement) => {
                    let tree = self.invocation(&statement.mac)?;
                    statements.push(Statement::Do(tree));
                }
                other => return Err(no_c(other, "no such statement")),
            }
        }
        self.scope.truncate(scope);
        Ok(Tree::new(Node::Block { braces, statements, tail }, ty))
    }

    fn declaration(
        &mut self,
        local: &syn::Local,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Error> {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.symbols.ty(&typed.ty)?)),
            pattern => (pattern, None),
        };
        let Some(init) = &local.init else {
            let Pat::Ident(name) = pattern else { return Err(no_c(local, "no such pattern")) };
            let ty = ty.unwrap_or_else(|| self.fresh(false));
            let id = self.visible(&name.ident.to_string(), ty, true);
            statements.push(Statement::Let(id, None));
            return Ok(());
        };
        if let Some((_, otherwise)) = &init.diverge {
            let value = self.expected(&init.expr, ty.as_ref())?;
            let scope = self.scope.len();
            let (holds, bound) = self.tested(pattern, value, statements)?;
            let names = self.scope.split_off(scope);
            let otherwise = self.typed(otherwise, &Type::Never)?;
            self.scope.extend(names);
            let pair = Box::new([holds.negated(), otherwise]);
            statements.push(Statement::Do(Tree::new(Node::If(pair, None), Type::Unit)));
            statements.extend(bound.into_iter().map(|(id, part)| Statement::Let(id, Some(part))));
            return Ok(());
        }
        let mut parts = Vec::new();
        match ty {
            Some(_) => parts.push((pattern, &*init.expr)),
            None => pairs(pattern, &init.expr, &mut parts),
        }
        // Names are visible when all have their values.
        let mut waiting = Vec::new();
        for (pattern, expr) in parts {
            let value = self.expected(expr, ty.as_ref())?;
            match pattern {
                Pat::Wild(_) => statements.push(Statement::Do(value)),
                Pat::Ident(name)
                    if name.by_ref.is_none()
                        && name.subpat.is_none()
                        && !matches!(value.ty, Type::Reference { .. }) =>
                {
                    let ty = ty.clone().unwrap_or_else(|| value.ty.clone());
                    let id = self.visible(&name.ident.to_string(), ty, name.mutability.is_some());
                    waiting.extend(self.scope.pop());
                    statements.push(Statement::Let(id, Some(value)));
                }
                pattern => {
                    let place = self.placed("value", value, statements);
                    let scope = self.scope.len();
                    self.unpacked(pattern, place, statements)?;
                    waiting.extend(self.scope.split_off(scope));
                }
            }
        }
        self.scope.append(&mut waiting);
        Ok(())
    }

    fn expected(&mut self, expr: &Expr, ty: Option<&Type>) -> Result<Tree, Error> {
        match ty {
            Some(ty) => self.typed(expr, ty),
            None => self.expr(expr),
        }
    }

    /// A place to assign to.
    pub(super) fn place(&mut self, expr: &Expr) -> Result<Tree, Error> {
        let place = self.expr(expr)?;
        let mut base = &place;
        loop {
            base = match &base.node {
                Node::Member(inner, _) | Node::Referent(inner) => inner,
                Node::Element(pair) => &pair[0],
                Node::Local(_) => return Ok(place),
                _ => return Err(no_c(expr, "no place to assign to")),
            };
        }
    }

    pub(super) fn assignment(&mut self, assignment: &ExprAssign) -> Result<Tree, Error> {
        let place = self.place(&assignment.left)?;
        let value = self.typed(&assignment.right, &place.ty)?;
        for index in place.indices() {
            self.ordered(&[index, value.clone()], assignment)?;
        }
        Ok(Tree::new(Node::Assign(Box::new([place, value])), Type::Unit))
    }
}

/// The parts of a pattern with their values, where these are written part by part:
/// `let [a, b] = [b, a];`
fn pairs<'e>(pattern: &'e Pat, expr: &'e Expr, found: &mut Vec<(&'e Pat, &'e Expr)>) {
    let (patterns, values) = match (pattern, peeled(expr)) {
        (Pat::Slice(slice), Expr::Array(array)) => (&slice.elems, &array.elems),
        (Pat::Tuple(tuple), Expr::Tuple(values)) => (&tuple.elems, &values.elems),
        _ => return found.push((pattern, expr)),
    };
    match patterns.len() == values.len() {
        true => patterns.iter().zip(values).for_each(|(p, value)| pairs(p, value, found)),
        false => found.push((pattern, expr)),
    }
}
