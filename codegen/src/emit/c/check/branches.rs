//! Branches. Patterns in conditions become tests, `match` a `switch` where C has
//! one for it and else a chain of `if`s, and `?` an early return.

use syn::parse::Parser;
use syn::{Expr, ExprIf, ExprMatch, ExprTry, Macro, Pat, Token};

use super::Checker;
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::shapes::Kind;
use crate::emit::c::tree::{Bound, Case, Node, Statement, Tree};
use crate::emit::c::types::Type;

/// An arm of a `match`.
struct Arm {
    labels: Option<Vec<Tree>>,
    tests: Vec<Tree>,
    bound: Vec<Bound>,
    guard: Option<Tree>,
    body: Tree,
}

impl Checker<'_> {
    pub(super) fn conditional(&mut self, conditional: &ExprIf) -> Result<Tree, Error> {
        let scope = self.scope.len();
        let mut condition = self.typed(&conditional.cond, &Type::Bool)?;
        let before = self.uses();
        let then = self.block(&conditional.then_branch, true)?;
        self.note_uses(&mut condition, &before);
        self.scope.truncate(scope);
        let Some((_, otherwise)) = &conditional.else_branch else {
            self.fit(&then, &Type::Unit, conditional)?;
            return Ok(Tree::new(Node::If(Box::new([condition, then]), None), Type::Unit));
        };
        let otherwise = self.expr(otherwise)?;
        let ty = self.common(&then, &otherwise, conditional)?;
        let pair = Box::new([condition, then]);
        Ok(Tree::new(Node::If(pair, Some(Box::new(otherwise))), ty))
    }

    /// The type of what is one value or another.
    fn common(
        &mut self,
        first: &Tree,
        second: &Tree,
        code: &impl quote::ToTokens,
    ) -> Result<Type, Error> {
        match first.ty {
            Type::Never => Ok(second.ty.clone()),
            _ => self.fit(second, &first.ty, code).map(|()| self.resolved(&first.ty)),
        }
    }

    pub(super) fn matching(&mut self, matching: &ExprMatch) -> Result<Tree, Error> {
        let value = self.expr(&matching.expr)?;
        let ty = value.ty.referent().clone();
        let known = match self.symbols.kind(&ty) {
            Some(Kind::Record(_)) => matches!(ty, Type::Tuple(_)),
            Some(_) => true,
            None => matches!(ty, Type::Integer(_) | Type::Bool),
        };
        if !known || matching.arms.is_empty() {
            return Err(no_c(&matching.expr, "no values of this type are matched"));
        }
        let mut statements = Vec::new();
        let place = self.placed("matched", value, &mut statements);
        let left = std::mem::replace(&mut self.leaves, false);
        let mut arms: Vec<Arm> = Vec::new();
        let mut result = Type::Never;
        for arm in &matching.arms {
            let arm = self.arm(&arm.pat, &arm.body, place.clone(), &ty)?;
            if result == Type::Never {
                result = arm.body.ty.clone();
            } else {
                self.fit(&arm.body, &result, matching)?;
            }
            arms.push(arm);
        }
        let leaves = std::mem::replace(&mut self.leaves, left);
        self.leaves |= leaves;
        let switch = !leaves && arms.iter().all(|arm| arm.labels.is_some() && arm.guard.is_none());
        let tree = match switch {
            true => {
                let number = match (self.symbols.kind(&ty), statements.pop()) {
                    (Some(Kind::Sum(_)), kept) => {
                        statements.extend(kept);
                        place.referent().member("tag", Type::Unit)
                    }
                    (_, Some(Statement::Let(_, Some(value)))) => value.referent(),
                    _ => place.referent(),
                };
                let cases = arms.into_iter().map(|arm| Case {
                    labels: arm.labels.unwrap_or_default(),
                    body: named(arm.bound, arm.body),
                });
                Tree::new(Node::Switch(Box::new(number), cases.collect()), result)
            }
            false => {
                chain(arms, &result).ok_or_else(|| no_c(matching, "it may hold for nothing"))?
            }
        };
        match statements.is_empty() {
            true => Ok(tree),
            false => Ok(Tree::block(statements, Some(tree))),
        }
    }

    fn arm(&mut self, pattern: &Pat, body: &Expr, place: Tree, ty: &Type) -> Result<Arm, Error> {
        let (pattern, guard) = match pattern {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
            pattern => (pattern, None),
        };
        let scope = self.scope.len();
        let labels = self.labels(pattern, ty)?;
        let found = self.found(pattern, place)?;
        let mut bound = self.bind(found.bound);
        let guard = match guard {
            Some(guard) => Some(self.typed(guard, &Type::Bool)?),
            None => None,
        };
        let before = self.uses();
        let body = self.expr(body)?;
        for bound in &mut bound {
            bound.used = self.locals[bound.id].uses > before[bound.id];
        }
        self.scope.truncate(scope);
        Ok(Arm { labels, tests: found.tests, bound, guard, body })
    }

    /// `e?`: what is in an `Option` or a `Result`; else the function returns.
    pub(super) fn attempt(&mut self, attempt: &ExprTry) -> Result<Tree, Error> {
        let refused = || no_c(attempt, "`?` has no place here");
        let value = self.expr(&attempt.expr)?;
        let mut statements = Vec::new();
        let place = self.placed("tried", value, &mut statements);
        let (good, bad, value) = match (&place.ty, self.output.clone()) {
            (Type::Option(value), Type::Option(_)) => ("Some", "None", value.clone()),
            (Type::Result(value, error), Type::Result(_, other)) => {
                if !self.unify(error, &other) {
                    return Err(refused());
                }
                ("Ok", "Err", value.clone())
            }
            _ => return Err(refused()),
        };
        let kind = self.symbols.kind(&place.ty).ok_or_else(refused)?;
        let (good, bad) = kind.variant(good).zip(kind.variant(bad)).ok_or_else(refused)?;
        let error = bad.fields.iter().map(|(_, field)| {
            let part = place.clone().member(&field.c_name, field.ty.clone());
            (field.c_name.clone(), part)
        });
        let (mark, parts) = (Some(bad.mark.clone()), error.collect());
        let back = Tree::new(Node::Parts { mark, parts, rest: None }, self.output.clone());
        let back = Tree::new(Node::Return(Some(Box::new(back))), Type::Never);
        let fails = Tree::new(Node::Marked(Box::new(place.clone()), bad.mark.clone()), Type::Bool);
        let leaving = Tree::new(Node::If(Box::new([fails, back]), None), Type::Unit);
        statements.push(Statement::Do(leaving));
        let value = match good.fields.is_empty() {
            true => None,
            false => Some(place.member("value", *value)),
        };
        Ok(Tree::block(statements, value))
    }

    /// `matches!(e, pattern if guard)`; `debug_assert!` does nothing.
    pub(super) fn invocation(&mut self, invocation: &Macro) -> Result<Tree, Error> {
        let refused = || no_c(invocation, "no such macro");
        if invocation.path.is_ident("debug_assert") {
            return Ok(Tree::unit());
        }
        if !invocation.path.is_ident("matches") {
            return Err(refused());
        }
        let read = |input: syn::parse::ParseStream| {
            let expr: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse::<Expr>()?),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((expr, pattern, guard))
        };
        let (expr, pattern, guard) =
            read.parse2(invocation.tokens.clone()).map_err(|_| refused())?;
        let scope = self.scope.len();
        let value = self.expr(&expr)?;
        let mut holds = self.is(&pattern, value)?;
        if let Some(guard) = &guard {
            holds = Tree::both(holds, self.typed(guard, &Type::Bool)?);
        }
        self.scope.truncate(scope);
        Ok(holds)
    }
}

/// What an arm does, after the locals for its names.
fn named(bound: Vec<Bound>, body: Tree) -> Tree {
    let used = bound.into_iter().filter(|bound| bound.used);
    let statements: Vec<_> = used.map(|b| Statement::Let(b.id, Some(b.part))).collect();
    match statements.is_empty() {
        true => body,
        false => Tree::block(statements, Some(body)),
    }
}

/// Arms as a chain of `if`s, of which the last takes what is left.
fn chain(arms: Vec<Arm>, ty: &Type) -> Option<Tree> {
    let sure = |arm: &Arm| arm.guard.is_none() && arm.tests.is_empty();
    let count = arms.iter().position(sure).map_or(arms.len(), |i| i + 1);
    let mut arms: Vec<_> = arms.into_iter().take(count).collect();
    let last = arms.pop().filter(|arm| arm.guard.is_none())?;
    let mut tree = named(last.bound, last.body);
    for Arm { tests, bound, guard, body, .. } in arms.into_iter().rev() {
        let is = Tree::new(Node::Is { subject: None, tests, bound }, Type::Bool);
        let condition = match guard {
            Some(guard) => Tree::both(is, guard),
            None => is,
        };
        let pair = Box::new([condition, body]);
        tree = Tree::new(Node::If(pair, Some(Box::new(tree))), ty.clone());
    }
    Some(tree)
}
