//! Timing by turns: A B C A B C …, so that whatever else the machine does falls on all alike.

use std::any::Any;
use std::time::{Duration, Instant};

/// One way to do a job. What a run returns is dropped after the clock has stopped.
pub struct Lane<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> (Duration, Box<dyn Any>) + 'a>,
}

impl<'a> Lane<'a> {
    pub fn new<T: 'static>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        Self::after(name, || (), move |()| run())
    }

    /// What it begins with is made before the clock starts.
    pub fn after<S, T: 'static>(
        name: &'static str,
        mut prepare: impl FnMut() -> S + 'a,
        mut run: impl FnMut(S) -> T + 'a,
    ) -> Self {
        let timed = move || -> (Duration, Box<dyn Any>) {
            let prepared = prepare();
            let start = Instant::now();
            let made = run(prepared);
            (start.elapsed(), Box::new(made))
        };
        Self { name, run: Box::new(timed) }
    }
}

/// The times of one lane, in nanoseconds, one a round.
pub struct Times {
    pub name: &'static str,
    rounds: Vec<f64>,
}

/// A median and the quartiles around it.
#[derive(Clone, Copy)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Spread {
    pub fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |share: usize| samples[(samples.len() - 1) * share / 4];
        Self { median: at(2), low: at(1), high: at(3) }
    }

    pub fn scaled(self, factor: f64) -> Self {
        Self { median: self.median * factor, low: self.low * factor, high: self.high * factor }
    }
}

impl Times {
    pub fn spread(&self) -> Spread {
        Spread::of(self.rounds.clone())
    }

    /// How many times as long as `self` the other took, round by round.
    pub fn faster_than(&self, other: &Self) -> Spread {
        Spread::of(self.rounds.iter().zip(&other.rounds).map(|(own, other)| other / own).collect())
    }

    /// How much longer it took than the other, round by round.
    pub fn beyond(&self, other: &Self) -> Spread {
        Spread::of(self.rounds.iter().zip(&other.rounds).map(|(own, other)| own - other).collect())
    }
}

/// Runs all lanes `rounds` times by turns, after one round that warms up and is not counted.
pub fn race(rounds: usize, lanes: Vec<Lane<'_>>) -> Vec<Times> {
    let mut lanes = lanes;
    let mut times: Vec<Times> = lanes.iter().map(|lane| Times { name: lane.name, rounds: Vec::new() }).collect();
    for round in 0..=rounds {
        for turn in 0..lanes.len() {
            // Another one begins each time, so that none always follows the same one.
            let index = (turn + round) % lanes.len();
            let (time, made) = (lanes[index].run)();
            drop(std::hint::black_box(made));
            if round > 0 {
                times[index].rounds.push(time.as_secs_f64() * 1e9);
            }
        }
    }
    times
}
