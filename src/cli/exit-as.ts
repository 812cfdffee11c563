import { fail, type Problem } from '../model/failure.js';
import { rowOf } from '../model/kinds.js';
import type { RunStatus, StepStatus } from '../model/messages.js';
import { classOf } from '../engine/run/next-after-failure.js';
import type { ExitCode, ForeignExit } from './command.js';
import { notAnExitList, waitsForNothing } from './errors.js';

/** Tools whose exit codes `slipway run` can end with. */
const LISTS = ['ray', 'buildkite'] as const;
export type ExitList = (typeof LISTS)[number];

/** Ray's code that makes Buildkite start the job again, and the longest run that it starts again. */
const AGAIN = 79;
const AGAIN_WITHIN_MS = 3 * 3_600_000;
/** Code of a failed step that is neither a test on a cluster nor an image. */
const FAILED = 1;
/** Code of a test whose worker was lost: it ended without a word of its cluster. */
const LOST = 19;
/** Codes of an image that was not built, and of one whose build reached a limit. */
const IMAGE_NOT_BUILT = 14;
const IMAGE_TIMED_OUT = 31;

/** Returns the list that `--exit-as` names. Null without that option. Throws NOT_AN_EXIT_LIST, and EXIT_AS_NOTHING with `--no-wait`. */
export function exitListIn({ exitAs, wait }: Readonly<Record<string, string | boolean | undefined>>): ExitList | null {
  if (exitAs === undefined) return null;
  const found = LISTS.find((list) => list === exitAs);
  if (found === undefined) throw fail(notAnExitList(String(exitAs), LISTS));
  if (wait === false) throw fail(waitsForNothing());
  return found;
}

/** Returns the code of the worst failed or held step in another tool's list. A run without such a step keeps its own code.
 * Failures of the product are worse than wrong settings, and both are worse than `infra` and `lost`. */
export function exitAs(list: ExitList, status: RunStatus, own: ExitCode): ExitCode {
  const failed = status.steps.flatMap(failureOf);
  if (own === 0 || failed.length === 0) return own;
  const [worst] = failed.sort((a, b) => b.rank - a.rank || b.number - a.number);
  const tookMs = (status.endedAt ?? Infinity) - status.startedAt;
  const again = list === 'buildkite' && worst!.rank === 0 && tookMs <= AGAIN_WITHIN_MS;
  return (again ? AGAIN : worst!.number) as ForeignExit;
}

interface Failure {
  readonly rank: number;
  readonly number: number;
}

function failureOf({ kind, state, problems = [] }: StepStatus): readonly Failure[] {
  if (state !== 'failed' && state !== 'held') return [];
  return [{ rank: rankOf(problems), number: numberOf(problems, kind) }];
}

function rankOf(problems: readonly Problem[]): number {
  const found = classOf(problems);
  if (found === 'infra' || found === 'lost') return 0;
  return found === 'product' ? 2 : 1;
}

function numberOf(problems: readonly Problem[], kind: StepStatus['kind']): number {
  const numbers = problems.map(({ details }) => details?.['ray']).filter((one) => typeof one === 'number');
  return Math.max(withoutWord(problems, kind), ...numbers);
}

/** Code of a step whose problems do not say one. */
function withoutWord(problems: readonly Problem[], kind: StepStatus['kind']): number {
  if (kind === 'buildImage')
    return problems.some(({ code }) => code === 'LIMIT_REACHED') ? IMAGE_TIMED_OUT : IMAGE_NOT_BUILT;
  return rowOf(kind)?.test === 'recorded' && classOf(problems) === 'lost' ? LOST : FAILED;
}
