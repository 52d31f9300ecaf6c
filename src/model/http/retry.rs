//! Whether and when to ask again.

use std::time::{Duration, SystemTime};

use crate::model::{ModelError, ModelErrorKind};

/// How long the first wait is at most, and any that nobody asked for.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// What is tried again, and how often.
#[derive(Debug)]
pub(super) struct Retries {
    left: u32,
    next_wait: Duration,
    max_wait: Duration,
}

impl Retries {
    pub(super) fn new(retries: u32, max_wait: Duration) -> Self {
        Self { left: retries, next_wait: FIRST_WAIT, max_wait }
    }

    /// How long to wait before asking again. `None` if there is no point in it. `asked` is what the server asks for,
    /// and `luck` is from 0 to 1.
    pub(super) fn wait(&mut self, error: &ModelError, asked: Option<Duration>, luck: f64) -> Option<Duration> {
        let asked = asked.unwrap_or_default();
        if self.left == 0 || asked > self.max_wait || !is_passing(error) {
            return None;
        }
        self.left -= 1;
        // Those that were refused together do not come back together, nor does anyone before the time.
        let wait = self.next_wait.min(self.max_wait).mul_f64(0.5 + luck.clamp(0.0, 1.0) / 2.0);
        self.next_wait = self.next_wait.saturating_mul(2).min(LONGEST_WAIT);
        Some(asked.saturating_add(wait))
    }
}

/// Whether it may be over soon.
fn is_passing(error: &ModelError) -> bool {
    match (error.kind(), error.status()) {
        (ModelErrorKind::Unavailable, Some(status)) => matches!(status, 500 | 502 | 503 | 504 | 529),
        (kind, _) => matches!(
            kind,
            ModelErrorKind::Connect
                | ModelErrorKind::RateLimited
                | ModelErrorKind::Unavailable
                | ModelErrorKind::Interrupted
        ),
    }
}

/// How long a server asks to be left alone: `Retry-After` is seconds or a date.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        // Longer than anyone waits, where it is no time at all.
        return (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::of_kind(kind, "no")
    }

    #[test]
    fn waits_double_to_a_bound() {
        let mut retries = Retries::new(7, MINUTE);
        let mut waits = Vec::new();
        while let Some(wait) = retries.wait(&error(ModelErrorKind::Connect), None, 1.0) {
            waits.push(wait.as_millis());
        }
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
        let shortest = Retries::new(1, MINUTE).wait(&error(ModelErrorKind::Connect), None, 0.0);
        assert_eq!(shortest, Some(Duration::from_millis(250)));
        let bound = Retries::new(1, Duration::from_millis(20)).wait(&error(ModelErrorKind::Connect), None, 1.0);
        assert_eq!(bound, Some(Duration::from_millis(20)));
    }

    #[test]
    fn as_long_as_the_server_asks_for() {
        let limited = error(ModelErrorKind::RateLimited).with_status(429);
        let wait = Retries::new(1, MINUTE).wait(&limited, Some(MINUTE), 0.0);
        assert_eq!(wait, Some(MINUTE + Duration::from_millis(250)));
        assert_eq!(Retries::new(1, MINUTE).wait(&limited, Some(MINUTE + Duration::from_secs(1)), 0.0), None);
    }

    #[test]
    fn what_is_tried_again() {
        let again = |error: ModelError| Retries::new(1, MINUTE).wait(&error, None, 0.0).is_some();
        for status in [500, 502, 503, 504, 529] {
            assert!(again(error(ModelErrorKind::Unavailable).with_status(status)), "{status}");
        }
        assert!(again(error(ModelErrorKind::RateLimited).with_status(429)));
        assert!(again(error(ModelErrorKind::Interrupted)));
        assert!(!again(error(ModelErrorKind::Unavailable).with_status(501)));
        for kind in [ModelErrorKind::Setup, ModelErrorKind::Timeout, ModelErrorKind::Protocol, ModelErrorKind::Other] {
            assert!(!again(error(kind)), "{kind}");
        }
        assert!(!again(error(ModelErrorKind::Unauthorized).with_status(401)));
        assert!(!again(error(ModelErrorKind::Rejected).with_status(400)));
        assert_eq!(Retries::new(0, MINUTE).wait(&error(ModelErrorKind::Connect), None, 0.0), None);
    }

    #[test]
    fn seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let after = |value| retry_after(value, now);
        assert_eq!(after("7"), Some(Duration::from_secs(7)));
        assert_eq!(after(" 0.5 "), Some(Duration::from_millis(500)));
        assert_eq!(after("Sun, 06 Nov 1994 08:50:37 GMT"), Some(MINUTE));
        assert_eq!(after("Sunday, 06-Nov-94 08:50:37 GMT"), Some(MINUTE));
        assert_eq!(after("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO), "it is over");
        assert_eq!(after("1e300"), Some(Duration::MAX));
        for odd in ["", "soon", "-3", "NaN", "12 s"] {
            assert_eq!(after(odd), None, "{odd}");
        }
    }
}
