//! Compiled flows, each made once for all impacts at its contact.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use routh_solver::{Error, Flow, Impact};

use crate::input::Collision;

/// The most flows that are kept for later impacts: some megabytes.
const MOST: usize = 256;

/// The bits of a contact's inertia and of its friction.
type Key = [u64; 11];

/// The flows of contacts seen lately.
#[derive(Default)]
pub(super) struct Flows(HashMap<Key, Shared>);

/// A flow that the first impact to need it makes.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<OnceLock<Flow>>);

impl Flows {
    /// The flow of an impact's contact, the same for all impacts there.
    pub(super) fn of(&mut self, collision: &Collision<3>) -> Shared {
        let key = key(collision);
        if self.0.len() >= MOST && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_default().clone()
    }
}

impl Shared {
    /// Solves an impact at the contact.
    pub(super) fn solve(&self, collision: &Collision<3>) -> Result<Impact<3>, Error> {
        let Collision { contact, velocity, friction, restitution, .. } = collision;
        let flow = self.0.get_or_init(|| Flow::compact(contact, *friction));
        flow.solve(*velocity, *restitution)
    }
}

fn key(collision: &Collision<3>) -> Key {
    let [[d11, d12, d13], [d21, d22, d23], [d31, d32, d33]] = *collision.contact.inertia();
    let (fixed, kinetic) = (collision.friction.static_friction(), collision.friction.kinetic());
    [d11, d12, d13, d21, d22, d23, d31, d32, d33, fixed, kinetic].map(f64::to_bits)
}
