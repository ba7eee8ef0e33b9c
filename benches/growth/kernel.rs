//! Straight-line expansions of any order, as they are generated for solvers.

use std::error::Error;

use quote::ToTokens;
use routh_codegen::Precision;
use routh_codegen::derivations::Derivations;
use routh_codegen::emit::{self, c::Sources};
use routh_codegen::program::SeriesProgram;
use routh_codegen::transform::restrict;
use syn::{File, Item, Visibility};

/// The unknowns of the shorter kernel.
const VELOCITY: [&str; 3] = ["vt1", "vt2", "p"];

/// What a kernel needs beside itself.
const RUNTIME: &str = "pub type Real = f64;\nfn sqrt(x: Real) -> Real {\n    x.sqrt()\n}\n";

/// A kernel of any order.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    program: SeriesProgram,
}

impl Kernel {
    /// Velocities alone, and with impulses and works.
    pub(crate) fn both() -> Result<[Self; 2], Box<dyn Error>> {
        let works = Derivations::committed()?.regularised;
        let velocity = restrict(&works, &VELOCITY)?;
        Ok([Self { name: "velocity", program: velocity }, Self { name: "works", program: works }])
    }

    /// How many operations an order takes.
    pub(crate) fn operations(&self, order: usize) -> f64 {
        self.program.operations(order).total() as f64
    }

    fn items(&self, order: usize) -> Result<Vec<Item>, Box<dyn Error>> {
        let mut items = emit::concrete(emit::unrolled(self.name, &self.program, order)?)?;
        for item in &mut items {
            if let Item::Fn(function) = item {
                function.vis = Visibility::Public(Default::default());
            }
        }
        Ok(items)
    }

    /// The kernel in Rust.
    pub(crate) fn rust(&self, order: usize) -> Result<String, Box<dyn Error>> {
        let items = self.items(order)?.into_iter().map(|item| item.into_token_stream());
        Ok(emit::file("", items)? + RUNTIME)
    }

    /// The same in C.
    pub(crate) fn c(&self, order: usize) -> Result<Sources, Box<dyn Error>> {
        let mut file: File = syn::parse_str("")?;
        file.items = self.items(order)?;
        Ok(emit::c::print(&file, "kernel", Precision::F64, "")?)
    }
}
