/** @needs ssh */
import { sha256 } from '../../src/activities/sha256.js';
import { digestOf } from '../../src/model/digest.js';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertMessageListed } from '../../src/activities/policy/judged-addresses.js';
import { createWorkerPolicy } from '../../src/adapters/policy/index.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import { sign } from '../../src/adapters/ssh/signatures.js';
import { approvalText, type GateRules, type GateAction } from '../../src/model/gate.js';
import type { Plan } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import type { Audited } from '../../src/model/actions.js';
import { createBodies } from '../../src/workers/bodies.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { built, seal } from '../activities/publish/release.js';
import { fakeMaven, type FakeMaven } from '../support/fake-maven.js';
import { anArtifact, newHome, realSurroundings, RUN, runBody } from '../support/run-body.js';
import { sshKey } from '../support/ssh-keys.js';
import { aRepository, bundleOf, type Person, planOf, type Said } from './a-forged-plan.js';

let maven: FakeMaven;
beforeEach(async () => void (maven = await fakeMaven()));
afterEach(() => maven.stop());

const NONCE = '5eed'.repeat(8);
const HOUR_MS = 3_600_000;

/** A release that is sealed and wants to publish outside, on a control worker with this policy. */
async function aRelease(policy: (keys: Readonly<Record<Person, string>>) => string, said: Said = {}) {
  const home = await newHome();
  const { store } = realSurroundings(home);
  const keys = { kim: sshKey(home, 'kim'), lee: sshKey(home, 'lee'), eve: sshKey(home, 'eve') };
  const lines = { kim: keys.kim.public.trim(), lee: keys.lee.public.trim(), eve: keys.eve.public.trim() };
  const text = policy(lines);
  if (text !== '') writeFileSync(join(home, 'policy.yaml'), text, { mode: 0o600 });
  const labels = { groupId: 'org.example', artifactId: 'skiff', version: '1.2.3', extension: 'jar' };
  const jar = built([await anArtifact(home, 'skiff-1.2.3.jar', 'bytes', { kind: 'jar', labels })], 'jars/skiff');
  const bundle = await bundleOf(home, keys);
  const plan = planOf(said, bundle, said.address ?? address());
  const sealed = { ...(await seal(home, jar)), step: 'seal/manifest' };
  await store.create(records.result(RUN, 'seal/manifest'), sealed);
  const manifest = sealed.artifacts[0]!.digest;
  let no = 0;
  const approve = async (by: Person, inMs = HOUR_MS, agoMs = 0): Promise<void> => {
    const expires = new Date(Date.now() + inMs).toISOString();
    const action = { action: 'approve', gate: 'ship', manifest, by, expires } as GateAction;
    const workflow = `${said.rehearsal === true ? 'rehearsal' : 'release'}/skiff/1.2.3`;
    const targets = [
      { name: 'repository', kind: 'maven', address: said.address ?? address(), repository: null },
    ] as const;
    const text = approvalText(action, {
      workflow,
      run: RUN,
      plan: digestOf(plan, sha256),
      profile: 'live',
      nonce: NONCE,
      targets,
    });
    const signature = await sign(text, keys[by]);
    const audited: Audited = {
      ...{ no: ++no, at: Date.now() - agoMs },
      ...{ sent: { ...action, signature }, answer: { ok: true, did: '', steps: [] } },
    };
    await store.create(records.audit(RUN, no), audited);
  };
  return { home, plan, approve, publish: () => attempt(home, plan, 'publish/repository/jars.skiff', [sealed, jar]) };
}

/** No loopback address: this host answers it all the same. */
const address = (): string => `http://0.0.0.0:${maven.port}/`;

/** One attempt by the bodies that a control worker registers. */
async function attempt(home: string, plan: Plan, id: string, inputs: readonly Result[]) {
  const step = plan.steps.find((one) => one.id === id)!;
  const bodies = createBodies(realSurroundings(home), { interpreters: createInterpreters({}) }, FEATURE_NODES);
  return runBody(bodies[step.kind as 'publishArtifacts']!, step as never, {
    home,
    plan,
    inputs,
    openings: { ship: NONCE },
  });
}

const problemsOf = async (run: Promise<unknown>) =>
  run.then(
    () => [],
    (error: { problems: readonly { code: string; class: string; next: string; place?: object }[] }) => error.problems,
  );

const rowOf = (more = ''): string => `publish:\n  - kind: maven\n    address: ${address()}\n${more}`;
const GATE = '    gates: { ship: { approvers: [core], quorum: 2 } }\n';
const strict = ({ kim, lee }: Readonly<Record<Person, string>>, head = ''): string =>
  `policy: 1\n${head}approvers:\n  core:\n    - ${kim}\n    - ${lee}\n${rowOf(GATE)}`;
const open = (): string => `policy: 1\n${rowOf()}`;

test('[H5] given no policy, then nothing is published outside this machine', async () => {
  const { publish, home } = await aRelease(() => '');
  const [problem] = await problemsOf(publish());
  expect(problem).toMatchObject({ code: 'POLICY_MISSING', class: 'denied' });
  expect(problem!.next).toContain(`${join(home, 'policy.yaml')} there: \`slipway policy init FILE`);
  expect(maven.asked).toEqual([]);
});

test('given an address in the policy, then it is published to', async () => {
  await (await aRelease(open)).publish();
  expect(maven.files.get('/org/example/skiff/1.2.3/skiff-1.2.3.jar')).toBe('bytes');
});

test.each([
  ['another port', () => `policy: 1\npublish: [{ kind: maven, address: 'http://0.0.0.0:1/' }]\n`],
  [
    'a longer name',
    () => `policy: 1\npublish: [{ kind: maven, address: 'http://0.0.0.0:${String(maven.port).slice(0, -1)}' }]\n`,
  ],
  ['another folder', () => `policy: 1\npublish: [{ kind: maven, address: '${address()}other/' }]\n`],
  ['another kind', () => `policy: 1\npublish: [{ kind: central, address: '${address()}' }]\n`],
])('[H5] given an address that differs from its row by %s, then it is refused', async (_, policy) => {
  const { publish, home } = await aRelease(policy);
  expect(await problemsOf(publish())).toMatchObject([
    { code: 'POLICY_ADDRESS', class: 'denied', place: { file: join(home, 'policy.yaml'), line: 2 } },
  ]);
  expect(maven.asked).toEqual([]);
});

test.each(['dropped', 'wanted'] as const)(
  '[H5] given a release file whose gate is %s, then the policy still refuses',
  async (gate) => {
    const { publish, approve } = await aRelease(strict, { gate });
    await approve('kim');
    await approve('lee');
    expect(await problemsOf(publish())).toMatchObject([
      { code: 'POLICY_GATE_ABSENT', class: 'denied', place: { line: 9 } },
    ]);
    expect(maven.asked).toEqual([]);
  },
);

test('[H5] given approvals by keys that only the release file lists, then they do not count; the right ones do', async () => {
  const { publish, approve } = await aRelease(strict);
  await approve('eve');
  await approve('kim');
  await approve('kim', HOUR_MS / 2);
  const [problem] = await problemsOf(publish());
  expect(problem).toMatchObject({ code: 'POLICY_APPROVALS_SHORT', class: 'denied', place: { line: 9 } });
  expect(problem).toMatchObject({
    message: expect.stringContaining('2 approvals'),
    evidence: expect.arrayContaining([
      expect.stringMatching(/^counts: kim /),
      expect.stringMatching(/^does not: eve .*no group that the policy names/),
    ]),
  });
  expect(maven.asked).toEqual([]);
  await approve('lee');
  await publish();
  expect(maven.files.size).toBeGreaterThan(0);
});

test.each([
  ['that has expired', -1_000, 0, 'it has expired'],
  ['that would count too long', 1000 * HOUR_MS, 0, 'longer than the policy allows'],
  ['that was given too long ago, and is still signed for an hour', HOUR_MS, 73 * HOUR_MS, 'given longer ago than'],
])('[H5] given an approval %s, then it does not count', async (_, inMs, agoMs, why) => {
  const { publish, approve } = await aRelease(strict);
  await approve('kim', HOUR_MS, 71 * HOUR_MS);
  await approve('lee', inMs, agoMs);
  expect(await problemsOf(publish())).toMatchObject([
    { code: 'POLICY_APPROVALS_SHORT', evidence: [expect.stringMatching(/^counts: kim/), expect.stringContaining(why)] },
  ]);
});

test.each<[string, Partial<GateRules>, object]>([
  ['count for longer', { expiresMs: 72 * HOUR_MS }, { code: 'POLICY_EXPIRY', place: { line: 2 } }],
  ['be fewer', { quorum: 1 }, { code: 'POLICY_GATE_WEAKER', place: { line: 10 } }],
  ['go without a signature', { signed: 'optional' }, { code: 'POLICY_GATE_WEAKER', place: { line: 10 } }],
])('[H5] given a release file that lets approvals %s, then the policy refuses', async (_, rules, problem) => {
  const { publish } = await aRelease((keys) => strict(keys, 'expires: 2h\n'), { rules });
  expect(await problemsOf(publish())).toMatchObject([problem]);
  expect(maven.asked).toEqual([]);
});

test.each<[string, Said]>([
  ['another branch', { branch: 'eve/main' }],
  ['no branch', { branch: null }],
])('[H5] given a commit on %s, then it is neither published nor signed', async (_, said) => {
  const { publish, home, plan } = await aRelease(
    () => `${open()}branches: [main, 'release/*']\nsecrets: ['file:/nowhere']\n`,
    said,
  );
  const denied = [{ code: 'POLICY_BRANCH', class: 'denied', place: { line: 5 } }];
  expect(await problemsOf(publish())).toMatchObject(denied);
  expect(await problemsOf(attempt(home, plan, 'attest/release', []))).toMatchObject(denied);
  expect(maven.asked).toEqual([]);
});

test("[H5] given a plan that falsely claims the branch main, then the policy's repository refutes it", async () => {
  const { path, main, eve } = await aRepository();
  const policy = (): string => `${open()}branches: [main]\nrepository: ${path}\n`;
  const forged = await aRelease(policy, { commit: eve, branch: 'main' });
  expect(await problemsOf(forged.publish())).toMatchObject([
    { code: 'POLICY_BRANCH', message: expect.stringContaining(`${eve.slice(0, 12)} on eve/main`) },
  ]);
  const unknown = await aRelease(policy, { commit: 'f'.repeat(40), branch: 'main' });
  expect(await problemsOf(unknown.publish())).toMatchObject([{ code: 'POLICY_BRANCH' }]);
  expect(maven.asked).toEqual([]);
  await (await aRelease(policy, { commit: main, branch: null })).publish();
  expect(maven.files.size).toBeGreaterThan(0);
});

test('[H5] given a policy row for a loopback address, then a rehearsal needs its approvals too', async () => {
  const loopback = `http://127.0.0.1:${maven.port}/`;
  const policy = (keys: Readonly<Record<Person, string>>): string => strict(keys).replace(address(), loopback);
  const { publish } = await aRelease(policy, { rehearsal: true, address: loopback });
  expect(await problemsOf(publish())).toMatchObject([{ code: 'POLICY_APPROVALS_SHORT' }]);
  expect(maven.asked).toEqual([]);
});

test.each<[string, boolean]>([
  ['live', false],
  ['rehearsed', true],
])('[H5] given a profile with a command, then no worker under a policy runs it: %s', async (_, rehearsal) => {
  const mark = join(await newHome(), 'mark');
  const loopback = `http://127.0.0.1:${maven.port}/`;
  const said = { rehearsal, address: loopback, password: `command:touch ${mark}` };
  const { publish, home, plan } = await aRelease(() => 'policy: 1\n', said);
  for (const run of [publish, () => attempt(home, plan, 'prove/target/repository', [])])
    expect(await problemsOf(run())).toMatchObject([{ code: 'POLICY_SECRET', class: 'denied' }]);
  expect(existsSync(mark)).toBe(false);
});

test('[H5] given a secret of one row, then it is used for no other target and no announcement', async () => {
  const policy = (): string => `policy: 1\n${rowOf()}  - { kind: python, address: pypi, secrets: [$TOKEN] }\n`;
  const { publish, home, plan } = await aRelease(policy, { password: '$TOKEN' });
  expect(await problemsOf(publish())).toMatchObject([{ code: 'POLICY_SECRET', place: { line: 3 } }]);
  expect(await problemsOf(attempt(home, plan, 'announce/world', []))).toMatchObject([{ code: 'POLICY_SECRET' }]);
  expect(maven.asked).toEqual([]);
});

test('[H5] given a secret of one row, then it is used in no message', async () => {
  const { home, plan } = await aRelease(() => `policy: 1\n${rowOf('    secrets: [$TOKEN]\n')}`);
  const outlet = { by: 'webhook', url: 'http://0.0.0.0:1/', headers: { x: '$TOKEN' } } as const;
  const team = { name: 'team', on: ['held' as const], rehearsal: true, outlet, files: [] };
  const notify = { listeners: [team], remind: {} as never };
  const asked = assertMessageListed(createWorkerPolicy({}, home), { ...plan, notify }, 'team');
  expect(await problemsOf(asked)).toMatchObject([
    { code: 'POLICY_SECRET', message: expect.stringContaining('notify.team asks for $TOKEN') },
  ]);
});

test('[H5] given a product without a stated isolation, then a policy that demands one refuses it', async () => {
  const { publish } = await aRelease(() => `${open()}isolation: sandbox\n`);
  expect(await problemsOf(publish())).toMatchObject([
    { code: 'POLICY_ISOLATION', class: 'denied', evidence: ['skiff-1.2.3.jar: not said'], place: { line: 5 } },
  ]);
  expect(maven.asked).toEqual([]);
});

test('[H5] given an address outside the policy, then a proof sends it no credential', async () => {
  const { home, plan } = await aRelease(() => 'policy: 1\n');
  expect(await problemsOf(attempt(home, plan, 'prove/target/repository', []))).toMatchObject([
    { code: 'POLICY_ADDRESS' },
  ]);
  expect(maven.asked).toEqual([]);
});

test.each<[string, (home: string) => void]>([
  ['a file that others may write', (home) => chmodSync(join(home, 'policy.yaml'), 0o666)],
  ['a folder that others may write', (home) => chmodSync(home, 0o777)],
])('[H5] given a policy in %s, then it is not used', async (_, loosen) => {
  const { publish, home } = await aRelease(open);
  loosen(home);
  expect(await problemsOf(publish())).toMatchObject([
    { code: 'POLICY_UNSAFE', class: 'denied', message: expect.stringContaining('is writable by others') },
  ]);
  expect(maven.asked).toEqual([]);
});

test('[H5] given an invalid policy, then it allows nothing, and each faulty line is reported', async () => {
  const { publish, home } = await aRelease(
    () =>
      `policy: 1\napprovers: { core: [hello] }\ntags: ['v*']\npublish:\n  - kind: maven\n    adress: x\n    gates: { ship: { approvers: [cor], quorum: 0 } }\n`,
  );
  const found = await problemsOf(publish());
  const file = join(home, 'policy.yaml');
  const lines = [['WRONG_VALUE', 2], ['MISSING_KEY', 5], ['UNKNOWN_KEY', 6], ['WRONG_VALUE', 7]]; // prettier-ignore
  expect(found).toMatchObject(lines.map(([code, line]) => ({ code, place: { file, line } })));
});
