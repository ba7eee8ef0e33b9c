//! What the loops say of an impact, for a person or bit by bit.

/// An impact that happened. Pairs are before and after it.
pub(crate) struct Bounce<'a> {
    pub(crate) robot: &'static str,
    /// The millisecond it happened in.
    pub(crate) tick: u32,
    pub(crate) mode: &'static str,
    pub(crate) q: &'a [f64],
    pub(crate) qd: [&'a [f64]; 2],
    /// Velocities of the contact point, normal first, and the impulse on it.
    pub(crate) velocity: [&'a [f64]; 2],
    pub(crate) impulse: &'a [f64],
    /// Of the normal force and of friction.
    pub(crate) work: [f64; 2],
    /// How many milliseconds before the impact was first foreseen under the command
    /// it came with, and with what normal impulse.
    pub(crate) foreseen: Option<(u32, f64)>,
    /// Whether all of it came as foreseen, to the last bit.
    pub(crate) exact: bool,
    /// What had been foreseen before the controller changed its command, what came
    /// instead, and what the controller did.
    pub(crate) averted: Option<([f64; 2], &'static str)>,
}

/// Numbers with a blank before each.
struct Numbers<'a>(&'a [f64]);

impl std::fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|x| write!(f, " {x:7.3}"))
    }
}

/// The same as bit patterns.
struct Bits<'a>(&'static str, &'a [f64]);

impl std::fmt::Display for Bits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, " {}", self.0)?;
        self.1.iter().try_for_each(|x| write!(f, " {:016x}", x.to_bits()))
    }
}

/// What the lines of [`Bounce::print`] hold.
pub(crate) const HEADING: &str = "impulses in N s and velocities in m/s, normal first";

impl Bounce<'_> {
    /// One line for a person.
    pub(crate) fn print(&self) {
        let [before, after] = self.velocity.map(Numbers);
        print!("{:5} ms  {}  {:23}", self.tick, self.robot, self.mode);
        print!("  impulse{}  velocity{before} >{after}", Numbers(self.impulse));
        match self.foreseen {
            Some((lead, _)) if self.exact => print!("  foreseen {lead} ms before, exactly"),
            Some((lead, normal)) => print!("  foreseen {lead} ms before, with {normal:.3}"),
            None => print!("  not foreseen"),
        }
        if let Some(([first, then], reaction)) = self.averted {
            print!("; at first {first:.3} {reaction}: {then:.3}");
        }
        println!();
    }

    /// One line of bit patterns.
    pub(crate) fn print_bits(&self) {
        print!("{} {} {}", self.robot, self.tick, self.mode);
        print!("{}{}{}", Bits("q", self.q), Bits("qd", self.qd[0]), Bits("to", self.qd[1]));
        print!("{}{}", Bits("velocity", self.velocity[0]), Bits("to", self.velocity[1]));
        print!("{}{}", Bits("impulse", self.impulse), Bits("work", &self.work));
        let (lead, normal) = self.foreseen.unwrap_or_default();
        println!(" foreseen {lead} {:016x} exact {}", normal.to_bits(), u8::from(self.exact));
    }
}

/// A robot's impacts, counted.
#[derive(Default)]
pub(crate) struct Totals {
    impacts: u32,
    exact: u32,
    averted: u32,
    lost: f64,
}

impl Totals {
    pub(crate) fn count(&mut self, bounce: &Bounce) {
        self.impacts += 1;
        self.exact += u32::from(bounce.exact);
        self.averted += u32::from(bounce.averted.is_some());
        self.lost -= bounce.work[0] + bounce.work[1];
    }

    /// One line for a person.
    pub(crate) fn print(&self, robot: &str, ticks: u32) {
        let Self { impacts, exact, averted, lost } = self;
        println!(
            "{robot}: {impacts} impacts in {ticks} ms took {lost:.3} J; \
             {exact} came exactly as foreseen, {averted} after a change of command"
        );
    }
}
