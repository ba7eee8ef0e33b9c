//! The one place where Symbolica runs.
//!
//! Unlicensed, Symbolica allows one instance and one thread per machine and
//! **aborts the process** otherwise. So all use goes through one worker
//! thread, started behind a machine-wide file lock that the process then
//! keeps: Symbolica's own watch goes on until the process ends. A process that
//! cannot have it gets an error instead, and falls back.

use std::fs::{File, OpenOptions, TryLockError};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use symbolica::prelude::*;

use crate::Error;

type Job = Box<dyn FnOnce() + Send>;

/// How long to wait for other processes to finish with Symbolica.
const PATIENCE: Duration = Duration::from_secs(180);

/// How long to wait for the port by which Symbolica recognises other instances.
const PORT_PATIENCE: Duration = Duration::from_secs(5);

/// Expressions are walked recursively, and some nest deeply.
const STACK: usize = 256 << 20;

/// Symbols are ordered as they are first seen. Seen in this order in every
/// process, they make every derivation come out the same.
const SYMBOLS: [&str; 79] = [
    "a", "b", "c", "d", "s", "h1", "h2", "b1", "b2", "b11", "b12", "b22", "mu", "sigma", "gamma",
    "e", "p", "q", "vn", "vt", "vt1", "vt2", "F1", "F2", "E1", "E2", "f", "g", "m", "n", "t", "r",
    "a0", "d0", "n_s", "t_s", "g_s", "n_r", "t_r", "g_r", "n_k", "t_k", "g_k", "q_h", "p_h",
    "it_h", "vn_h", "vt_h", "wn_h", "wt_h", "q_c", "p_c", "it_c", "vn_c", "vt_c", "wn_c", "wt_c",
    "q_e", "p_e", "it_e", "vn_e", "vt_e", "wn_e", "wt_e", "delta", "m2", "u", "alpha", "beta",
    "R0", "R1", "R2", "R3", "w", "x", "y", "z", "kappa", "lambda",
];

/// Runs a job on the Symbolica worker and returns its result.
///
/// Only plain data should leave the job: expressions belong to the worker.
///
/// # Errors
/// [`Error::SymbolicaUnavailable`] if Symbolica cannot be had on this machine
/// now, [`Error::Derivation`] if the job panics.
pub fn run<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    static WORKER: OnceLock<Result<Sender<Job>, String>> = OnceLock::new();
    let worker = WORKER
        .get_or_init(start)
        .as_ref()
        .map_err(|reason| Error::SymbolicaUnavailable(reason.clone()))?;
    let (done, result) = mpsc::channel();
    let job: Job = Box::new(move || {
        // The receiver may have been dropped.
        let _ = done.send(catch_unwind(AssertUnwindSafe(job)));
    });
    let stopped = || Error::SymbolicaUnavailable("its worker has stopped".to_owned());
    worker.send(job).map_err(|_| stopped())?;
    result.recv().map_err(|_| stopped())?.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&s| s.to_owned()));
        Error::Derivation(text.unwrap_or_else(|| "panicked".to_owned()))
    })
}

fn start() -> Result<Sender<Job>, String> {
    let lock = machine_lock()?;
    probe_port()?;
    let (sender, jobs) = mpsc::channel::<Job>();
    std::thread::Builder::new()
        .name("symbolica".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let _kept_to_the_end = lock;
            for name in SYMBOLS {
                let _ = symbol!(name);
            }
            jobs.into_iter().for_each(|job| job());
        })
        .map_err(|e| format!("cannot start its thread: {e}"))?;
    Ok(sender)
}

fn machine_lock() -> Result<File, String> {
    let path = lock_folder().join("routh-symbolica.lock");
    let mut create = OpenOptions::new();
    create.write(true).create(true).truncate(false);
    // Another user's lock file can be read and locked, if not written.
    let file = create.open(&path).or_else(|_| File::open(&path));
    let file = file.map_err(|e| format!("cannot open the lock {}: {e}", path.display()))?;
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(format!("another process has held it for {PATIENCE:?}"));
            }
            Err(TryLockError::Error(e)) => {
                return Err(format!("cannot lock {}: {e}", path.display()));
            }
        }
    }
}

/// A folder that is the same for every process, independent of the environment.
fn lock_folder() -> PathBuf {
    if cfg!(unix) { PathBuf::from("/tmp") } else { std::env::temp_dir() }
}

/// Symbolica aborts the process if its port is taken; this checks beforehand.
fn probe_port() -> Result<(), String> {
    let port = std::env::var("SYMBOLICA_PORT").unwrap_or_else(|_| "12011".to_owned());
    let since = Instant::now();
    loop {
        match TcpListener::bind(format!("127.0.0.1:{port}")) {
            Ok(_) => return Ok(()),
            Err(_) if since.elapsed() < PORT_PATIENCE => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(e) => return Err(format!("another instance runs on this machine: {e}")),
        }
    }
}
