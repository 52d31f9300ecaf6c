//! How an answer is accumulated.

use crate::continuation::progress::KpiSet;
use crate::continuation::prompt::{ContinuationTemplate, KpiTemplate};
use crate::frozen::ContextOptions;
use crate::parser::Options;

/// How many rounds there are at most, the first one included.
const ROUNDS: u32 = 10;

/// How many bytes the rounds have at most, together.
const BYTES: u64 = 16 * 1024 * 1024;

/// How many rounds in a row may have nothing new.
const REPEATS: u32 = 2;

/// How many characters of an answer's structure a prompt has at most.
const STRUCTURE: usize = 8_000;

/// How an answer is accumulated: how often the model is asked, and what.
///
/// A round that brings nothing is one of these ([`Conclusion`](crate::Conclusion)):
///
/// | | |
/// |---|---|
/// | `ModelFailed` | the model could not be asked, or the response broke off; what has come of it is kept |
/// | `Empty` | the response has no text, or blanks alone |
/// | `Refused` | it has text, and none of it is part of the document |
/// | `NoProgress` | no KPI is larger than before; where nobody defined any, nothing was added to the document |
///
/// [`patience`](Self::patience) says how many of them in a row are borne, whichever they are (but a model that cannot be
/// asked at all, by its [kind of error](crate::ModelErrorKind::may_pass), is not asked again). By default that is none:
/// the first one is the last, and says why. Whole rounds with text have a second bound, the
/// [`repeat_limit`](Self::repeat_limit): rounds that add nothing to the document, *and rounds that say what an earlier
/// one said*. The latter may well make KPIs larger, such as the same ten elements over and over. That is what it is for
/// without patience (`Repeated`); with patience it also ends rounds that add nothing before the patience does.
///
/// ```
/// use jsonrill::{AccumulationOptions, ContextOptions, ContinuationTemplate};
///
/// let options = AccumulationOptions::new()
///     .round_limit(4)
///     .contexts(ContextOptions::new().total_limit(Some(2_000)))
///     .continuation_template(ContinuationTemplate::new("Go on:\n{{hierarchy}}")?);
/// # Ok::<(), jsonrill::TemplateError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AccumulationOptions {
    pub(super) parser: Options,
    pub(super) round_limit: u32,
    pub(super) byte_limit: u64,
    pub(super) repeat_limit: Option<u32>,
    pub(super) patience: u32,
    pub(super) stop_at_targets: bool,
    pub(super) contexts: ContextOptions,
    pub(super) ask_for_kpis: bool,
    pub(super) kpis: Option<KpiSet>,
    pub(super) continuation: ContinuationTemplate,
    pub(super) kpi: KpiTemplate,
}

impl Default for AccumulationOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl AccumulationOptions {
    /// At most 10 rounds of 16 MiB together, the end at the second in a row with nothing new, and no patience; KPIs
    /// that the model defines; a lenient parser; prompts with at most 8000 characters of structure.
    #[must_use]
    pub fn new() -> Self {
        Self {
            parser: Options::new(),
            round_limit: ROUNDS,
            byte_limit: BYTES,
            repeat_limit: Some(REPEATS),
            patience: 0,
            stop_at_targets: true,
            contexts: ContextOptions::new().total_limit(Some(STRUCTURE)),
            ask_for_kpis: true,
            kpis: None,
            continuation: ContinuationTemplate::default(),
            kpi: KpiTemplate::default(),
        }
    }

    /// How the text is read. In any case the source is kept, for the prompts are made of it, and the answer is one
    /// document ([`Roots::One`](crate::Roots::One)).
    #[must_use]
    pub fn parser(mut self, options: Options) -> Self {
        self.parser = options;
        self
    }

    /// How many rounds there are at most, the first one included. 0 means 1. The call that defines KPIs is no round.
    #[must_use]
    pub fn round_limit(mut self, rounds: u32) -> Self {
        self.round_limit = rounds.max(1);
        self
    }

    /// How many bytes of text the rounds have at most, together. The text is read exactly up to the limit.
    #[must_use]
    pub fn byte_limit(mut self, bytes: u64) -> Self {
        self.byte_limit = bytes;
        self
    }

    /// With how many rounds in a row that have nothing new no more are asked for: rounds that add nothing to the
    /// document, and rounds whose text is that of an earlier one. Rounds that failed, were refused or are empty are
    /// left to [`patience`](Self::patience). 2 by default; 0 means 1; `None` looks for no repeats.
    #[must_use]
    pub fn repeat_limit(mut self, rounds: Option<u32>) -> Self {
        self.repeat_limit = rounds.map(|rounds| rounds.max(1));
        self
    }

    /// How many rounds in a row may bring no progress, be refused, be empty or fail, and another one is asked for all
    /// the same. 0 by default: the first one is the last. A round that brings progress begins the count anew.
    ///
    /// Some patience is in place where a model fails now and then, and for long strings: KPIs count values, and while a
    /// single string takes more than a round no count grows. (Where nobody defined KPIs, it does without: there, any
    /// round that adds to the document brings progress.)
    ///
    /// The next round is asked for at once; a model that is to be given time can wait before it answers. It is asked to
    /// go on with what there is. Where there is nothing of the document yet it is asked for the answer itself once
    /// more, and what it said before is no part of the text. A call for KPIs is not repeated: it may fail as it does
    /// without patience.
    ///
    /// ```
    /// use futures::executor::block_on;
    /// use jsonrill::{AccumulationOptions, Conclusion, ScriptedModel, ScriptedReply, accumulate};
    ///
    /// let model = ScriptedModel::new([
    ///     ScriptedReply::new(["[1, 2, "], "length"),
    ///     ScriptedReply::broken([""; 0], "overloaded"),
    ///     ScriptedReply::new(["Sorry, I lost the thread."], "stop"),
    ///     ScriptedReply::new(["3]"], "stop"),
    /// ]);
    /// let options = AccumulationOptions::new().ask_for_kpis(false).patience(2);
    /// let report = block_on(accumulate(&model, "Count to three, as JSON.", options).report());
    /// assert_eq!((report.conclusion, report.rounds.len()), (Conclusion::Complete, 4));
    /// assert_eq!(report.snapshot().to_string(), "[1,2,3]");
    /// ```
    #[must_use]
    pub fn patience(mut self, rounds: u32) -> Self {
        self.patience = rounds;
        self
    }

    /// Whether no more rounds are asked for when all KPIs are where they are to be, although the document is still
    /// open. On by default, and an element that has only just begun does not count. The first round is not judged:
    /// where it has reached all targets and was cut, one more is asked for, because a model that has seen only part of
    /// an answer may be wrong about the whole. Without it, rounds go on until the document is whole, as long as they
    /// add to it.
    #[must_use]
    pub fn stop_at_targets(mut self, stop: bool) -> Self {
        self.stop_at_targets = stop;
        self
    }

    /// How much of the answer the prompts show.
    #[must_use]
    pub fn contexts(mut self, options: ContextOptions) -> Self {
        self.contexts = options;
        self
    }

    /// Whether the model is asked to define KPIs, in a call of its own after the first round, if that was cut. On by
    /// default; the first 20 are used. Without it, and where the model defines none, the number of leaves is counted.
    #[must_use]
    pub fn ask_for_kpis(mut self, ask: bool) -> Self {
        self.ask_for_kpis = ask;
        self
    }

    /// KPIs of your own. Then the model is not asked for any.
    #[must_use]
    pub fn kpis(mut self, kpis: KpiSet) -> Self {
        self.kpis = Some(kpis);
        self
    }

    /// The prompt that asks for the rest, in words of your own.
    #[must_use]
    pub fn continuation_template(mut self, template: ContinuationTemplate) -> Self {
        self.continuation = template;
        self
    }

    /// The prompt that asks for KPIs, in words of your own.
    #[must_use]
    pub fn kpi_template(mut self, template: KpiTemplate) -> Self {
        self.kpi = template;
        self
    }
}
