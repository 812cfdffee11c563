import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tell } from '../../src/activities/notify/tell.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import { createWebhook } from '../../src/adapters/webhook/webhook.js';
import type { Step } from '../../src/model/plan.js';
import { createBodies } from '../../src/workers/bodies.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { aTarget, codesOf } from '../activities/publish/release.js';
import { aPlan, aStep, newHome, realSurroundings, RUN, runBody } from '../support/run-body.js';

const KEY = 'canary-of-control-5b11';

/** A home with a key, and a profile beside a release file that names references to it. */
async function aHome() {
  const home = await newHome();
  mkdirSync(join(home, 'keys'));
  writeFileSync(join(home, 'keys', 'control.key'), KEY);
  const mark = join(home, 'mark');
  const named = {
    command: `command: tee ${mark} < ${home}/keys/control.key`,
    file: `file:${home}/keys/control.key`,
  };
  const policy = (...secrets: readonly string[]): void =>
    writeFileSync(join(home, 'policy.yaml'), `policy: 1\nsecrets: ${JSON.stringify(secrets)}\n`, { mode: 0o600 });
  return { home, named, policy, ran: () => existsSync(mark) };
}

/** The proof of a target of this machine, as the control worker carries it out: it looks its password up.
 * @returns codes of the problems */
async function prove(home: string, password: string, more: readonly Step[] = []): Promise<readonly string[]> {
  const around = realSurroundings(home);
  const { proveTarget } = createBodies(around, { interpreters: createInterpreters({}) }, FEATURE_NODES);
  const target = aTarget({ kind: 'maven', address: 'http://127.0.0.1:1/', username: 'kim', password });
  const step = aStep('proveTarget', { target, project: 'skiff', version: '1', tags: [] }, { id: 'prove/target/shelf' });
  const asked = runBody(proveTarget!, step, { home, plan: { steps: [step, ...more] } });
  return asked.then(() => [], codesOf);
}

describe('[D9] a profile beside a release file reads the home of the control worker', () => {
  test.each(['command', 'file'] as const)(
    'given `%s:` without a policy, or under one that does not name it, then nothing is read',
    async (by) => {
      const { home, named, policy, ran } = await aHome();
      expect(await prove(home, named[by])).toEqual(['SECRET_UNNAMED']);
      policy('$OTHER', 'file:/elsewhere');
      expect(await prove(home, named[by])).toEqual(['POLICY_SECRET']);
      expect(ran()).toBe(false);
    },
  );

  test.each(['command', 'file'] as const)('given `%s:` that the policy names, then it is used', async (by) => {
    const { home, named, policy, ran } = await aHome();
    policy(named[by]);
    expect(await prove(home, named[by])).toEqual(['TARGET_UNREACHABLE']);
    expect(ran()).toBe(by === 'command');
  });

  test('given `file:` of an announcement that no policy names, then the proof of a target refuses it, before anything is published', async () => {
    const { home, named, policy } = await aHome();
    const outlet = { by: 'webhook', url: 'http://127.0.0.1:1/', headers: { authorization: named.file } } as const;
    const announce = aStep('announceRelease', { outlet }, { id: 'announce/world' });
    expect(await prove(home, '$ABSENT', [announce])).toEqual(['SECRET_UNNAMED']);
    policy(named.file, '$ABSENT');
    expect(await prove(home, '$ABSENT', [announce])).toEqual(['SECRET_MISSING']);
  });

  test('given a refusal, then it prints the line of the policy that would allow the reference', async () => {
    const { home, named } = await aHome();
    const around = realSurroundings(home);
    const outlet = { by: 'webhook', url: 'http://127.0.0.1:1/', headers: { authorization: named.file } } as const;
    const listener = { name: 'team', on: ['held' as const], rehearsal: true, outlet, files: [] };
    const plan = aPlan({ notify: { listeners: [listener], remind: { afterMs: 1, everyMs: 1 } } });
    const about = { plan: `sha256:${'0'.repeat(64)}`, run: RUN, workflowId: 'release/skiff/1', to: 'team' } as const;
    const sent = tell({ ...about, id: `${RUN}/1`, notices: [], more: 0 }, plan, around, createWebhook(500), {
      attempt: 1,
      signal: new AbortController().signal,
    });
    const failure = (await sent.catch((thrown: unknown) => thrown)) as { problems: readonly { next: string }[] };
    expect(codesOf(failure)).toEqual(['SECRET_UNNAMED']);
    expect(failure.problems[0]!.next).toContain(`secrets: [${JSON.stringify(named.file)}]\` to ${home}/policy.yaml`);
  });

  test('given a step of a build queue, then it looks up no file and runs no command, whatever a policy names', async () => {
    const { home, named, policy, ran } = await aHome();
    policy(named.command, named.file);
    for (const reference of [named.command, named.file]) {
      const step = aStep('runTest', {} as never, { on: 'linux-x86_64' });
      const asked = runBody(
        (work) => work.secret(reference).then(() => Promise.reject(new Error('it was read'))),
        step,
        {
          home,
        },
      );
      expect(codesOf(await asked.catch((thrown: unknown) => thrown))).toEqual(['SECRET_NOT_LISTED']);
    }
    expect(ran()).toBe(false);
  });
});
