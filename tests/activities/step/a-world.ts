import { MockActivityEnvironment } from '@temporalio/testing';
import type { ApplicationFailure } from '@temporalio/activity';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { StepContext } from '../../../src/activities/step/ports.js';
import type { Body } from '../../../src/activities/work.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { FailureDetails, StepEnding } from '../../../src/model/messages.js';
import type { Plan, Step, StepOf } from '../../../src/model/plan.js';
import { aPlan, aStep, newHome, realSurroundings } from '../../support/run-body.js';

// The SDK tells of each failed attempt; here they fail on purpose.
Runtime.install({ logger: new DefaultLogger('ERROR') });

export const pure = aStep('takeSdist', { project: 'skiff' });
export const done: Body<KindName> = async (work) => {
  await work.must('echo made > out.txt; echo made');
  return { artifacts: [await work.keep(`${work.folder}/out.txt`, 'file')], facts: { a: 1 }, note: 'one file' };
};
export const neverRuns: Body<KindName> = () => Promise.reject(new Error('the body ran'));

/** A store with a plan of one step, and its attempts as Temporal calls them. */
export async function world(
  step: StepOf<KindName> = pure,
  more: { plan?: Partial<Plan>; around?: Partial<StepContext> } = {},
) {
  const around = realSurroundings(await newHome(), more.around);
  const plan = aPlan({ steps: [step as Step], ...more.plan });
  const { digest } = await around.store.put(asBytes(canonical(plan)));
  const environment = (info: object) =>
    new MockActivityEnvironment({ ...info, workflowExecution: { workflowId: 'release/skiff/1.2.3', runId: 'r' } });
  let current = environment({ attempt: 1 });
  const perform = (
    body: Body<KindName>,
    run = 'run-0001',
    attempt = 1,
    info: object = { attempt: 1 },
  ): Promise<StepEnding> => {
    current = environment(info);
    return current.run(createPerform(around)(body), {
      plan: digest,
      step: step.id,
      run,
      attempt,
    }) as Promise<StepEnding>;
  };
  return {
    around,
    digest,
    perform,
    cancel: (...reason: Parameters<typeof current.cancel>) => current.cancel(...reason),
  };
}

export async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

export async function failureOf(
  ending: Promise<unknown>,
): Promise<{ failure: ApplicationFailure; details: FailureDetails }> {
  const failure = (await ending.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  )) as ApplicationFailure;
  return { failure, details: failure.details?.[0] as FailureDetails };
}
