//! Branches. Patterns in conditions become tests, `match` a `switch` where C has
//! one for it and else a chain of `if`s, and `?` an early return.

use syn::parse::Parser;
use syn::{Expr, ExprIf, ExprMatch, ExprTry, Macro, Pat, Token};

use super::patterns::Found;
use super::{Checker, peeled};
use crate::Error;
use crate::emit::c::no_c;
use crate::emit::c::shapes::Kind;
use crate::emit::c::tree::{Case, Node, Statement, Tree};
use crate::emit::c::types::Type;

/// An arm of a `match`: the tests of its pattern, the labels of a `switch` that
/// say the same, if there are any, and the code.
struct Arm {
    tests: Vec<Tree>,
    labels: Option<Vec<Tree>>,
    body: Tree,
}

impl Checker<'_> {
    pub(super) fn conditional(&mut self, conditional: &ExprIf) -> Result<Tree, Error> {
        let scope = self.scope.len();
        let mut statements = Vec::new();
        let (condition, names) = match peeled(&conditional.cond) {
            Expr::Let(looking) => {
                let value = self.expr(&looking.expr)?;
                self.tested(&looking.pat, value, &mut statements)?
            }
            condition => (self.typed(condition, &Type::Bool)?, Vec::new()),
        };
        let then = self.block(&conditional.then_branch, true)?;
        let then = self.naming(names, then);
        self.scope.truncate(scope);
        let (otherwise, ty) = match &conditional.else_branch {
            None => {
                self.fit(&then, &Type::Unit, conditional)?;
                (None, Type::Unit)
            }
            Some((_, otherwise)) => {
                let otherwise = self.expr(otherwise)?;
                let ty = self.common(&then.ty, &otherwise, conditional)?;
                (Some(Box::new(otherwise)), ty)
            }
        };
        let tree = Tree::new(Node::If(Box::new([condition, then]), otherwise), ty);
        Ok(Tree::after(statements, tree))
    }

    /// The type of what is of one type or another value.
    fn common(
        &mut self,
        first: &Type,
        second: &Tree,
        code: &impl quote::ToTokens,
    ) -> Result<Type, Error> {
        match first {
            Type::Never => Ok(second.ty.clone()),
            _ => self.fit(second, first, code).map(|()| self.resolved(first)),
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
        let number = matches!(ty, Type::Integer(_)) || self.symbols.is_enumeration(&ty);
        let mut statements = Vec::new();
        let place = self.placed("matched", value, &mut statements);
        let left = std::mem::replace(&mut self.leaves, false);
        let mut arms: Vec<Arm> = Vec::new();
        let mut result = Type::Never;
        for arm in &matching.arms {
            let scope = self.scope.len();
            let Found { tests, bound } = self.found(&arm.pat, place.clone())?;
            let labels = labels(&tests).filter(|_| number && bound.is_empty());
            let names = self.bind(bound)?;
            let body = self.expr(&arm.body)?;
            let body = self.naming(names, body);
            self.scope.truncate(scope);
            result = self.common(&result, &body, matching)?;
            arms.push(Arm { tests, labels, body });
        }
        // A `break` in a `switch` would not leave the loop around it.
        let leaves = std::mem::replace(&mut self.leaves, left);
        self.leaves |= leaves;
        if leaves || arms.iter().any(|arm| arm.labels.is_none()) {
            return Ok(Tree::after(statements, chain(arms, &result)));
        }
        let number = match statements.pop() {
            Some(Statement::Let(_, Some(value))) => value.referent(),
            _ => place.referent(),
        };
        let cases = arms
            .into_iter()
            .map(|arm| Case { labels: arm.labels.unwrap_or_default(), body: arm.body });
        Ok(Tree::new(Node::Switch(Box::new(number), cases.collect()), result))
    }

    /// `e?`: the value in an `Option` or a `Result`; else the function returns.
    pub(super) fn attempt(&mut self, attempt: &ExprTry) -> Result<Tree, Error> {
        let refused = || no_c(attempt, "`?` has no place here");
        let value = self.expr(&attempt.expr)?;
        let mut statements = Vec::new();
        let place = self.placed("tried", value, &mut statements);
        let fits = match (&place.ty, self.output.clone()) {
            (Type::Option(_), Type::Option(_)) => true,
            (Type::Result(_, error), Type::Result(_, other)) => self.unify(error, &other),
            _ => false,
        };
        let Some(Kind::Sum(variants)) = self.symbols.kind(&place.ty).filter(|_| fits) else {
            return Err(refused());
        };
        let [good, bad] = &variants[..] else { return Err(refused()) };
        let part = |field: &crate::emit::c::shapes::Field| {
            place.clone().member(&field.c_name, field.ty.clone())
        };
        let back = bad.with(bad.field.as_ref().map(part), self.output.clone());
        let back = Tree::new(Node::Return(Some(Box::new(back))), Type::Never);
        let pair = Box::new([bad.test(place.clone()), back]);
        statements.push(Statement::Do(Tree::new(Node::If(pair, None), Type::Unit)));
        Ok(Tree::block(statements, good.field.as_ref().map(part)))
    }

    /// `matches!(e, pattern)`; `debug_assert!` does nothing.
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
            input.parse::<Option<Token![,]>>()?;
            Ok((expr, pattern))
        };
        let (expr, pattern) = read.parse2(invocation.tokens.clone()).map_err(|_| refused())?;
        let scope = self.scope.len();
        let value = self.expr(&expr)?;
        let mut statements = Vec::new();
        let (holds, _) = self.tested(&pattern, value, &mut statements)?;
        self.scope.truncate(scope);
        Ok(Tree::after(statements, holds))
    }
}

/// The labels of a `switch` for the tests of a pattern, none where it has no test.
fn labels(tests: &[Tree]) -> Option<Vec<Tree>> {
    fn equal_to(test: &Tree) -> Option<Vec<Tree>> {
        match &test.node {
            Node::Infix("||", _, pair) => Some([equal_to(&pair[0])?, equal_to(&pair[1])?].concat()),
            Node::Infix("==", _, pair) => Some(vec![pair[1].clone()]),
            _ => None,
        }
    }
    match tests {
        [] => Some(Vec::new()),
        [test] => equal_to(test),
        _ => None,
    }
}

/// Arms as a chain of `if`s, of which the last takes all other values.
fn chain(arms: Vec<Arm>, ty: &Type) -> Tree {
    let mut tree = Tree::unit();
    for (i, Arm { tests, body, .. }) in arms.into_iter().rev().enumerate() {
        tree = match tests.into_iter().reduce(Tree::both).filter(|_| i > 0) {
            None => body,
            Some(condition) => {
                let pair = Box::new([condition, body]);
                Tree::new(Node::If(pair, Some(Box::new(tree))), ty.clone())
            }
        };
    }
    tree
}
