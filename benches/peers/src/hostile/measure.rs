//! Time and memory of one operation on one text, and whether they grow as the text does.

use std::time::Duration;

use cpu_time::ThreadTime;
use jsonrill_bench_peers::counting;

use crate::float;

/// Ten times as much text may take so many times as long a byte. What is linear takes once as long, and up to twice
/// where it no longer fits in a cache; what is quadratic takes ten times as long.
pub const TIME: f64 = 4.0;

/// What takes fewer nanoseconds a byte is not compared: getting the memory takes as long.
const FLOOR: f64 = 2.0;

/// Ten times as much text may hold so many times as much memory a byte: where blocks double, up to twice as much is held
/// as is used. What is quadratic holds ten times as much.
pub const MEMORY: f64 = 2.5;

/// No operation may hold more bytes for each byte of any text.
pub const BYTES: f64 = 400.0;

/// What an operation took on a text of one size.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    bytes: usize,
    pub time: Duration,
    /// The most bytes of heap that were held at a time, the text aside.
    peak: u64,
}

impl Cost {
    pub fn nanoseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / float(self.bytes)
    }

    pub fn held(&self) -> f64 {
        float(usize::try_from(self.peak).unwrap_or(usize::MAX)) / float(self.bytes)
    }
}

/// The shortest of several runs, in the time that this thread ran: whatever else the machine does makes it longer only.
pub fn cost(text: &[u8], runs: usize, operation: &dyn Fn(&[u8]) -> u64) -> Cost {
    let mut time = Duration::MAX;
    let mut peak = 0;
    for _ in 0..runs {
        counting::start();
        let start = ThreadTime::now();
        let tally = operation(text);
        time = time.min(start.elapsed());
        peak = u64::try_from(counting::stop().peak).unwrap_or_default();
        std::hint::black_box(tally);
    }
    Cost { bytes: text.len(), time, peak }
}

/// Costs at sizes of which each is ten times the one before; fewer where one has grown too much.
#[derive(Debug, Clone)]
pub struct Growth {
    pub costs: Vec<Cost>,
    /// How many there would be.
    pub sizes: usize,
}

impl Growth {
    /// Measures, with texts of these sizes in so many runs each. What seems to grow too much is looked at again.
    pub fn measure(
        text: &dyn Fn(usize) -> Vec<u8>,
        sizes: &[(usize, usize)],
        operation: &dyn Fn(&[u8]) -> u64,
    ) -> Self {
        let mut growth = Self { costs: Vec::new(), sizes: sizes.len() };
        for (number, (size, runs)) in sizes.iter().enumerate() {
            growth.costs.push(cost(&text(*size), *runs, operation));
            for _ in 0..4 {
                if growth.is_bounded() {
                    break;
                }
                for (cost, (size, runs)) in growth.costs.iter_mut().zip(sizes).skip(number.saturating_sub(1)) {
                    let again = self::cost(&text(*size), *runs, operation);
                    cost.time = cost.time.min(again.time);
                }
            }
            if !growth.is_bounded() {
                break;
            }
        }
        growth
    }

    /// How many times as long each took a byte as the one before.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        self.costs.windows(2).map(|pair| pair[1].nanoseconds() / pair[0].nanoseconds())
    }

    fn memory(&self) -> impl Iterator<Item = f64> {
        // A small text has the fixed part of what is held.
        self.costs.windows(2).map(|pair| pair[1].held() / pair[0].held().max(1.0))
    }

    pub fn is_bounded(&self) -> bool {
        let judged = |cost: &Cost| cost.nanoseconds().max(FLOOR);
        self.costs.windows(2).all(|pair| judged(&pair[1]) <= TIME * judged(&pair[0]))
            && self.memory().all(|growth| growth <= MEMORY)
            && self.costs.iter().skip(1).all(|cost| cost.held() <= BYTES)
    }

    /// What went wrong, for a person.
    pub fn fault(&self) -> Option<String> {
        let last = self.costs.last()?;
        (!self.is_bounded()).then(|| {
            let times: Vec<_> = self.times().map(|growth| format!("{growth:.1}")).collect();
            let memory: Vec<_> = self.memory().map(|growth| format!("{growth:.1}")).collect();
            format!(
                "{:.0} ns and {:.0} bytes a byte at {} bytes; a byte takes {} times as long, and holds {} times as much",
                last.nanoseconds(),
                last.held(),
                last.bytes,
                times.join(", then "),
                memory.join(", then "),
            )
        })
    }

    /// The cost of the longest text.
    pub fn last(&self) -> &Cost {
        self.costs.last().expect("at least one size is measured")
    }
}
