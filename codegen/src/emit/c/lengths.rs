//! Lengths of arrays, which C must know as numbers.

use syn::{Expr, ExprLit, Lit};

use super::no_c;
use super::symbols::{Symbols, key};
use super::types::Length;
use crate::Error;

impl Symbols<'_> {
    pub(super) fn length(&self, expr: &Expr) -> Result<Length, Error> {
        let value = self.evaluate(expr, 0)?;
        if value == 0 {
            return Err(no_c(expr, "arrays must not be empty"));
        }
        let name = match expr {
            Expr::Path(path) => key(&path.path),
            _ => None,
        };
        let constant = name.and_then(|name| self.constants.get(&name));
        let text = constant.map_or_else(|| value.to_string(), |c| c.c_name.clone());
        Ok(Length { value, text })
    }

    /// The value of a length, which may use constants.
    pub(super) fn evaluate(&self, expr: &Expr, depth: usize) -> Result<usize, Error> {
        let refused = || no_c(expr, "not a length");
        let depth = Some(depth + 1).filter(|&d| d < 64).ok_or_else(refused)?;
        match expr {
            Expr::Paren(inner) => self.evaluate(&inner.expr, depth),
            Expr::Group(inner) => self.evaluate(&inner.expr, depth),
            Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse().map_err(|_| refused()),
            Expr::Path(path) => {
                let name = key(&path.path);
                let value = name.and_then(|name| self.values.get(&name)).ok_or_else(refused)?;
                self.evaluate(value, depth)
            }
            Expr::Binary(binary) => {
                let x = self.evaluate(&binary.left, depth)?;
                let y = self.evaluate(&binary.right, depth)?;
                let value = match binary.op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    syn::BinOp::Div(_) => x.checked_div(y),
                    _ => None,
                };
                value.ok_or_else(refused)
            }
            _ => Err(refused()),
        }
    }
}
