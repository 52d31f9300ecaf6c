//! The alignment of two lists that are mostly the same.
//!
//! Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), behind what both ends have in common, and only as
//! far as the lists are much alike.

/// How many additions and removals are looked for at most, together. The memory is that squared, and the time at most
/// that times the lists' length.
const EDITS: usize = 400;

/// Which of the first list is which of the second, both in order. Where the lists differ in more than so many places it
/// is only what both ends have in common.
pub(super) fn align<T>(before: &[T], after: &[T], name: impl Fn(&T) -> u64) -> Vec<(usize, usize)> {
    let same = |old: &T, new: &T| name(old) == name(new);
    let start = before.iter().zip(after).take_while(|(old, new)| same(old, new)).count();
    let (old_rest, new_rest) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| same(old, new)).count();
    let olds: Vec<u64> = old_rest.iter().take(old_rest.len() - end).map(&name).collect();
    let news: Vec<u64> = new_rest.iter().take(new_rest.len() - end).map(&name).collect();

    let mut pairs: Vec<_> = (0..start).map(|at| (at, at)).collect();
    pairs.extend(shortest(&olds, &news).into_iter().map(|(old, new)| (old + start, new + start)));
    pairs.extend((0..end).map(|at| (before.len() - end + at, after.len() - end + at)));
    pairs
}

/// The pairs of a shortest way from one list to the other, nothing if it has too many steps.
fn shortest(before: &[u64], after: &[u64]) -> Vec<(usize, usize)> {
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let length = |list: &[u64]| isize::try_from(list.len()).unwrap_or(isize::MAX);
    let (olds, news) = (length(before), length(after));
    let at = |list: &[u64], at: isize| usize::try_from(at).ok().and_then(|at| list.get(at).copied());
    // How far each diagonal has got after so many steps, from -steps to +steps.
    let mut trace: Vec<Vec<isize>> = Vec::new();
    let mut done = None;
    for steps in 0..=isize::try_from(EDITS).unwrap_or(0) {
        let mut row = Vec::with_capacity(usize::try_from(2 * steps + 1).unwrap_or(0));
        for diagonal in -steps..=steps {
            let mut old = from_last(trace.last(), steps, diagonal).0;
            while at(before, old).is_some() && at(before, old) == at(after, old - diagonal) {
                old += 1;
            }
            row.push(old);
            if old >= olds && old - diagonal >= news {
                done = Some((steps, diagonal));
                break;
            }
        }
        trace.push(row);
        if done.is_some() {
            break;
        }
    }
    // Back again, from the end.
    let mut pairs = Vec::new();
    let Some((mut steps, mut diagonal)) = done else { return pairs };
    let mut old = olds;
    loop {
        let last = usize::try_from(steps - 1).ok().and_then(|steps| trace.get(steps));
        let (start, from) = from_last(last, steps, diagonal);
        while old > start {
            old -= 1;
            pairs.extend(usize::try_from(old).ok().zip(usize::try_from(old - diagonal).ok()));
        }
        let Some(from) = from else { break };
        // The step is an addition, or the removal of one more of the old list.
        old = if from < diagonal { start - 1 } else { start };
        (steps, diagonal) = (steps - 1, from);
    }
    pairs.reverse();
    pairs
}

/// Where a diagonal begins with this step, and the diagonal that it comes from.
fn from_last(last: Option<&Vec<isize>>, steps: isize, diagonal: isize) -> (isize, Option<isize>) {
    let Some(last) = last else { return (0, None) };
    let reach = |diagonal: isize| {
        let at = usize::try_from(diagonal + steps - 1).ok()?;
        last.get(at).copied()
    };
    match (reach(diagonal - 1), reach(diagonal + 1)) {
        (Some(removed), Some(added)) if removed < added => (added, Some(diagonal + 1)),
        (Some(removed), _) => (removed + 1, Some(diagonal - 1)),
        (None, Some(added)) => (added, Some(diagonal + 1)),
        (None, None) => (0, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of the longest common part, the slow way.
    fn longest(before: &[u64], after: &[u64]) -> usize {
        let mut row = vec![0; after.len() + 1];
        for old in before {
            let mut corner = 0;
            for (at, new) in after.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if old == new { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[after.len()]
    }

    #[test]
    fn as_much_as_there_is() {
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let kinds = 1 + random(6);
            let lengths = [random(14), random(14)];
            let [before, after] = lengths.map(|length| (0..length).map(|_| random(kinds)).collect::<Vec<_>>());
            let pairs = align(&before, &after, |name| *name);
            assert!(pairs.iter().all(|(old, new)| before[*old] == after[*new]), "{before:?} {after:?} {pairs:?}");
            let is_sorted = pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
            assert!(is_sorted, "{before:?} {after:?} {pairs:?}");
            // What both ends have in common may always be taken, so this is the longest, too.
            assert_eq!(pairs.len(), longest(&before, &after), "{before:?} {after:?} {pairs:?}");
        }
    }

    #[test]
    fn lists_that_have_nothing_in_common_take_no_time() {
        let before: Vec<u64> = (0..100_000).collect();
        let after: Vec<u64> = (100_000..200_000).collect();
        assert_eq!(align(&before, &after, |name| *name), []);
        let shifted: Vec<u64> = (1..100_001).collect();
        assert_eq!(align(&before, &shifted, |name| *name).len(), 99_999);
    }
}
