//! All laws, on answers that come in rounds: each byte 0xFE ends one. What a round repeats need not be found by chance:
//! 0xFD and a count stand for so many bytes before its start, 0xFC for all of them.
#![no_main]

use jsonrill_fuzz::rounds::Rounds;

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Rounds);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(rounds) = Rounds::read(data) else { return };
    if let Err(fault) = rounds.check() {
        panic!("{rounds:?}: {fault}");
    }
});
