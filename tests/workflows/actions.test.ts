/** @long @needs temporal */
import { WorkflowUpdateFailedError, type WorkflowHandle, type WorkflowStartOptions } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { fail } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import {
  RERUN_QUERY,
  type Audited,
  type KeepAudit,
  type RerunPreview,
  type ActionAnswer,
} from '../../src/model/actions.js';
import { aProblem } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, SMALL_RELEASE, untilAborted, type FakeStep } from './fake-activities.js';
import { askRun, statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

interface Operator {
  readonly handle: WorkflowHandle;
  readonly audit: Audited[];
  readonly until: (state: RunStatus['state']) => Promise<RunStatus>;
  readonly update: (name: string, payload?: unknown) => Promise<ActionAnswer>;
  readonly signal: (name: string, payload?: unknown) => Promise<void>;
}

let count = 0;
/** Keeps the first record of each number, as the store does: Temporal may begin the activity again. */
function keepNew(audit: Audited[], actions: readonly Audited[]): void {
  audit.push(...actions.filter(({ no }) => audit.every((kept) => kept.no !== no)));
}

/** A run and somebody who speaks to it; answers how it ended, and what each activity brought to the audit.
 * @param open whether and when the audit can be written
 * @param limits time limits of the workflow */
async function withOperator(
  step: FakeStep,
  speak: (operator: Operator) => Promise<void>,
  options = {},
  open: () => Promise<void> = async () => undefined,
  limits: Pick<WorkflowStartOptions, 'workflowTaskTimeout'> = {},
) {
  const audit: Audited[] = [];
  const kept: (readonly Audited[])[] = [];
  const keepAudit: KeepAudit = async ({ actions }) => {
    await open();
    kept.push(actions);
    keepNew(audit, actions);
  };
  const worker = await makeWorker(env, bundle, { ...fakeActivities(() => SMALL_RELEASE, step), keepAudit }, options);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/thing/2.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', engine: NEWEST_ENGINE }],
      ...limits,
    });
    const until = async (state: RunStatus['state']): Promise<RunStatus> => {
      for (;;) {
        const status = await statusOf(handle);
        if (status.state === state) return status;
        if (status.state === 'ended') throw new Error(`ended instead: ${JSON.stringify(status)}`);
      }
    };
    await speak({
      handle,
      audit,
      until,
      update: (name, payload) => handle.executeUpdate<ActionAnswer, [unknown]>(name, { args: [payload] }),
      signal: (name, payload) => handle.signal(name, payload),
    });
    const outcome = (await handle.result().catch((error: Error) => error)) as { verdict: string; reasons: string[] };
    return { outcome, audit, kept };
  });
}

/** Fails on its first attempts as often as told. */
const failing = (id: string, times: number): FakeStep => {
  let left = times;
  return ({ step }) => {
    if (step === id && left-- > 0) throw fail(aProblem());
    return ending;
  };
};

test.each([{}, { maxCachedWorkflows: 0 }])(
  'given a held step, when an Update retries it, then it is answered and the release goes on (%j)',
  async (options) => {
    const { outcome, audit } = await withOperator(
      failing('wheels/a', 1),
      async ({ until, update }) => {
        const status = await until('held');
        expect(status.steps.map(({ state }) => state)).toEqual(['held', 'waiting', 'waiting', 'waiting']);
        const answer = await update('retry', { step: 'wheels/a', by: 'kim' });
        expect(answer).toEqual({ ok: true, did: 'wheels/a is tried again', steps: ['wheels/a'] });
      },
      options,
    );
    expect(outcome.verdict).toBe('released');
    expect(audit).toMatchObject([
      { no: 1, sent: { action: 'retry', step: 'wheels/a', by: 'kim' }, answer: { ok: true } },
    ]);
  },
);

test('given a store that refused the audit of an action, then the audit is written with the next one or at the end', async () => {
  let asked = 0;
  const open = async (): Promise<void> => {
    if (++asked === 1) throw ApplicationFailure.nonRetryable('the store is away');
  };
  const speak = async ({ until, update }: Operator): Promise<void> => {
    await until('held');
    await update('note', { reason: 'looking' });
    await update('retry', { step: 'wheels/a' });
  };
  const { outcome, audit } = await withOperator(failing('wheels/a', 1), speak, {}, open);
  expect(outcome.verdict).toBe('released');
  expect(audit.map(({ no }) => no).sort()).toEqual([1, 2]);
});

test('when a Signal skips a step, then dependants are skipped with a reason, and the audit is stored before the seal', async () => {
  const seen: number[] = [];
  const kept: { audit?: Audited[] } = {};
  const step: FakeStep = (input, signal) => {
    if (input.step === 'seal') seen.push(kept.audit!.length);
    return failing('wheels/a', 9)(input, signal);
  };
  const { outcome } = await withOperator(step, async ({ until, signal, audit }) => {
    kept.audit = audit;
    await until('held');
    await signal('skip', { step: 'wheels/a', reason: 'no wheel today', by: 'kim' });
  });
  expect(outcome).toMatchObject({
    verdict: 'released',
    reasons: [
      'wheels/a was left out: no wheel today (kim)',
      'tests/a was left out: needs wheels/a, which was left out: no wheel today (kim)',
    ],
  });
  expect(seen).toEqual([1]);
});

test.each([
  ['nothing at all', 'skip', undefined, 'ACTION_NOT_UNDERSTOOD'],
  ['a number', 'retry', { step: 7 }, 'ACTION_NOT_UNDERSTOOD'],
  ['an unknown action', 'send', { action: 'explode' }, 'UNKNOWN_ACTION'],
  ['a name that is no action', 'dance', { step: 'wheels/a' }, 'UNKNOWN_ACTION'],
  ['a list', 'send', ['retry'], 'UNKNOWN_ACTION'],
  ['an action that cannot become a text', 'send', { action: { toString: 1, valueOf: 1 } }, 'UNKNOWN_ACTION'],
  ['a step with shell characters', 'retry', { step: '$(rm -rf /); `x`' }, 'STEP_UNKNOWN'],
  ['a step that is done', 'retry', { step: 'seal' }, 'STEP_NOT_HELD'],
])('given a Signal with %s, then its refusal is in the status', async (_, name, payload, code) => {
  await withOperator(failing('wheels/a', 1), async ({ until, signal, audit }) => {
    await until('held');
    await signal(name, payload);
    const { refused } = await until('held');
    expect(refused).toMatchObject([{ code }]);
    await signal('retry');
    await until('running').catch(() => undefined);
    expect(audit[0]).toMatchObject({ answer: { ok: false, problem: { code } } });
  });
});

test('given an Update with an invalid shape, then it is refused before it reaches the history', async () => {
  await withOperator(failing('wheels/a', 1), async ({ until, update }) => {
    await until('held');
    const refused = await update('skip', { step: 'wheels/a' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WorkflowUpdateFailedError);
    expect((refused as WorkflowUpdateFailedError).cause?.message).toMatch(
      /^ACTION_NOT_UNDERSTOOD: skip: reason is missing/,
    );
    await update('retry', 'wheels/a');
  });
});

test('given two operators at once, then one action is accepted, and the other refused with a code', async () => {
  const { outcome } = await withOperator(failing('wheels/a', 1), async ({ until, update }) => {
    await until('held');
    const answers = await Promise.all(['kim', 'lee'].map((by) => update('retry', { step: 'wheels/a', by })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ problem: { code: 'STEP_NOT_HELD' } });
  });
  expect(outcome.verdict).toBe('released');
});

test('given a preview by Query, when an Update reruns a step that is done, then it runs again', async () => {
  const begun: [string, number | undefined][] = [];
  const seals = failing('seal', 1);
  const step: FakeStep = (input, signal) => {
    begun.push([input.step, input.round]);
    return seals(input, signal);
  };
  const { outcome, audit } = await withOperator(step, async ({ handle, until, update }) => {
    await until('held');
    const preview = await askRun<RerunPreview>(handle, RERUN_QUERY, 'tests/a');
    expect(preview).toMatchObject({ ok: true, reused: ['wheels/a'], again: ['tests/a', 'seal', 'report'] });
    expect(await handle.query(RERUN_QUERY, { not: 'a step' })).toMatchObject({
      ok: false,
      problem: { code: 'STEP_UNKNOWN' },
    });
    expect(await update('retry', { from: 'tests/a', by: 'kim' })).toMatchObject({
      ok: true,
      round: { round: 2, from: 'tests/a', steps: ['tests/a', 'seal', 'report'] },
    });
  });
  expect(outcome.verdict).toBe('released');
  expect(begun.slice(3)).toEqual([
    ['tests/a', 2],
    ['seal', 2],
    ['report', 2],
  ]);
  expect(audit).toMatchObject([{ sent: { action: 'retry', from: 'tests/a' }, answer: { ok: true } }]);
});

test('given a paused run, then its status names who paused it; notes and resume are accepted', async () => {
  const { audit, outcome } = await withOperator(failing('wheels/a', 1), async ({ until, update }) => {
    await until('held');
    await update('pause', { by: 'kim', reason: 'lunch' });
    expect((await until('paused')).paused).toBe('lunch (kim)');
    await update('retry', { step: 'wheels/a' });
    expect((await until('paused')).steps[0]).toMatchObject({ state: 'waiting' });
    await update('note', 'seen');
    await update('resume');
  });
  expect(outcome.verdict).toBe('released');
  expect(audit.map(({ sent }) => sent.action)).toEqual(['pause', 'retry', 'note', 'resume']);
});

test('given a running step, when it is cancelled and retried, then it is held first and runs again', async () => {
  let begun = 0;
  const step: FakeStep = ({ step: id }, signal) => (id === 'wheels/a' && begun++ === 0 ? untilAborted(signal) : ending);
  const { outcome } = await withOperator(step, async ({ update, until, handle }) => {
    while (
      ((await handle.describe()).raw.pendingActivities ?? []).every(({ activityId }) => activityId !== 'wheels/a')
    );
    await update('cancel', { step: 'wheels/a', reason: 'hangs' });
    expect((await until('held')).steps[0]).toMatchObject({ state: 'held', because: 'stopped: hangs' });
    await update('retry');
  });
  expect(outcome.verdict).toBe('released');
});

test('given a thousand signals, then all are in the audit, written by few activities', async () => {
  const speak = async ({ until, signal, update }: Operator): Promise<void> => {
    await until('held');
    await Promise.all(Array.from({ length: 1000 }, (_, n) => signal('note', `note ${n}`)));
    await update('retry');
  };
  // One workflow task can have all signals. On a busy machine it takes longer than the limit of ten seconds.
  const limits = { workflowTaskTimeout: '2 minutes' } as const;
  const { audit, kept, outcome } = await withOperator(failing('wheels/a', 1), speak, {}, undefined, limits);
  expect(outcome.verdict).toBe('released');
  expect(audit).toHaveLength(1001);
  expect(new Set(audit.map(({ no }) => no)).size).toBe(1001);
  expect(kept.length).toBeLessThan(900);
});

test('given actions larger than one payload, then the audit is written in parts, and the run goes on', async () => {
  let openAudit = (): void => undefined;
  const open = new Promise<void>((resolve) => (openAudit = resolve));
  const text = 'x'.repeat(2000);
  const speak = async ({ until, signal, update }: Operator): Promise<void> => {
    await until('held');
    await signal('note', 'first'); // its activity waits, and all that follow come meanwhile
    await Promise.all(Array.from({ length: 300 }, () => signal('retry', { step: text, reason: text, by: text })));
    await update('note', 'last');
    openAudit();
    await update('retry');
  };
  const { audit, kept, outcome } = await withOperator(failing('wheels/a', 1), speak, {}, () => open);
  expect(outcome.verdict).toBe('released');
  expect(audit).toHaveLength(303);
  for (const actions of kept) expect(JSON.stringify(actions).length).toBeLessThan(600_000);
});

test('given a cancel requested in Temporal, then the run still answers actions and audits them', async () => {
  let noted = (): void => undefined;
  const untilNoted = new Promise<void>((resolve) => (noted = resolve));
  const step: FakeStep = async (input, signal) => {
    if (input.step === 'report') await untilNoted;
    return failing('wheels/a', 1)(input, signal);
  };
  const { audit } = await withOperator(step, async ({ handle, until, update }) => {
    await until('held');
    await handle.cancel();
    await until('cancelling');
    expect(await update('note', 'seen')).toEqual({ ok: true, did: 'noted', steps: [] });
    expect(await update('retry')).toMatchObject({ problem: { code: 'RUN_IS_CANCELLING' } });
    noted();
  });
  expect(audit.map(({ sent }) => sent.action)).toEqual(['note', 'retry']);
});

test('given a retry that comes in one workflow task with the failure of its step, then it counts after the failure', async () => {
  let failNow = (): void => undefined;
  const mayFail = new Promise<void>((resolve) => (failNow = resolve));
  const fails = failing('wheels/a', 1);
  const step: FakeStep = async (input, signal) => {
    await mayFail;
    return fails(input, signal);
  };
  const audit: Audited[] = [];
  const keepAudit: KeepAudit = async ({ actions }) => keepNew(audit, actions);
  const activities = { ...fakeActivities(() => SMALL_RELEASE, step), keepAudit };
  const performing = await makeWorker(env, bundle, activities, { workflowBundle: undefined });
  await performing.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/thing/2.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', engine: NEWEST_ENGINE }],
    });
    const runs = async (): Promise<boolean> =>
      (await handle.describe()).raw.pendingActivities?.some(({ activityId }) => activityId === 'wheels/a') === true;
    const deciding = await makeWorker(env, bundle, {});
    await deciding.runUntil(async () => {
      while (!(await runs()));
    });
    failNow();
    while (await runs());
    await handle.signal('retry', { step: 'wheels/a', by: 'kim' });
    await (
      await makeWorker(env, bundle, {})
    ).runUntil(async () => {
      while (audit.length === 0) await handle.describe();
      expect(audit).toMatchObject([{ sent: { action: 'retry' }, answer: { ok: true } }]);
      expect(await handle.result()).toMatchObject({ verdict: 'released' });
    });
  });
});
