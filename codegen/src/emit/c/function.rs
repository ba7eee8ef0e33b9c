//! The body of a function: where its values go.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, FnArg, ItemFn, Pat, Stmt};

use super::expressions::peeled;
use super::layout::Lines;
use super::scope::{Local, Scope};
use super::symbols::{Symbols, words};
use super::types::Type;
use super::value::Value;
use super::{names, no_c};
use crate::Error;

/// What becomes of a value.
#[derive(Clone)]
pub(super) enum Sink {
    Store(Value),
    Return,
    Discard,
}

pub(super) struct Function<'a> {
    pub(super) symbols: &'a Symbols<'a>,
    pub(super) scope: Scope,
    pub(super) lines: Lines,
    pub(super) output: Type,
    /// Whether there is a body, and so statements where braces do not serve.
    pub(super) has_body: bool,
    /// Whether a local has been declared since this was last set.
    pub(super) declares: bool,
    /// Functions of the file that are not called here: locals may have their
    /// names.
    uncalled: BTreeSet<String>,
}

impl<'a> Function<'a> {
    /// Outside of functions: expressions of constants alone.
    pub(super) fn outside(symbols: &'a Symbols<'a>) -> Self {
        Self {
            symbols,
            scope: Scope::new(),
            lines: Lines::at_depth(1),
            output: Type::Unit,
            has_body: false,
            declares: false,
            uncalled: BTreeSet::new(),
        }
    }

    /// The declarations of a function's parameters.
    pub(super) fn parameters(
        symbols: &'a Symbols<'a>,
        item: &ItemFn,
    ) -> Result<Vec<String>, Error> {
        Self::outside(symbols).enter(item)
    }

    /// The statements of a function.
    pub(super) fn body(symbols: &'a Symbols<'a>, item: &ItemFn) -> Result<Lines, Error> {
        let mut function = Self::outside(symbols);
        function.enter(item)?;
        let sink = if function.output == Type::Unit { Sink::Discard } else { Sink::Return };
        function.statements(&item.block, &sink)?;
        Ok(function.lines)
    }

    /// Makes the parameters visible; says of those that are not used that this
    /// is so.
    fn enter(&mut self, item: &ItemFn) -> Result<Vec<String>, Error> {
        let name = item.sig.ident.to_string();
        let symbols = self.symbols;
        let signature = symbols.functions.get(&name).ok_or_else(|| no_c(&item.sig, "unknown"))?;
        (self.output, self.has_body) = (signature.output.clone(), true);
        let used = words(&item.block);
        let called = Calls::of(&item.block);
        let uncalled = symbols.functions.iter().filter(|(name, _)| !called.contains(*name));
        self.uncalled = uncalled.map(|(_, function)| function.c_name.clone()).collect();
        let mut parameters = Vec::new();
        for (input, ty) in item.sig.inputs.iter().zip(&signature.parameters) {
            let (name, mutable) = match input {
                FnArg::Typed(input) => binding(&input.pat)?,
                FnArg::Receiver(_) => return Err(no_c(input, "no methods")),
            };
            let known = name.as_deref().unwrap_or("unused");
            let c_name = self.reserve(known);
            parameters.push(ty.declare(&c_name, symbols.precision));
            if name.is_none() || !used.contains(known) {
                self.lines.code(&format!("(void){c_name};"));
            }
            self.scope.bind(known, Local { c_name, ty: ty.clone(), mutable });
        }
        Ok(parameters)
    }

    /// A name of C for a local that is not yet visible.
    pub(super) fn reserve(&mut self, name: &str) -> String {
        let Self { symbols, uncalled, .. } = self;
        self.scope.reserve(name, |name| {
            let outside = symbols.is_file_name(name) && !uncalled.contains(name);
            outside || names::is_keyword(name)
        })
    }

    /// The statements of a block, whose tail goes to the sink.
    pub(super) fn statements(&mut self, block: &Block, sink: &Sink) -> Result<(), Error> {
        for (i, statement) in block.stmts.iter().enumerate() {
            let last = i + 1 == block.stmts.len();
            match statement {
                Stmt::Local(local) => self.local(local)?,
                Stmt::Expr(tail, None) if last => self.deliver(tail, sink)?,
                Stmt::Expr(expr, _) => self.deliver(expr, &Sink::Discard)?,
                other => return Err(no_c(other, "no such statement")),
            }
        }
        Ok(())
    }

    pub(super) fn scoped(&mut self, block: &Block, sink: &Sink) -> Result<(), Error> {
        self.scope.enter();
        let result = self.statements(block, sink);
        self.scope.leave();
        result
    }

    /// Statements that bring the value of an expression where it belongs.
    pub(super) fn deliver(&mut self, expr: &Expr, sink: &Sink) -> Result<(), Error> {
        match peeled(expr) {
            Expr::If(conditional) if !matches!(sink, Sink::Store(_)) => {
                self.branches(conditional, sink)
            }
            Expr::Match(matching) => self.matching(matching, sink),
            Expr::Block(block) if block.label.is_none() => {
                self.lines.open("{");
                self.scoped(&block.block, sink)?;
                self.lines.close("}");
                Ok(())
            }
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => self.looping(peeled(expr), sink),
            Expr::Return(result) => match &result.expr {
                Some(value) if self.output != Type::Unit => self.deliver(value, &Sink::Return),
                Some(value) => Err(no_c(value, "nothing is returned here")),
                None => {
                    self.lines.code("return;");
                    Ok(())
                }
            },
            Expr::Break(leave) if leave.label.is_none() && leave.expr.is_none() => {
                self.lines.code("break;");
                Ok(())
            }
            Expr::Continue(next) if next.label.is_none() => {
                self.lines.code("continue;");
                Ok(())
            }
            Expr::Assign(assignment) => self.assignment(assignment),
            Expr::Binary(binary) if compound_operator(&binary.op).is_some() => {
                self.compound_assignment(binary)
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(()),
            expr => match sink {
                Sink::Store(place) => self.store(expr, place),
                Sink::Return => self.give_back(expr),
                Sink::Discard => self.discard(expr),
            },
        }
    }

    fn give_back(&mut self, expr: &Expr) -> Result<(), Error> {
        let output = self.output.clone();
        let literal = matches!(expr, Expr::Struct(_));
        if literal && self.initialiser(expr, &output)?.is_none() {
            let place = self.declare_fresh("result", &output);
            self.store(expr, &place)?;
            self.lines.code(&format!("return {};", place.text));
        } else {
            let value = self.value(expr, Some(&output))?;
            self.lines.code(&format!("return {};", value.text));
        }
        Ok(())
    }

    fn discard(&mut self, expr: &Expr) -> Result<(), Error> {
        let value = self.value(expr, None)?;
        match expr {
            Expr::Call(_) => self.lines.code(&format!("{};", value.text)),
            _ => self.lines.code(&format!("(void)({});", value.text)),
        }
        Ok(())
    }
}

/// The functions that a block calls.
#[derive(Default)]
pub(super) struct Calls(BTreeSet<String>);

impl Calls {
    pub(super) fn of(block: &Block) -> BTreeSet<String> {
        let mut calls = Self::default();
        calls.visit_block(block);
        calls.0
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.0.extend(words(&call.func));
        visit::visit_expr_call(self, call);
    }
}

/// A parameter's or local's name, if it has one, and whether it may change.
pub(super) fn binding(pattern: &Pat) -> Result<(Option<String>, bool), Error> {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            Ok((Some(name.ident.to_string()), name.mutability.is_some()))
        }
        Pat::Wild(_) => Ok((None, false)),
        _ => Err(no_c(pattern, "no such pattern in this place")),
    }
}

pub(super) fn compound_operator(op: &syn::BinOp) -> Option<&'static str> {
    use syn::BinOp::*;
    Some(match op {
        AddAssign(_) => "+=",
        SubAssign(_) => "-=",
        MulAssign(_) => "*=",
        DivAssign(_) => "/=",
        RemAssign(_) => "%=",
        BitXorAssign(_) => "^=",
        BitAndAssign(_) => "&=",
        BitOrAssign(_) => "|=",
        ShlAssign(_) => "<<=",
        ShrAssign(_) => ">>=",
        _ => return None,
    })
}
