import type { QuietAlike, QuietRow, RunStatus, StepState, StepStatus } from './messages.js';

const LOUD: readonly StepState[] = ['running', 'backing off', 'held', 'at gate', 'failed'];

const hasMuchToTell = ({ state, problems, gate, againAt, heldAt, queued }: StepStatus): boolean =>
  LOUD.includes(state) || [problems, gate, againAt, heldAt, queued].some((one) => one !== undefined);

/** The status with only the loud steps told in full.
 * @param isLoud by default: those that run, wait for somebody or went wrong */
export function inBrief(status: RunStatus, isLoud = hasMuchToTell): RunStatus {
  const known = new Map<string, number>();
  const quiet = { loud: [] as number[], alike: [] as QuietAlike[], rows: [] as QuietRow[] };
  const steps: StepStatus[] = [];
  let before = '';
  status.steps.forEach((step, number) => {
    if (isLoud(step)) {
      quiet.loud.push(number);
      steps.push(step);
      return;
    }
    const { id, kind, stage, state, attempt, because } = step;
    const key = `${kind} ${stage} ${state} ${attempt} ${because}`;
    const at =
      known.get(key) ??
      quiet.alike.push({ kind, stage, state, attempt, ...(because !== undefined && { because }) }) - 1;
    known.set(key, at);
    quiet.rows.push(rowOf(at, sharedStart(before, id), step, status.startedAt));
    before = id;
  });
  return { ...status, steps, quiet };
}

function rowOf(alike: number, shared: number, { id, startedAt, ms, note }: StepStatus, since: number): QuietRow {
  const rest = id.slice(shared);
  const started = startedAt === undefined ? null : startedAt - since;
  if (note !== undefined && note !== '') return [alike, shared, rest, started, ms ?? null, note];
  if (ms !== undefined) return [alike, shared, rest, started, ms];
  return started === null ? [alike, shared, rest] : [alike, shared, rest, started];
}

/** The status with all steps as they stand in the plan. */
export function inFull({ quiet, ...status }: RunStatus): RunStatus {
  if (quiet === undefined) return status;
  const steps: StepStatus[] = [];
  quiet.loud.forEach((number, at) => (steps[number] = status.steps[at]!));
  let id = '';
  let next = 0;
  for (const [alike, shared, rest, started, ms, note] of quiet.rows) {
    while (steps[next] !== undefined) next++;
    id = id.slice(0, shared) + rest;
    steps[next] = {
      id,
      ...quiet.alike[alike]!,
      ...(typeof started === 'number' && { startedAt: started + status.startedAt }),
      ...(typeof ms === 'number' && { ms }),
      ...(note !== undefined && { note }),
    };
  }
  return { ...status, steps };
}

/** How many characters both begin with. */
export function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}
