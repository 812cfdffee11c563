/** @slow @needs sandbox */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptStep } from '../../../src/activities/step/attempt.js';
import type { Body } from '../../../src/activities/work.js';
import { submit } from '../../../src/adapters/facts/index.js';
import { createInterpreters } from '../../../src/adapters/python/interpreters.js';
import { FEATURE_NODES } from '../../../src/features/node.js';
import { SlipwayFailure, type Problem } from '../../../src/model/failure.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { createBodies } from '../../../src/workers/bodies.js';
import { startWheelHost, type WheelHost } from '../../doubles/wheel-host.js';
import { aResult, newHome, readLog, realSurroundings } from '../../support/run-body.js';

const [FETCH, MAKE, PROOF] = ['tools/raymake/linux-x86_64', 'steps/make', 'prove/queue/linux-x86_64'];
const STEPS = ['source/boat', FETCH, MAKE];
const raymake = (version: string): Buffer => Buffer.from(`#!/bin/sh\necho "raymake ${version} makes $1"\n`);
const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const asked = (version: string): string => `GET /${version}/raymake-linux-x86_64`;

let host: WheelHost;
let root: string;
let home: string;
beforeEach(async () => {
  [host, root, home] = [await startWheelHost(), await newHome(), await newHome()];
  for (const version of ['0.33.0', '0.34.0']) host.put(asked(version).slice('GET '.length), raymake(version));
  git('init', '-q', '-b', 'main');
});
afterEach(() => host.stop());

const git = (...args: readonly string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: root });
const commit = (version: string): void => {
  writeFileSync(join(root, '.rayciversion'), `${version}\n`);
  git('add', '.rayciversion');
  git('commit', '-q', '-m', version);
};
const digestIs = (bytes: Uint8Array): void =>
  writeFileSync(
    join(root, 'slipway.yaml'),
    `slipway: 1
pipeline: { name: boat, label: commit }
source: { git: . }
platforms: [linux-x86_64]
tools:
  raymake:
    version: { file: .rayciversion }
    at: '${host.address}/{version}/raymake-{platform}'
    sha256: { linux-x86_64: ${hex(bytes)} }
steps:
  make: { run: raymake all, tools: [raymake] }
`,
  );

/** Plans from the commit, fetches under the policy of the home, and runs the line. */
async function night(run: string): Promise<{ readonly result: Result; readonly log: string }> {
  const around = realSurroundings(home);
  const { plan } = await submit(join(root, 'slipway.yaml'), 'local', around);
  const bodies = createBodies(around, { interpreters: createInterpreters() }, FEATURE_NODES);
  const proof = { toolchain: 'a', machine: 'linux-x86_64', libc: null, tools: {}, pythons: {} };
  await around.store.create(records.result(run, PROOF), aResult({ id: PROOF, kind: 'proveQueue' }, { facts: proof }));
  for (const { id, kind } of plan.steps.filter((step) => STEPS.includes(step.id))) {
    const input = { plan: 'sha256:0' as const, step: id, run, attempt: 1 };
    const moment = { signal: new AbortController().signal, delivery: 1 };
    await attemptStep(bodies[kind] as Body<KindName>, input, plan, around, moment);
  }
  const result = await around.store.read<Result>(records.result(run, MAKE));
  return { result: result!, log: await readLog(around, records.log(run, MAKE, 1, 1)).catch(() => '') };
}

const refusal = async (of: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await of.catch((thrown: unknown) => thrown);
  if (!(error instanceof SlipwayFailure)) throw new Error('it was not refused');
  return error.first;
};

test('given a version file, when its commit changes, then the digest is asked, and with it the step has another key', async () => {
  writeFileSync(join(home, 'policy.yaml'), 'policy: 1\n', { mode: 0o600 });
  commit('0.33.0');
  digestIs(raymake('0.33.0'));
  const first = await night('run-1');
  expect(first.log).toContain('raymake 0.33.0 makes all');

  writeFileSync(join(root, '.rayciversion'), '0.34.0\n'); // not committed, so not planned
  expect((await night('run-2')).result.key).toBe(first.result.key);
  expect(host.asked).toEqual([asked('0.33.0')]);

  commit('0.34.0');
  expect(await refusal(night('run-3'))).toMatchObject({
    code: 'TOOL_DIGEST_DIFFERS',
    path: 'tools.raymake.sha256.linux-x86_64',
    details: { wanted: hex(raymake('0.33.0')), found: hex(raymake('0.34.0')) },
  });

  digestIs(raymake('0.34.0'));
  const second = await night('run-4');
  expect(second.log).toContain('raymake 0.34.0 makes all');
  expect(second.result.key).not.toBe(first.result.key);
  expect(host.asked).toEqual([asked('0.33.0'), asked('0.34.0'), asked('0.34.0')]);

  host.put(asked('0.34.0').slice('GET '.length), raymake('of other bytes'));
  digestIs(raymake('of other bytes'));
  expect((await night('run-5')).result.key).not.toBe(second.result.key);
});

test('given an address that is link-local, then the policy refuses it before a request', async () => {
  commit('0.33.0');
  digestIs(raymake('0.33.0'));
  const text = execFileSync('sed', [`s|${host.address}|http://169.254.169.254|`, join(root, 'slipway.yaml')]);
  writeFileSync(join(root, 'slipway.yaml'), text);
  expect(await refusal(night('run-1'))).toMatchObject({ code: 'ADDRESS_LINK_LOCAL', path: 'tools.raymake.at' });
});
