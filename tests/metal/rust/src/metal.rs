//! `metal.h` for drivers in Rust, and the entry that `metal.c` calls.
use core::hint::black_box;

#[cfg(not(target_os = "none"))]
extern crate std;

mod c {
    use core::ffi::c_char;
    unsafe extern "C" {
        pub(super) safe fn emit_f64(value: f64);
        pub(super) safe fn emit_f32(value: f32);
        pub(super) safe fn emit_u64(value: u64);
        pub(super) unsafe fn emit_text(text: *const c_char);
        pub(super) safe fn paint_stack();
        pub(super) safe fn measure_start();
        pub(super) safe fn measure_end();
    }
}

pub fn emit_f64(value: f64) {
    c::emit_f64(value);
}

pub fn emit_f32(value: f32) {
    c::emit_f32(value);
}

pub fn emit_u64(value: u64) {
    c::emit_u64(value);
}

/// A line of text: `emit_text(c"halt")`.
pub fn emit_text(text: &core::ffi::CStr) {
    // SAFETY: a `CStr` ends in a zero byte and outlives the call.
    unsafe { c::emit_text(text.as_ptr()) }
}

/// Runs the one call to be measured, in a frame of its own and out of the
/// optimiser's sight, so that neither its stack nor its work moves out of it.
pub fn measure<T>(call: impl FnOnce() -> T) -> T {
    let call = black_box(call);
    c::paint_stack();
    c::measure_start();
    let result = black_box(apart(call));
    c::measure_end();
    result
}

#[inline(never)]
fn apart<T>(call: impl FnOnce() -> T) -> T {
    call()
}

#[unsafe(no_mangle)]
extern "C" fn run() -> i32 {
    crate::driver::run()
}

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        safe fn fault() -> !;
    }
    emit_text(c"panic");
    fault()
}
