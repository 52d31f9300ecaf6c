//! All laws, on texts made of damaged JSON.
#![no_main]

use jsonrill_fuzz::damaged::Case;

libfuzzer_sys::fuzz_target!(|case: Case| {
    if let Err(fault) = case.check() {
        panic!("{case:?}: {fault}");
    }
});
