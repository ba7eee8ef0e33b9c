//! A generated solver for the board: alone, to be looked at as an object, or
//! with its driver, to be run. `METAL_SOLVER` and `METAL_DRIVER` are the paths
//! of the two files; `METAL_EXPORT` is that of what makes the solver's functions
//! symbols of the object, where they are not by themselves.
#![no_std]

#[allow(dead_code)]
pub mod solver {
    include!(env!("METAL_SOLVER"));
}

#[cfg(not(feature = "driver"))]
pub mod export {
    include!(env!("METAL_EXPORT"));
}

#[cfg(feature = "driver")]
pub mod driver {
    include!(env!("METAL_DRIVER"));
}

#[cfg(feature = "driver")]
pub mod metal;
