//! A generated solver for the board: alone, to be looked at as an object, or
//! with its driver, to be run. `METAL_SOLVER` and
//! `METAL_DRIVER` are the paths of the two files.
#![no_std]

#[allow(dead_code)]
pub mod solver {
    include!(env!("METAL_SOLVER"));
}

#[cfg(feature = "driver")]
pub mod driver {
    include!(env!("METAL_DRIVER"));
}

#[cfg(feature = "driver")]
pub mod metal;
