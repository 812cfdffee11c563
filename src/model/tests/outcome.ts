import type { Axes, StepId } from '../ids.js';
import type { Infer } from '../schema/infer.js';
import type * as schema from '../schema/outcome.js';

/** Phases of an attempt of a release test, in their order. */
export const TEST_PHASES = ['setUp', 'cluster', 'nodes', 'prepare', 'run', 'results', 'alerts'] as const;
export type TestPhase = (typeof TEST_PHASES)[number];

/** Result of one attempt of a release test. A passed attempt has no code, no class and Ray's number 0.
 * Record `outcomes/<pipeline>/<run>/<test>/<repeat>-<attempt>`, written before the body throws. */
export type Outcome = Infer<typeof schema.Outcome>;

/** Limits of a record. */
export const OUTCOME_LIMITS = {
  lines: 100,
  lineCharacters: 2000,
  resultCharacters: 65_536,
  resultLevels: 100,
  messageCharacters: 2000,
  patternCharacters: 4000,
  lostNodes: 100,
  tested: 200,
} as const;

/** Cuts what is longer than a record may be: the last lines stay. */
export function boundedOutcome(outcome: Outcome): Outcome {
  const most = OUTCOME_LIMITS;
  const { results, nodes } = outcome;
  return {
    ...outcome,
    message: outcome.message.slice(0, most.messageCharacters),
    results: results !== null && isRecordable(results) ? results : null,
    lastLogs: outcome.lastLogs.slice(-most.lines).map((line) => line.slice(0, most.lineCharacters)),
    crashPattern: outcome.crashPattern.slice(0, most.patternCharacters),
    tested: outcome.tested.slice(0, most.tested),
    nodes: { seen: nodes.seen, lost: nodes.lost.slice(0, most.lostNodes) },
  };
}

/** True if results are small enough for a record, and not nested too deep for programs that read it. */
export const isRecordable = (results: object): boolean =>
  isWithin(results, OUTCOME_LIMITS.resultLevels) && JSON.stringify(results).length <= OUTCOME_LIMITS.resultCharacters;

/** True if a value nests at most `levels` objects or arrays below its own. */
const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels >= 0 && Object.values(value).every((one) => isWithin(one, levels - 1)));

/** Name of a test in records, and the repeat of a step: `tests/many_nodes/cp311/2` is `many_nodes@cp311`, repeat 2.
 * A test has one name for all its repeats. No entry's name holds "@". */
export function testOf({ id, axes }: { readonly id: StepId; readonly axes: Axes }): {
  readonly test: string;
  readonly repeat: number;
} {
  const { repeat, ...others } = axes;
  const values = Object.keys(others)
    .sort()
    .map((axis) => others[axis]);
  return { test: [id.split('/')[1], ...values].join('@'), repeat: Number(repeat ?? 1) };
}

/** Entry of a test in records: `many_nodes` of `many_nodes@cp311`. */
export const entryOf = (test: string): string => test.split('@', 1)[0]!;

/** True for a step of a test: of one variant for a name in records, of every variant for the name of an entry. The axes of an id
 * and of a name in records have different orders, and only the id has the repeat. */
export function isStepOf(id: StepId, test: string): boolean {
  const [section, entry, ...axes] = id.split('/');
  if (section !== 'tests' || entry !== entryOf(test)) return false;
  if (entry === test) return true;
  const rest = [...axes];
  for (const value of test.split('@').slice(1)) {
    const at = rest.indexOf(value);
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return rest.length === 0 || (rest.length === 1 && /^\d+$/.test(rest[0]!));
}
