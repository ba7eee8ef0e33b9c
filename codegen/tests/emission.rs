//! Emitted Rust is the same to the byte every time, and what cannot be emitted
//! is refused.

mod systems;

use routh_codegen::derivations::Derivations;
use routh_codegen::program::ORDERS;
use routh_codegen::{Error, emit, kernels};
use systems::pendulum;

#[test]
fn orders_have_bounds() {
    let program = pendulum();
    for order in [0, 1, 65, usize::MAX] {
        let error = emit::unrolled("pendulum", &program, order).unwrap_err();
        assert!(matches!(error, Error::Order(refused) if refused == order));
    }
    for order in ORDERS {
        let kernel = emit::unrolled("pendulum", &program, order).unwrap();
        let text = emit::file("", [kernel]).unwrap();
        assert!(text.contains(&format!("pub fn pendulum_{order}<")), "{order}");
    }
}

#[test]
fn names_of_the_emitter_are_refused() {
    for name in ["u0", "s12", "k1", "inverse3", "start", "sqrt", "fn", "q w", "g"] {
        let mut program = pendulum();
        program.states[0].name = name.to_owned();
        program.states[1].name = "g".to_owned();
        for refused in [
            emit::unrolled("pendulum", &program, 4),
            emit::rolled("pendulum", &program),
            emit::constants("pendulum", &program),
        ] {
            assert!(matches!(refused, Err(Error::Name(refused)) if refused == name), "{name}");
        }
    }
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    let committed = Derivations::committed().unwrap();
    let first = kernels::library(&committed).unwrap();
    assert!(first == kernels::library(&Derivations::committed().unwrap()).unwrap());
}

/// A part of a system is emitted order by order, and not as if it were whole.
#[test]
fn parts_are_emitted_in_stages_only() {
    let Derivations { compliant, several, .. } = Derivations::committed().unwrap();
    assert_eq!((compliant.len(), several.len()), (5, 7));
    for part in compliant.iter().chain(&several) {
        let staged = emit::staged("Part", part).unwrap();
        let text = emit::file("", [staged]).unwrap();
        assert!(text.contains("pub struct Part<T, const LENGTH: usize>"), "{}", part.name);
        assert!(text.contains(&format!("given: [&[T]; {}]", part.given.len())), "{}", part.name);
        for refused in [emit::unrolled("part", part, 4), emit::rolled("part", part)] {
            assert!(matches!(refused, Err(Error::Unsupported(_))), "{}", part.name);
        }
    }
}
