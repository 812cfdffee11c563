import type { Consequence, Night, Standing, StandingName } from '../../model/tests/standing.js';

const JAILED_LABEL = 'jailed-test';
/** Labels of Ray's own issues, so that its queries find them. */
const LABELS = ['P0', 'bug', 'release-test', 'ray-test-bot', 'stability', 'triage'] as const;
const FLAKY_LABELS = ['bug', 'release-test', 'ray-test-bot', 'flaky-tracker', 'stability', 'triage'] as const;

export interface Moved {
  /** The test before and after its move, with the letters of the night. */
  readonly before: Standing;
  readonly after: Standing;
  readonly because: string;
  /** Nights that the letters are about, the oldest first. */
  readonly nights: readonly Night[];
}

/** Returns what is to be done after a move. Nothing is done here. */
export function consequencesOf(moved: Moved): readonly Consequence[] {
  const { before, after, nights } = moved;
  if (before.state === after.state) return news(moved);
  switch (after.state) {
    case 'failing':
      return bisect(after, nights);
    case 'consistently failing':
      return before.state === 'jailed' ? [unjailed(moved)] : [issue(after, LABELS)];
    case 'flaky':
      return [issue(after, FLAKY_LABELS)];
    case 'jailed':
      return [jailed(moved)];
    case 'passing':
      return NEVER_TOLD.includes(before.state) ? [] : [closed(moved)];
    default:
      return after.state satisfies never;
  }
}

/** A comment on the issue of a test that keeps its state. */
const news = ({ before, because }: Moved): readonly Consequence[] =>
  NEVER_TOLD.includes(before.state) ? [] : [commentOn(before, `${because[0]!.toUpperCase()}${because.slice(1)}.`)];

/** A test has no issue in these states. */
const NEVER_TOLD: readonly StandingName[] = ['passing', 'failing'];

function bisect({ letters }: Standing, nights: readonly Night[]): readonly Consequence[] {
  const span = spanOf(letters, nights);
  return span === null ? [] : [{ do: 'bisect', ...span }];
}

/** Commits between which a test began to fail: of its last pass, and of the first failure after it. Null without a pass, and where
 * both are the same commit. */
export function spanOf(
  letters: string,
  nights: readonly Night[],
): { readonly good: string; readonly bad: string } | null {
  const first = nights.length - letters.length;
  const pass = Math.max(letters.lastIndexOf('P'), letters.lastIndexOf('p'));
  const fault = letters.indexOf('F', pass);
  const [good, bad] = [nights[first + pass]?.commit ?? null, nights[first + fault]?.commit ?? null];
  if (pass < 0 || fault < 0 || good === null || bad === null || good === bad) return null;
  return { good, bad };
}

const issue = ({ owner }: Standing, labels: readonly string[]): Consequence => ({
  do: 'openIssue',
  labels: owner === null ? labels : [...labels, owner],
  blocker: true,
});

type Comment = Extract<Consequence, { do: 'comment' }>;

const commentOn = ({ issue }: Standing, text: string, labels: Partial<Comment> = {}): Comment => ({
  ...{ do: 'comment', issue: issue?.number ?? null, text, addLabels: [], removeLabels: [] },
  ...labels,
});

const jailed = ({ before, after, because }: Moved): Consequence =>
  commentOn(before, `Jailed until ${after.jail?.until ?? ''}: ${because}. It blocks no release until then.`, {
    addLabels: [JAILED_LABEL],
  });

const unjailed = ({ before, because }: Moved): Consequence =>
  commentOn(before, `Not jailed any more: ${because}. It blocks releases again.`, { removeLabels: [JAILED_LABEL] });

function closed({ before, nights }: Moved): Consequence {
  const { label = '', run = '', commit = null } = nights.at(-1) ?? {};
  const text = `Passed in ${label} (run ${run})${commit === null ? '' : ` at ${commit}`}.`;
  return { do: 'closeIssue', issue: before.issue?.number ?? null, text };
}
