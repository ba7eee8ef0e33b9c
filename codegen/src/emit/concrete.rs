//! Kernels for any number type as functions of one: the part of Rust that
//! [`super::c`] prints.

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Block, Expr, File, Generics, Item, ItemFn, Pat, ReturnType, Stmt, Type, Visibility,
    parse_quote,
};

use crate::Error;

/// Turns kernels into private functions of `Real`: `T` and `f64` become `Real`,
/// `T::real(x)` becomes `x`, blocks within expressions become statements before
/// them, and an array that was returned becomes a parameter `constants` that is
/// written to.
///
/// ```
/// use routh_codegen::emit;
///
/// let kernel = "pub fn half<T: Real>(x: &[T; 1], y: &mut [T; 1]) { *y = [T::real(0.5) * x[0]]; }";
/// let items = emit::concrete(kernel.parse().unwrap())?;
/// let plain = syn::parse_quote!(fn half(x: &[Real; 1], y: &mut [Real; 1]) { *y = [0.5 * x[0]]; });
/// assert_eq!(items, [syn::Item::Fn(plain)]);
/// # Ok::<(), routh_codegen::Error>(())
/// ```
///
/// # Errors
/// [`Error::Emit`] if the tokens are not items of Rust.
pub fn concrete(tokens: TokenStream) -> Result<Vec<Item>, Error> {
    let mut file: File = syn::parse2(tokens).map_err(|e| Error::Emit(e.to_string()))?;
    for item in &mut file.items {
        Concrete.visit_item_mut(item);
        if let Item::Fn(function) = item {
            function.vis = Visibility::Inherited;
            function.sig.generics = Generics::default();
            return_by_parameter(function);
            Flat::default().visit_block_mut(&mut function.block);
        }
        Bare.visit_item_mut(item);
    }
    Ok(file.items)
}

/// `T` and `f64` as `Real`, `T::real(x)` as `(x)`.
struct Concrete;

impl VisitMut for Concrete {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let generic = |path: &syn::Path| path.is_ident("T") || path.is_ident("f64");
        if matches!(ty, Type::Path(path) if generic(&path.path)) {
            *ty = parse_quote!(Real);
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Call(call) = expr
            && let Expr::Path(function) = &*call.func
            && let [ty, real] = &*function.path.segments.iter().collect::<Vec<_>>()
            && ty.ident == "T"
            && real.ident == "real"
            && let Some(value) = call.args.first()
        {
            *expr = parse_quote!((#value));
        }
    }
}

fn return_by_parameter(function: &mut ItemFn) {
    let ReturnType::Type(_, ty) = &function.sig.output else { return };
    if !matches!(**ty, Type::Array(_)) {
        return;
    }
    if let Some(Stmt::Expr(tail, None)) = function.block.stmts.last() {
        let store = parse_quote!(*constants = #tail;);
        function.block.stmts.pop();
        function.block.stmts.push(store);
        function.sig.inputs.push(parse_quote!(constants: &mut #ty));
        function.sig.output = ReturnType::Default;
    }
}

/// Blocks within expressions as statements before them, under new names.
#[derive(Default)]
struct Flat {
    lifted: Vec<Stmt>,
    count: usize,
}

impl VisitMut for Flat {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = std::mem::take(&mut self.lifted);
        for mut statement in std::mem::take(&mut block.stmts) {
            self.visit_stmt_mut(&mut statement);
            block.stmts.append(&mut self.lifted);
            block.stmts.push(statement);
        }
        self.lifted = outer;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let Expr::Block(inner) = expr else { return visit_mut::visit_expr_mut(self, expr) };
        let Some((Stmt::Expr(tail, None), statements)) = inner.block.stmts.split_last() else {
            return;
        };
        let (mut tail, mut statements) = (tail.clone(), statements.to_vec());
        for i in 0..statements.len() {
            let Stmt::Local(local) = &mut statements[i] else { return };
            let Pat::Ident(name) = &mut local.pat else { return };
            self.count += 1;
            let (old, new) = (name.ident.clone(), format_ident!("{}_{}", name.ident, self.count));
            name.ident = new.clone();
            let mut renaming = Renaming { old, new };
            statements[i + 1..].iter_mut().for_each(|later| renaming.visit_stmt_mut(later));
            renaming.visit_expr_mut(&mut tail);
        }
        for mut statement in statements {
            self.visit_stmt_mut(&mut statement);
            self.lifted.push(statement);
        }
        self.visit_expr_mut(&mut tail);
        *expr = parse_quote!((#tail));
    }
}

struct Renaming {
    old: Ident,
    new: Ident,
}

impl VisitMut for Renaming {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.is_ident(&self.old) {
            path.path = self.new.clone().into();
        }
    }
}

/// Without the parentheses that precedence makes superfluous.
struct Bare;

impl VisitMut for Bare {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Binary(binary) => {
                let outer = strength(&binary.op);
                unwrap_if(&mut binary.left, |inner| inner >= outer && inner >= SUM);
                unwrap_if(&mut binary.right, |inner| inner > outer && inner >= SUM);
            }
            Expr::Unary(unary) => unwrap_if(&mut unary.expr, |inner| inner == u8::MAX),
            Expr::Call(call) => call.args.iter_mut().for_each(|e| unwrap_if(e, |_| true)),
            Expr::Array(array) => array.elems.iter_mut().for_each(|e| unwrap_if(e, |_| true)),
            Expr::Assign(assignment) => unwrap_if(&mut assignment.right, |_| true),
            Expr::Paren(paren) => unwrap_if(&mut paren.expr, |_| true),
            _ => {}
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        visit_mut::visit_local_mut(self, local);
        if let Some(init) = &mut local.init {
            unwrap_if(&mut init.expr, |_| true);
        }
    }
}

/// Removes parentheses around what holds together strongly enough.
fn unwrap_if(expr: &mut Expr, enough: impl Fn(u8) -> bool) {
    let Expr::Paren(paren) = expr else { return };
    let strong = match &*paren.expr {
        Expr::Binary(binary) => strength(&binary.op),
        Expr::Unary(_) => 9,
        Expr::Lit(_) | Expr::Path(_) | Expr::Call(_) | Expr::Index(_) | Expr::Field(_) => u8::MAX,
        Expr::Paren(_) => u8::MAX,
        _ => 0,
    };
    if enough(strong) {
        *expr = (*paren.expr).clone();
    }
}

/// Precedence of sums, the least that is relied on.
const SUM: u8 = 7;

/// Precedence of arithmetic; of other operators nothing is assumed.
fn strength(op: &BinOp) -> u8 {
    match op {
        BinOp::Mul(_) | BinOp::Div(_) => 8,
        BinOp::Add(_) | BinOp::Sub(_) => SUM,
        _ => 0,
    }
}
