import * as is from '../check.js';
import { STANDING_NAMES } from './standing.js';

/** Checks of records as anybody may have written them. `slipway tests` uses them: a schema library takes longer to load than the
 * rest of the command. */
const text = is.text(2000);
const time = is.text(40, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
const no = is.whole(0, 999_999);
const flag = is.oneOf(true, false);
const state = is.oneOf(...STANDING_NAMES);
const MOST_TESTS = 20_000;

const issue = is.shape({ number: is.whole(1), open: flag });
const jail = is.shape({ owner: text, until: time, reason: text, by: is.orNull(text) });

const standing = is.shape({
  ...{ title: text, state, since: no, letters: is.text(400, /^[PpFIS]*$/) },
  ...{ owner: is.orNull(text), team: is.orNull(text), jail: is.orNull(jail), served: is.maybe(is.oneOf(true)) },
  ...{ issue: is.orNull(issue), blamed: is.orNull(text) },
});

const night = is.shape({ no, run: text, label: text, at: time, commit: is.orNull(text) });

const labels = is.list(text, 100);
const consequence = is.either(
  is.shape({ do: is.oneOf('bisect'), good: text, bad: text }),
  is.shape({ do: is.oneOf('openIssue'), labels, blocker: flag }),
  is.shape({
    ...{ do: is.oneOf('comment'), issue: is.orNull(is.whole(1)), text: is.text(10_000) },
    ...{ addLabels: labels, removeLabels: labels },
  }),
  is.shape({ do: is.oneOf('closeIssue'), issue: is.orNull(is.whole(1)), text }),
);
const move = is.shape({ test: text, from: state, to: state, because: text, consequences: is.list(consequence, 10) });

/** Returns the place at which a record is no `Standings`, and why. Null if it is one. */
export const standingsFault = is.shape({
  ...{ slipway: is.oneOf(1), pipeline: text, profile: text, branch: text, actions: no },
  nights: is.list(night, 400),
  tests: is.table(standing, MOST_TESTS),
  moves: is.list(move, 2 * MOST_TESTS),
});

const said = { slipway: is.oneOf(1), test: text, by: text, at: time };

/** Returns the place at which a record is no `TestAction`, and why. Null if it is one. */
export const testActionFault = is.either(
  is.shape({ ...said, action: is.oneOf('jail'), owner: text, until: time, reason: text }),
  is.shape({ ...said, action: is.oneOf('unjail'), reason: text }),
  is.shape({ ...said, action: is.oneOf('issue'), issue }),
  is.shape({ ...said, action: is.oneOf('blame'), commits: text }),
);
