//! Integrates the motion from kink to kink.

use alloc::vec::Vec;

use super::bookkeeping::Bookkeeping;
use super::events::{self, Event};
use super::modes::{self, Mode, Normal, Point, Tangent, settle};
use super::outcome::{Outcome, Sample, Scenario, Touch};
use super::problem::{Problem, ROUNDING};
use super::reaction::Reaction;
use super::step::Step;
use crate::elementary::pow;
use crate::error::{Error, Field};
use crate::impact::Accuracy;

/// The limit of steps, per contact.
const MOST_STEPS: usize = 50_000;

/// A contact at rest is driven by at least this part of the largest acceleration.
const DRIVEN: f64 = 1e-12;

/// A force or an impulse below this, in units of the whole, counts as zero.
const NEGLIGIBLE: f64 = 1e-16;

/// Below this indentation a separating contact may be opened at once.
const SHALLOW: f64 = 1e-7;

/// The limit of kinks at one instant.
const MOST_AT_ONCE: usize = 100;

/// Instants of each step at which forces are compared with each other.
const COUNTED: usize = 4;

/// The part of the largest force from which a contact counts as active.
const ACTIVE: f64 = 1e-2;

/// Narrowings, each by a third, in the search for a largest force.
const NARROWINGS: usize = 60;

/// The state of a motion while it is integrated.
pub(super) struct Motion<'a> {
    problem: &'a Problem,
    accuracy: Accuracy,
    time: f64,
    /// When the last contact opened.
    end: f64,
    points: Vec<Point>,
    modes: Vec<Mode>,
    bookkeeping: Bookkeeping,
    /// Normal forces of all contacts at some instants.
    forces: Vec<Vec<f64>>,
    steps: usize,
}

impl<'a> Motion<'a> {
    pub(super) fn new(problem: &'a Problem, accuracy: Accuracy) -> Self {
        let points = (0..problem.count()).map(|j| Point {
            u: problem.u[j],
            w: problem.w[j],
            ..Point::default()
        });
        let modes = problem.laws.iter().zip(&problem.u).map(|(law, &u)| Mode {
            normal: Normal::Open,
            tangent: Tangent::Smooth,
            damping: 0.0,
            // Below this its force counts as zero. A contact that separates first closes at 0.
            level: if u == 0.0 { pow(NEGLIGIBLE / law.stiffness, 2.0 / 3.0) } else { 0.0 },
        });
        Self {
            problem,
            accuracy,
            time: 0.0,
            end: 0.0,
            points: points.collect(),
            modes: modes.collect(),
            bookkeeping: Bookkeeping::new(problem.count()),
            forces: Vec::new(),
            steps: 0,
        }
    }

    pub(super) fn run(
        mut self,
        points: usize,
        observer: &mut dyn FnMut(&Sample),
    ) -> Result<Outcome, Error> {
        for j in 0..self.problem.count() {
            if self.points[j].u > 0.0 {
                self.close(j)?;
            }
        }
        let (mut halted, mut at_once) = (None, 0);
        let most = MOST_STEPS * self.problem.count();
        loop {
            let reaction = self.settle()?;
            self.bookkeeping.turn(self.problem, &self.points, &self.modes);
            if let Some(j) = halted.take() {
                self.note_halt(j);
            }
            if !self.presses() {
                let Some((wait, j, event)) = self.next_of_drift() else { break };
                self.drift(wait);
                self.apply(j, event)?;
                continue;
            }
            if self.steps == most {
                return Err(self.accuracy.exceeded(self.steps));
            }
            if at_once > MOST_AT_ONCE {
                return Err(Error::NoContinuation { steps: self.steps });
            }
            self.steps += 1;
            let step = Step::new(self.problem, &self.points, &self.modes, &reaction, self.accuracy);
            let event =
                events::first(&step, self.problem, &self.points, &self.modes, self.accuracy);
            let end = event.map_or(step.width, |(zeta, ..)| zeta);
            at_once = if end > 0.0 { 0 } else { at_once + 1 };
            self.observe(&step, &reaction, end, points, observer);
            self.advance(&step, end);
            self.bookkeeping.check(self.problem, &self.points, self.accuracy, self.steps)?;
            if let Some((_, j, event)) = event {
                self.apply(j, event)?;
                halted = (event == Event::Halts).then_some(j);
            }
            self.open_negligible();
        }
        Ok(self.outcome())
    }

    /// Finds the next modes of all contacts. Contacts at rest that one which closes now
    /// will drive are closed too.
    fn settle(&mut self) -> Result<Reaction, Error> {
        let reaction = settle(self.problem, &self.points, &mut self.modes, self.accuracy)?;
        let begins = |&j: &usize| self.points[j].xi == 0.0;
        if reaction.free.is_empty() || !reaction.free.iter().all(begins) {
            return Ok(reaction);
        }
        let weights = modes::weights(self.problem, &self.points, &self.modes);
        let rates = &reaction.rates * &weights;
        let most = rates.amax();
        let driven: Vec<usize> = (0..self.modes.len())
            .filter(|&j| {
                let Point { xi, u, .. } = self.points[j];
                self.modes[j].is_open() && xi == 0.0 && u == 0.0 && rates[2 * j] > DRIVEN * most
            })
            .collect();
        if driven.is_empty() {
            return Ok(reaction);
        }
        for j in driven {
            self.close(j)?;
        }
        settle(self.problem, &self.points, &mut self.modes, self.accuracy)
    }

    /// Closes a contact: its force begins.
    fn close(&mut self, j: usize) -> Result<(), Error> {
        let (law, point, mode) = (&self.problem.laws[j], &mut self.points[j], &mut self.modes[j]);
        if mode.level == 0.0 {
            point.xi = 0.0;
        }
        mode.damping = match law.damping {
            None => 0.0,
            Some(_) if mode.level > 0.0 || point.u <= ROUNDING => {
                let (field, model) = (Field::entry("contacts", j), law.model.name());
                return Err(Error::ClosedAtRest { field, model });
            }
            Some(damping) => damping / point.u,
        };
        mode.normal = Normal::Loading;
        mode.level = 0.0;
        mode.tangent = match point.w {
            _ if law.is_smooth() => Tangent::Smooth,
            0.0 => Tangent::Stuck,
            w => Tangent::Slips(w.signum()),
        };
        let history = &mut self.bookkeeping.contacts[j];
        history.closed.get_or_insert(point.w);
        if let Some(since) = history.stirred.take() {
            history.duration += self.time - since;
        }
        self.stir(j);
        Ok(())
    }

    /// Records when contacts that touch at rest begin to be driven by one that closes,
    /// directly or through each other.
    fn stir(&mut self, by: usize) {
        for j in 0..self.modes.len() {
            let rests = self.modes[j].level > 0.0 && self.bookkeeping.contacts[j].stirred.is_none();
            if rests && self.problem.couples(by, j) {
                self.bookkeeping.contacts[j].stirred = Some(self.time);
                self.stir(j);
            }
        }
    }

    /// Opens a contact. Indentation that is left is taken to end at the present speed.
    fn open(&mut self, j: usize) {
        let Point { xi, u, .. } = self.points[j];
        let rest = if xi > 0.0 && u < 0.0 { -xi / u } else { 0.0 };
        self.bookkeeping.contacts[j].duration += rest;
        self.end = self.end.max(self.time + rest);
        self.points[j].xi = 0.0;
        self.modes[j].normal = Normal::Open;
        self.modes[j].level = 0.0;
    }

    /// Whether any contact has a force.
    fn presses(&self) -> bool {
        let mut contacts = self.modes.iter().zip(&self.problem.laws);
        contacts.any(|(mode, law)| mode.stiffness(law) > 0.0)
    }

    /// Without forces: the next contact to close or to open, and the time until then.
    fn next_of_drift(&self) -> Option<(f64, usize, Event)> {
        let contacts = self.modes.iter().zip(&self.points).enumerate();
        contacts
            .filter_map(|(j, (mode, &Point { xi, u, .. }))| {
                let closes = mode.is_open() && u > 0.0;
                let opens = mode.is_free() && u < 0.0;
                if closes {
                    Some(((mode.level - xi) / u, j, Event::Closes))
                } else {
                    opens.then_some((-xi / u, j, Event::Opens))
                }
            })
            .min_by(|x, y| x.0.total_cmp(&y.0))
    }

    fn drift(&mut self, wait: f64) {
        let wait = wait.max(0.0);
        self.time += wait;
        let contacts = self.points.iter_mut().zip(&self.modes).zip(&mut self.bookkeeping.contacts);
        for ((point, mode), history) in contacts {
            point.xi += point.u * wait;
            if !mode.is_open() {
                history.duration += wait;
            }
        }
    }

    fn advance(&mut self, step: &Step, end: f64) {
        let time = step.time(end);
        self.time += time;
        for j in 0..self.points.len() {
            self.note_peak(step, j, end);
            self.points[j] = step.point(j, end);
            let (mode, point, history) =
                (&mut self.modes[j], &mut self.points[j], &mut self.bookkeeping.contacts[j]);
            if mode.is_open() {
                // A contact that has separated no longer touches at rest.
                if point.xi < 0.0 {
                    mode.level = 0.0;
                    history.stirred = None;
                }
                continue;
            }
            history.duration += time;
            history.opened = point.w;
            if mode.normal == Normal::Held {
                point.u = 0.0;
            }
            if mode.tangent == Tangent::Stuck {
                point.w = 0.0;
            }
        }
    }

    /// Records the largest force up to a place in a step: at the ends, where the
    /// indentation turns, or for damped forces by ternary search.
    fn note_peak(&mut self, step: &Step, j: usize, end: f64) {
        let (mode, law, series) = (self.modes[j], &self.problem.laws[j], &step.contacts[j]);
        if !mode.is_free() {
            return;
        }
        let force =
            |zeta: f64| mode.force(law, step.at(&series.xi, zeta), step.at(&series.u, zeta));
        let mut peak = force(0.0).max(force(end));
        if law.damping.is_none() {
            if let Some(turn) = step.turn(j, end) {
                peak = peak.max(force(turn));
            }
        } else {
            let (mut low, mut high) = (0.0, end);
            for _ in 0..NARROWINGS {
                let third = (high - low) / 3.0;
                if force(low + third) < force(high - third) {
                    low += third;
                } else {
                    high -= third;
                }
            }
            peak = peak.max(force(0.5 * (low + high)));
        }
        self.bookkeeping.contacts[j].peak = self.bookkeeping.contacts[j].peak.max(peak);
    }

    /// Records the forces in a step, and passes samples to the observer.
    fn observe(
        &mut self,
        step: &Step,
        reaction: &Reaction,
        end: f64,
        points: usize,
        observer: &mut dyn FnMut(&Sample),
    ) {
        let contacts = 0..self.points.len();
        for i in 0..=COUNTED {
            let zeta = end * i as f64 / COUNTED as f64;
            let forces = step.forces(self.problem, &self.modes, reaction, zeta);
            self.forces.push(contacts.clone().map(|j| forces[2 * j]).collect());
        }
        if points == 0 {
            return;
        }
        let units = self.problem.units;
        for i in 0..=points {
            let zeta = end * i as f64 / points as f64;
            let forces = step.forces(self.problem, &self.modes, reaction, zeta) * units.force();
            let indentation = |j: usize| step.at(&step.contacts[j].xi, zeta) * units.length;
            observer(&Sample {
                time: (self.time + step.time(zeta)) * units.time(),
                indentation: contacts.clone().map(indentation).collect(),
                force: contacts.clone().map(|j| [forces[2 * j], forces[2 * j + 1]]).collect(),
            });
        }
    }

    fn apply(&mut self, j: usize, event: Event) -> Result<(), Error> {
        let (point, mode) = (&mut self.points[j], &mut self.modes[j]);
        match event {
            Event::Closes => self.close(j)?,
            Event::Opens => self.open(j),
            Event::Turns => {
                point.u = 0.0;
                mode.normal = match mode.normal {
                    Normal::Unloading => Normal::Loading,
                    _ => Normal::Unloading,
                };
            }
            Event::Slackens => mode.normal = Normal::Slack,
            Event::Tightens => mode.normal = Normal::Loading,
            Event::Halts => {
                point.w = 0.0;
                mode.tangent = Tangent::Stuck;
            }
            Event::BreaksLoose(sign) => mode.tangent = Tangent::Slips(sign),
            Event::Goes(normal) => mode.normal = normal,
        }
        Ok(())
    }

    /// Records the scenario after sliding came to rest for the first time.
    fn note_halt(&mut self, j: usize) {
        let follows = match self.modes[j].tangent {
            Tangent::Slips(_) => Scenario::SlipReverse,
            Tangent::Stuck | Tangent::Smooth => Scenario::SlipStick,
        };
        self.bookkeeping.contacts[j].halted.get_or_insert(follows);
    }

    /// Opens separating contacts whose remaining impulse counts as zero.
    fn open_negligible(&mut self) {
        for j in 0..self.points.len() {
            let (Point { xi, u, .. }, mode) = (self.points[j], self.modes[j]);
            let impulse = mode.force(&self.problem.laws[j], xi, u) * xi;
            let separates = u < 0.0 && (xi <= 0.0 || xi < SHALLOW && impulse < NEGLIGIBLE * -u);
            if mode.is_free() && separates {
                self.open(j);
            }
        }
    }

    fn outcome(self) -> Outcome {
        let units = self.problem.units;
        let contacts: Vec<Touch> = self
            .points
            .iter()
            .zip(&self.bookkeeping.contacts)
            .map(|(point, history)| Touch {
                peak_force: history.peak * units.force(),
                duration: history.duration * units.time(),
                impulse: [point.p * units.impulse, point.z * units.impulse],
                normal_work: point.normal_work * units.work(),
                friction_work: point.friction_work * units.work(),
                scenario: history.scenario(point),
            })
            .collect();
        let largest =
            self.bookkeeping.contacts.iter().fold(0.0, |most: f64, history| most.max(history.peak));
        let active =
            |forces: &Vec<f64>| forces.iter().filter(|force| **force >= ACTIVE * largest).count();
        Outcome {
            approach: self.points.iter().map(|point| point.u * units.velocity).collect(),
            sliding: self.points.iter().map(|point| point.w * units.velocity).collect(),
            contacts,
            duration: self.time.max(self.end) * units.time(),
            steps: self.steps,
            max_active_contacts: self.forces.iter().map(active).max().unwrap_or(0),
            energy_error: self.bookkeeping.energy_error,
            momentum_error: self.bookkeeping.momentum_error,
        }
    }
}
