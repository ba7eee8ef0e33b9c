//! Random impacts one by one and in batches: [`routh_benches::batches`].

fn main() -> Result<(), Box<dyn std::error::Error>> {
    routh_benches::batches::print()
}
