//! Makes the kernels with `routh-codegen`.

fn main() -> Result<(), routh_codegen::Error> {
    routh_codegen::kernels::build_library("kernels.rs")
}
