/** @slow */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMakePlan } from '../../src/activities/plan/make-plan.js';
import { underPolicy } from '../../src/activities/policy/under-policy.js';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { plan as planned } from '../../src/adapters/facts/index.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { createWorkerPolicy } from '../../src/adapters/policy/index.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import { createSignatures } from '../../src/adapters/ssh/signatures.js';
import { createTargets } from '../../src/adapters/targets.js';
import type { Target } from '../../src/model/target.js';
import { placeOf } from '../../src/model/policy/place.js';
import type { Plan } from '../../src/model/plan.js';
import { createBodies } from '../../src/workers/bodies.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { aTarget, built, codesOf, seal } from '../activities/publish/release.js';
import { HEAD } from '../plan/a-plan.js';
import { fakeMaven, type FakeMaven } from '../support/fake-maven.js';
import { anArtifact, aPlan, aStep, newHome, realSurroundings, runBody } from '../support/run-body.js';
import { fakeSignatures } from '../support/sign-plan.js';
import { aRule } from '../engine/a-gate.js';

let maven: FakeMaven;
beforeEach(async () => void (maven = await fakeMaven()));
afterEach(() => maven.stop());

/** An address of this host that no rehearsal may take for loopback, and that a server here answers. */
const outside = (): string => `http://0.0.0.0:${maven.port}/`;
const loopback = (): string => `http://127.0.0.1:${maven.port}/`;

const RELEASE = `${HEAD}jars: { skiff: {} }
gates: { ship: { approvers: { core: [keys/kim.pub] } } }
publish: { repository: { kind: maven, files: [jars/skiff] } }
`;

/** A project whose profile calls itself a rehearsal. */
async function project(row: string): Promise<string> {
  const folder = await newHome();
  const files = {
    'slipway.yaml': RELEASE,
    'keys/kim.pub': 'ssh-ed25519 AAAA kim',
    'profiles/own.yaml': `rehearsal: true\n${row}`,
  };
  for (const name of ['keys', 'profiles']) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return join(folder, 'slipway.yaml');
}

const problemsOf = async (made: Promise<unknown>) =>
  made.then(
    () => [],
    (error: { problems: readonly { code: string; message: string; place?: object }[] }) => error.problems,
  );

test.each([
  ['by name', 'targets:\n  repository:\n    kind: maven\n    address: https://maven.example.invalid/\n', 5],
  ['by kind', 'kinds:\n  maven:\n    address: https://maven.example.invalid/\n', 4],
])(
  '[H5] given a rehearsal whose target is elsewhere, then it is refused before planning, at its line: %s',
  async (_, row, line) => {
    const found = await problemsOf(planned(await project(row), 'own'));
    expect(found).toMatchObject([
      { code: 'REHEARSAL_ELSEWHERE', class: 'config', place: { file: 'profiles/own.yaml', line } },
    ]);
    expect(found[0]!.message).toContain('"https://maven.example.invalid/"');
  },
);

/** One problem for each of the two targets. */
const BOTH = ['REHEARSAL_ELSEWHERE', 'REHEARSAL_ELSEWHERE'];

/** A plan that no planner of ours makes: it says of itself that it is a rehearsal. */
function forged(address: string): Plan {
  const target = aTarget({ name: 'repository', kind: 'maven', address });
  const hub = aTarget({ name: 'hub', kind: 'oci', address, repository: 'skiff' });
  const steps = [
    aStep('sealManifest', {}, { id: 'seal/manifest', stage: 'seal', wants: ['jars/skiff'] }),
    aStep('passGate', aRule(), { id: 'gates/ship', stage: 'gates', needs: ['seal/manifest'] }),
    aStep(
      'publishArtifacts',
      { target, of: ['jars/skiff'], tags: [] },
      { id: 'publish/repository/jars.skiff', stage: 'publish', needs: ['seal/manifest', 'gates/ship'] },
    ),
    aStep(
      'movePointer',
      { target: hub, name: 'latest', version: '1.2.3', to: 'images/skiff', when: 'always' },
      { id: 'point/hub/latest', stage: 'point' },
    ),
  ];
  return aPlan({ profile: { name: 'local', rehearsal: true }, steps });
}

test('[H5] given a foreign plan that claims to be a rehearsal, then it is not accepted', async () => {
  const { store } = realSurroundings(await newHome());
  const planner = createPlanner(store, fakeSignatures, () => []);
  const nobody = { unserved: async () => [], slots: async () => ({}) };
  const input = { run: 'r', workflowId: 'rehearsal/skiff/1.2.3', plan: await planner.keep(forged(outside())) };
  expect(await problemsOf(createMakePlan(planner, nobody)(input))).toMatchObject(BOTH.map((code) => ({ code })));
});

/** Runs a step of a forged plan on a control worker. @param service where this worker finds `service:maven` */
async function attempt(address: string, step: number, service: string | null = null) {
  const home = await newHome();
  const labels = { groupId: 'org.example', artifactId: 'skiff', version: '1.2.3', extension: 'jar' };
  const jar = built([await anArtifact(home, 'skiff-1.2.3.jar', 'bytes', { kind: 'jar', labels })], 'jars/skiff');
  const plan = forged(address);
  const around = { service: () => service };
  const sealed = await seal(home, jar);
  const bodies = createBodies(realSurroundings(home, around), { interpreters: createInterpreters({}) }, FEATURE_NODES);
  const one = plan.steps[step]!;
  const body = bodies[one.kind as 'publishArtifacts']!;
  return runBody(body, one as never, { home, plan, inputs: [sealed, jar], surroundings: around });
}
const STEPS = [
  ['gate', 1],
  ['publish', 2],
  ['point', 3],
] as const;
const PUBLISH = 2;

test.each(STEPS)('[H5] given a forged rehearsal, then the worker that runs it refuses: %s', async (_, step) => {
  expect(codesOf(await attempt(outside(), step).catch((error: unknown) => error))).toEqual(BOTH);
  expect(maven.asked).toEqual([]);
});

test.each(STEPS)(
  '[H5] given a service that resolves elsewhere on this worker, then the worker refuses: %s',
  async (_, step) => {
    const refused = await attempt('service:maven', step, outside()).catch((error: unknown) => error);
    expect(codesOf(refused)).toEqual(BOTH);
    expect(maven.asked).toEqual([]);
  },
);

test('[H5] given a localhost that resolves elsewhere on this worker, then the worker refuses', async () => {
  const hosts = { lookUp: async () => ['127.0.0.1', '192.0.2.7'] };
  const { publishArtifacts } = makeBodies(['publishArtifacts'], { targets: createTargets(), images: null });
  const plan = forged(`http://localhost:${maven.port}/`);
  const policy = createWorkerPolicy({}, '/nowhere');
  const ports = { hosts, policy, signatures: createSignatures() };
  const run = runBody(underPolicy(ports, publishArtifacts), plan.steps[PUBLISH] as never, { plan });
  expect(await problemsOf(run)).toMatchObject([
    { code: 'REHEARSAL_ELSEWHERE', message: expect.stringContaining('localhost is 192.0.2.7') },
    { code: 'REHEARSAL_ELSEWHERE' },
  ]);
});

test('given a rehearsal on loopback, then it goes on, and its facts name what was checked', async () => {
  const { made } = await attempt('service:maven', PUBLISH, loopback());
  expect(made.facts).toMatchObject({ rehearsed: { targets: 2, hosts: ['127.0.0.1'] } });
  expect(maven.files.get('/org/example/skiff/1.2.3/skiff-1.2.3.jar')).toBe('bytes');
});

test.each<[string, Partial<Target>]>([
  ['a name that begins like one', { address: 'http://127.0.0.1.example.invalid/' }],
  ['a user that looks like one', { address: 'http://127.0.0.1@example.invalid/' }],
  ['a backslash that programs read differently', { address: 'http://127.0.0.1\\@example.invalid/' }],
  ['a fragment that programs read differently', { address: 'http://127.0.0.1#@example.invalid/' }],
  ['an octet too large', { address: 'http://127.0.0.256/' }],
  ['any address of this host', { address: 'http://0.0.0.0/' }],
  ['a line break', { address: 'http://127.0.0.1/\nhttp://example.invalid/' }],
  ['an index by name', { kind: 'python', address: 'localhost' }],
  ['a registry by name', { kind: 'oci', address: 'registry.example.invalid' }],
  ['a bucket of AWS', { kind: 's3', address: 's3://a/b', extra: { kind: 's3', path: '{file}', endpoint: null } }],
  ['a tag by path', { kind: 'git-tag', address: '/srv/git/skiff.git' }],
  ['a tag by ssh', { kind: 'git-tag', address: 'ssh://git@localhost/skiff.git' }],
  [
    'Central that reads elsewhere',
    {
      ...{ kind: 'central', address: 'http://127.0.0.1:9/' },
      extra: { kind: 'central', mode: 'automatic', reads: 'https://example.invalid/' },
    },
  ],
  [
    'a command with a credential of the worker',
    {
      ...{ kind: 'command', address: 'http://127.0.0.1:9/' },
      extra: { kind: 'command', observe: 'o', upload: 'u', undo: null, secrets: ['TOKEN'] },
    },
  ],
])('[H5] given %s, then it is not this machine', (_, more) => {
  expect(placeOf(aTarget({ kind: 'maven', ...more }))).toMatchObject({ here: false });
});

test.each<[string, Partial<Target>, string]>([
  ['a service', { address: 'service:maven' }, 'service:maven'],
  ['IPv4', { address: 'http://127.0.0.2:8081/a/b/' }, '127.0.0.2'],
  ['IPv6', { address: 'https://[::1]:8081/' }, '[::1]'],
  ['a registry as Docker writes it', { kind: 'oci', address: 'localhost:5000' }, 'localhost'],
  ['git over http', { kind: 'git-tag', address: 'http://127.0.0.1:9/skiff.git' }, '127.0.0.1'],
  [
    'a bucket of this machine',
    {
      ...{ kind: 's3', address: 's3://a/b' },
      extra: { kind: 's3', path: '{file}', endpoint: 'http://127.0.0.1:7070' },
    },
    '127.0.0.1',
  ],
])('given %s, then it is this machine', (_, more, at) => {
  expect(placeOf(aTarget({ kind: 'maven', ...more }))).toEqual({ here: true, at });
});
