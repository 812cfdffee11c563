import { createKeepStandings } from '../../../src/activities/standings/keep-standings.js';
import type { Bisects } from '../../../src/activities/standings/start-bisects.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { join } from 'node:path';
import type { Store } from '../../../src/activities/ports.js';
import type { Plan, Step, StepOf } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import { testOf, type Outcome } from '../../../src/model/tests/outcome.js';
import type { StandingsPolicy } from '../../../src/model/tests/standing.js';
import { POLICY, timeOf } from '../../engine/standings/a-night.js';
import { anOutcome } from '../../model/tests/an-outcome.js';
import { aPlan, aResult, aStep, runBody } from '../../support/run-body.js';

export const CHAIN = { pipeline: 'night', profile: 'local', branch: 'master' };

const PARAMS = {
  ...{ label: 'x', title: null, by: 'job', prepare: null, test: { run: 'true', limitMs: 1 }, env: {}, folder: null },
  ...{ long: false, result: null, artifact: null, alerts: [], python: null, smoke: false, pool: null, owner: 'core' },
  about: { team: 'core' },
} as unknown as StepOf<'runOnCluster'>['params'];

export const aClusterTest = (name: string, more: Partial<StepOf<'runOnCluster'>> = {}): StepOf<'runOnCluster'> =>
  aStep('runOnCluster', PARAMS, { id: `tests/${name}`, stage: 'tests', ...more });

/** Attempts of a step, or what else is left of it. */
export type Left = readonly (Partial<Outcome> | 'lost')[] | 'reused' | 'lost';

export interface Ran {
  readonly home: string;
  readonly day: number;
  readonly left: ReadonlyMap<StepOf<'runOnCluster'>, Left>;
  readonly store?: Store;
  readonly policy?: Partial<StandingsPolicy>;
  readonly branch?: string;
  readonly bisects?: Bisects;
}

/** Leaves in the store what cluster tests of one run leave, then keeps the standings. */
export async function aNightRan({ home, day, left, store: other, policy = {}, branch = 'master', bisects }: Ran) {
  const store = other ?? createDirectoryStore(join(home, 'store'));
  const run = `run-${day}`;
  for (const [step, what] of left) await leave(store, run, step, what, day);
  const plan: Partial<Plan> = {
    release: { name: 'night', version: `night-${day}` },
    source: { kind: 'git', commit: `${day}`.padEnd(40, 'c'), branch },
    steps: [...left.keys()] as unknown as Step[],
  };
  const step = aStep('keepStandings', { ...POLICY, ...policy }, { id: 'report/standings', stage: 'report' });
  const nowMs = () => Date.parse(timeOf(day));
  return runBody(createKeepStandings({ nowMs, ...(bisects && { bisects }) }), step, {
    ...{ home, run, plan: aPlan(plan) },
    ...(other && { surroundings: { store: other } }),
  });
}

async function leave(store: Store, run: string, step: StepOf<'runOnCluster'>, left: Left, day: number): Promise<void> {
  if (left === 'lost') return leave(store, run, step, ['lost'], day);
  const made = aResult(step);
  const from = left === 'reused' ? 'an-earlier-run' : run;
  const last = left === 'reused' ? undefined : left.at(-1);
  const passed = left === 'reused' || (last !== undefined && last !== 'lost' && last.code === undefined);
  const attempt = left === 'reused' ? 1 : left.length;
  if (passed) await store.create(records.result(run, step.id), { ...made, made: { ...made.made, run: from, attempt } });
  if (left === 'reused') return;
  const { test, repeat } = testOf(step);
  for (const [at, one] of left.entries()) {
    const attempt = at + 1;
    await store.create(`${records.log(run, step.id, attempt)}/000000`, { text: 'begun' });
    if (one === 'lost') continue;
    const outcome = anOutcome({ run, step: step.id, repeat, attempt, at: timeOf(day), ...one });
    await store.create(records.outcome('night', run, test, repeat, attempt), outcome);
  }
}
