//! Branches and loops.

use syn::visit::{self, Visit};
use syn::{Expr, ExprBreak, ExprForLoop, ExprIf, ExprMatch, Pat, RangeLimits};

use super::expressions::peeled;
use super::function::{Function, Sink, binding};
use super::no_c;
use super::scope::Local;
use super::types::Type;
use super::value::{Binding, Value};
use crate::Error;

impl Function<'_> {
    pub(super) fn branches(&mut self, conditional: &ExprIf, sink: &Sink) -> Result<(), Error> {
        let condition = self.value(&conditional.cond, Some(&Type::Bool))?;
        self.lines.open(&format!("if ({}) {{", condition.text));
        self.scoped(&conditional.then_branch, sink)?;
        let mut rest = conditional.else_branch.as_ref();
        while let Some((_, otherwise)) = rest {
            rest = None;
            match &**otherwise {
                Expr::If(next) => {
                    let condition = self.value(&next.cond, Some(&Type::Bool))?;
                    self.lines.reopen(&format!("}} else if ({}) {{", condition.text));
                    self.scoped(&next.then_branch, sink)?;
                    rest = next.else_branch.as_ref();
                }
                Expr::Block(block) => {
                    self.lines.reopen("} else {");
                    self.scoped(&block.block, sink)?;
                }
                other => return Err(no_c(other, "no such branch")),
            }
        }
        self.lines.close("}");
        Ok(())
    }

    /// A `switch`, whose last arm takes what is left, so that no value of an
    /// enumeration slips through. `break` would leave it instead of the loop
    /// around it, and C does not switch on `bool`: then a chain of `if`s.
    pub(super) fn matching(&mut self, matching: &ExprMatch, sink: &Sink) -> Result<(), Error> {
        let value = self.value(&matching.expr, None)?;
        let number = matches!(value.ty, Type::Integer(_)) || self.symbols.is_enumeration(&value.ty);
        if !number && value.ty != Type::Bool || matching.arms.is_empty() {
            return Err(no_c(&matching.expr, "only integers, enumerations and bool are matched"));
        }
        if !number || matching.arms.iter().any(|arm| Leaves::loops_from(&arm.body)) {
            return self.chain(matching, value, sink);
        }
        self.lines.code(&format!("switch ({}) {{", value.text));
        for (i, arm) in matching.arms.iter().enumerate() {
            let labels = self.labels(&arm.pat, &value.ty)?;
            let last = i + 1 == matching.arms.len() || labels.is_empty();
            let mut labels: Vec<_> = labels.iter().map(|label| format!("case {label}:")).collect();
            labels.extend(last.then(|| "default:".to_owned()));
            self.case(&labels, &arm.body, sink)?;
            if last {
                break;
            }
        }
        self.lines.code("}");
        Ok(())
    }

    /// An arm of a `switch`, in braces if it declares something.
    fn case(&mut self, labels: &[String], body: &Expr, sink: &Sink) -> Result<(), Error> {
        let outer = self.lines.apart();
        let outer = std::mem::replace(&mut self.lines, outer);
        let declares = std::mem::replace(&mut self.declares, false);
        self.lines.indent();
        self.arm(body, sink)?;
        if !never_ends(body) && !matches!(sink, Sink::Return) {
            self.lines.code("break;");
        }
        let inner = std::mem::replace(&mut self.lines, outer);
        if let Some((last, before)) = labels.split_last() {
            before.iter().for_each(|label| self.lines.code(label));
            let brace = if self.declares { " {" } else { "" };
            self.lines.code(&format!("{last}{brace}"));
        }
        self.lines.append(inner);
        if self.declares {
            self.lines.code("}");
        }
        self.declares |= declares;
        Ok(())
    }

    fn chain(&mut self, matching: &ExprMatch, value: Value, sink: &Sink) -> Result<(), Error> {
        self.scope.enter();
        let ty = value.ty.clone();
        let calls = value.text.contains('(');
        let value = match calls {
            true => {
                self.lines.open("{");
                let local = self.declared("matched", Some(ty.clone()), &matching.expr)?;
                Value::new(local.c_name, Binding::Postfix, ty.clone())
            }
            false => value,
        };
        for (i, arm) in matching.arms.iter().enumerate() {
            let labels = self.labels(&arm.pat, &ty)?;
            let last = i + 1 == matching.arms.len() || labels.is_empty();
            let tests: Vec<_> = labels.iter().map(|label| test(&value, label)).collect();
            match (i, last) {
                (0, true) => self.lines.open("{"),
                (0, false) => self.lines.open(&format!("if ({}) {{", tests.join(" || "))),
                (_, true) => self.lines.reopen("} else {"),
                _ => self.lines.reopen(&format!("}} else if ({}) {{", tests.join(" || "))),
            }
            self.arm(&arm.body, sink)?;
            if last {
                break;
            }
        }
        self.lines.close("}");
        if calls {
            self.lines.close("}");
        }
        self.scope.leave();
        Ok(())
    }

    fn arm(&mut self, body: &Expr, sink: &Sink) -> Result<(), Error> {
        match peeled(body) {
            Expr::Block(block) if block.label.is_none() => self.scoped(&block.block, sink),
            body => {
                self.scope.enter();
                let result = self.deliver(body, sink);
                self.scope.leave();
                result
            }
        }
    }

    /// The values that a pattern stands for; none where it stands for all.
    fn labels(&self, pattern: &Pat, ty: &Type) -> Result<Vec<String>, Error> {
        let expr: Expr = match pattern {
            Pat::Wild(_) => return Ok(Vec::new()),
            Pat::Paren(inner) => return self.labels(&inner.pat, ty),
            Pat::Or(either) => {
                let cases = either.cases.iter().map(|case| match case {
                    Pat::Wild(_) => Err(no_c(pattern, "`_` stands for all")),
                    case => self.labels(case, ty),
                });
                return Ok(cases.collect::<Result<Vec<_>, _>>()?.concat());
            }
            Pat::Lit(literal) => Expr::Lit(literal.clone()),
            Pat::Path(path) => Expr::Path(path.clone()),
            Pat::Ident(name) if self.symbols.constants.contains_key(&name.ident.to_string()) => {
                syn::parse_quote!(#name)
            }
            _ => return Err(no_c(pattern, "no such pattern in this place")),
        };
        Ok(vec![self.value(&expr, Some(ty))?.text])
    }

    pub(super) fn looping(&mut self, expr: &Expr, sink: &Sink) -> Result<(), Error> {
        let (opening, body) = match expr {
            Expr::Loop(forever) if forever.label.is_none() => {
                if matches!(sink, Sink::Store(_)) {
                    return Err(no_c(expr, "loops have no value"));
                }
                ("for (;;) {".to_owned(), &forever.body)
            }
            Expr::While(during) if during.label.is_none() => {
                let condition = self.value(&during.cond, Some(&Type::Bool))?;
                (format!("while ({}) {{", condition.text), &during.body)
            }
            Expr::ForLoop(counting) if counting.label.is_none() => return self.counting(counting),
            _ => return Err(no_c(expr, "loops have no labels")),
        };
        self.lines.open(&opening);
        self.scoped(body, &Sink::Discard)?;
        self.lines.close("}");
        Ok(())
    }

    fn counting(&mut self, counting: &ExprForLoop) -> Result<(), Error> {
        let refused = || no_c(&counting.expr, "only `a..b` and `(a..b).rev()` are counted");
        let (range, backwards) = match peeled(&counting.expr) {
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                (peeled(&call.receiver), true)
            }
            range => (range, false),
        };
        let Expr::Range(range) = range else { return Err(refused()) };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return Err(refused());
        };
        let known = self.infer(start)?.or(self.infer(end)?).unwrap_or(Type::USIZE);
        if !matches!(known, Type::Integer(_)) {
            return Err(refused());
        }
        let start = self.value(start, Some(&known))?;
        let end = self.value(end, Some(&known))?;
        let (name, mutable) = binding(&counting.pat)?;
        if mutable {
            return Err(no_c(&counting.pat, "what counts is not changed"));
        }
        let name = name.unwrap_or_else(|| "step".to_owned());
        self.scope.enter();
        let c_name = self.reserve(&name);
        let opening = match backwards {
            false => self.upwards(&c_name, &known, &start, &end),
            true => self.downwards(&c_name, &known, &start, &end),
        };
        self.lines.open(&opening);
        self.scope.bind(&name, Local { c_name, ty: known, mutable: false });
        self.scoped(&counting.body, &Sink::Discard)?;
        self.lines.close("}");
        self.scope.leave();
        Ok(())
    }

    /// Rust computes both ends once, C the one in the condition every time.
    fn upwards(&mut self, i: &str, ty: &Type, start: &Value, end: &Value) -> String {
        let declaration = ty.declare(i, self.symbols.precision);
        let start = &start.text;
        if end.fixed {
            let end = end.at_least(Binding::Shift);
            return format!("for ({declaration} = {start}; {i} < {end}; {i}++) {{");
        }
        let fixed = self.reserve(&format!("{i}_end"));
        let end = &end.text;
        format!("for ({declaration} = {start}, {fixed} = {end}; {i} < {fixed}; {i}++) {{")
    }

    fn downwards(&mut self, i: &str, ty: &Type, start: &Value, end: &Value) -> String {
        let declaration = ty.declare(i, self.symbols.precision);
        let end = &end.text;
        if start.fixed {
            let start = start.at_least(Binding::Shift);
            return format!("for ({declaration} = {end}; {i}-- > {start};) {{");
        }
        let fixed = self.reserve(&format!("{i}_start"));
        let start = &start.text;
        format!("for ({declaration} = {end}, {fixed} = {start}; {i}-- > {fixed};) {{")
    }
}

fn test(value: &Value, label: &str) -> String {
    match label {
        "true" => value.text.clone(),
        "false" => format!("!{}", value.at_least(Binding::Unary)),
        _ => format!("{} == {label}", value.as_left("==", Binding::Equality)),
    }
}

/// Whether the end of an arm is never reached.
fn never_ends(expr: &Expr) -> bool {
    match peeled(expr) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(last, _)) => never_ends(last),
            _ => false,
        },
        _ => false,
    }
}

/// Looks for a `break` out of the loop around an expression.
struct Leaves(bool);

impl Leaves {
    fn loops_from(expr: &Expr) -> bool {
        let mut leaves = Self(false);
        leaves.visit_expr(expr);
        leaves.0
    }
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr_break(&mut self, _: &'ast ExprBreak) {
        self.0 = true;
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if !matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_)) {
            visit::visit_expr(self, expr);
        }
    }
}
