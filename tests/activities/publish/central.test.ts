/** @long @needs gpg */
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { TargetExtra } from '../../../src/model/target.js';
import { startFakeCentral, type FakeCentral } from '../../support/fake-central.js';
import { startFaultProxy } from '../../support/fault-proxy.js';
import { anArtifact, aStep, newHome, runBody, type RunBody } from '../../support/run-body.js';
import { until } from '../../support/until.js';
import { aTarget, built, codesOf, seal, verify } from './release.js';

let central: FakeCentral;
beforeEach(async () => void (central = await startFakeCentral()));
afterEach(() => central.stop());

type Central = Extract<TargetExtra, { kind: 'central' }>;
const target = (more: Partial<Central> & { address?: string; password?: string } = {}) =>
  aTarget({
    name: 'central',
    kind: 'central',
    address: more.address ?? central.address,
    username: 'user',
    password: more.password ?? 'token',
    extra: { kind: 'central', mode: more.mode ?? 'user-managed', reads: central.reads },
  });

const ALL = ['.jar', '.pom', '-sources.jar', '-javadoc.jar'].flatMap((rest) => [rest, `${rest}.asc`]);
const PATH = 'org/example/skiff/1.2.3/skiff-1.2.3';
const { publishArtifacts, proveTarget } = makeBodies(['proveTarget', 'publishArtifacts', 'verifyTarget'], {
  targets: createTargets({ longestWaitMs: 250 }),
  images: null,
  readBackWaitsMs: [20, 50],
});

async function publishing(to = target(), rests = ALL, bytes = 'bytes', home?: string) {
  home ??= await newHome();
  const labels = { groupId: 'org.example', artifactId: 'skiff', version: '1.2.3' };
  const files = rests.map((rest) => anArtifact(home, `skiff-1.2.3${rest}`, bytes + rest, { kind: 'jar', labels }));
  const build = built(await Promise.all(files), 'jars/skiff');
  const sealed = await seal(home, build);
  const step = aStep('publishArtifacts', { target: to, of: [build.step], tags: [] }, { id: 'publish/central' });
  const publish = (more: RunBody = {}) => runBody(publishArtifacts, step, { home, inputs: [sealed, build], ...more });
  return { home, publish };
}
const thrown = async (promise: Promise<unknown>): Promise<readonly string[]> =>
  codesOf(await promise.catch((error: unknown) => error));
const count = (what: string): number => central.asked.filter((asked) => asked === what).length;
const published = () => central.deployments.filter(({ state }) => state === 'PUBLISHED');

test.each(['user-managed', 'automatic'] as const)(
  'given the mode %s, then one bundle is uploaded, validated, published and read back',
  async (mode) => {
    const { home, publish } = await publishing(target({ mode }));
    const { made, result, log } = await publish();
    expect(made.note).toBe('8 files uploaded');
    const [one] = central.deployments;
    expect(one).toMatchObject({ name: 'org.example:skiff:1.2.3', state: 'PUBLISHED' });
    expect([...one!.files.keys()].filter((name) => name.startsWith(`${PATH}.jar`))).toEqual([
      ...[`${PATH}.jar`, `${PATH}.jar.asc`, `${PATH}.jar.md5`, `${PATH}.jar.sha1`, `${PATH}.jar.sha256`],
    ]);
    expect(count('POST /upload')).toBe(1);
    expect(count(`POST /deployment/${one!.id}`)).toBe(mode === 'automatic' ? 0 : 1);
    expect(log).toContain(`deployment ${one!.id}: VALIDATED`);
    expect((await verify(home, target(), result)).made.note).toBe('8 compared');
  },
);

test('given the same release again, then nothing is uploaded; other bytes are a conflict', async () => {
  await (await publishing()).publish();
  expect((await (await publishing()).publish()).made).toMatchObject({ reused: true, note: '8 files already there' });
  expect(await thrown((await publishing(target(), ALL, 'other')).publish())).toEqual(Array(8).fill('OTHER_BYTES'));
  expect(central.deployments).toHaveLength(1);
});

/** Ends an attempt where Central has its deployment in that state, and keeps it there. */
async function dieIn(
  state: NonNullable<FakeCentral['stuckIn']>,
  publish: (more: RunBody) => Promise<unknown>,
): Promise<void> {
  central.stuckIn = state;
  const killed = new AbortController();
  const first = publish({ signal: killed.signal }).catch(() => 'died');
  const reached = () => central.deployments[0]?.state === state && central.asked.at(-1) === 'POST /status';
  await until(reached);
  killed.abort();
  expect(await first).toBe('died');
}

test.each(['PENDING', 'VALIDATING', 'VALIDATED', 'PUBLISHING'] as const)(
  'given an attempt that dies in state %s, then the next one continues with the same deployment',
  async (state) => {
    const { publish } = await publishing(target({ mode: state === 'VALIDATED' ? 'automatic' : 'user-managed' }));
    await dieIn(state, publish);
    central.stuckIn = null;
    const { made, log } = await publish({ attempt: 2 });
    expect(made.note).toBe('8 files uploaded');
    expect(log).toContain(`going on with deployment ${central.deployments[0]!.id}`);
    expect(count('POST /upload')).toBe(1);
    expect(published()).toHaveLength(1);
  },
);

describe('a step that runs again with other bytes in a later round', () => {
  const stopped = async (state: 'PENDING' | 'PUBLISHING') => {
    const { home, publish } = await publishing();
    await dieIn(state, publish);
    return publishing(target(), ALL, 'other', home);
  };

  test('when the earlier deployment is unpublished, then it is left so, and a new one is uploaded', async () => {
    const { publish } = await stopped('PENDING');
    central.stuckIn = null;
    const { made, log } = await publish({ attempt: 2 });
    expect(made.note).toBe('8 files uploaded');
    expect(log).toContain('has other bytes, of an earlier round');
    expect(central.deployments.map(({ state }) => state)).toEqual([expect.not.stringMatching('PUBLISH'), 'PUBLISHED']);
    expect((await publish({ attempt: 3 })).made.note).toBe('8 files already there');
  });

  test('when the earlier deployment may still be published, then nothing is uploaded', async () => {
    const { publish } = await stopped('PUBLISHING');
    expect(await thrown(publish({ attempt: 2 }))).toEqual(['CENTRAL_OTHER_UNDER_WAY']);
    central.stuckIn = null;
    central.deployments[0]!.state = 'PUBLISHED';
    expect(await thrown(publish({ attempt: 3 }))).toEqual(Array(8).fill('OTHER_BYTES'));
    expect(count('POST /upload')).toBe(1);
  });
});

test('given a portal that answers 502 while it works, then it is asked again', async () => {
  central.misses = 3;
  const { publish } = await publishing();
  expect((await publish()).made.note).toBe('8 files uploaded');
  expect(count('POST /upload')).toBe(1);
});

test('given a repository that is updated minutes later, then the step waits for it', async () => {
  const { home, publish } = await publishing();
  const { result } = await publish();
  central.syncAfter = 1;
  const targets = createTargets({ longestWaitMs: 50 });
  const { verifyTarget: body } = makeBodies(['proveTarget', 'publishArtifacts', 'verifyTarget'], {
    targets,
    images: null,
  });
  expect((await verify(home, target(), result, { body })).made.note).toContain('8 compared');
  central.syncAfter = 1_000;
  expect(await thrown(verify(home, target(), result, { body }))).toEqual(['CENTRAL_NOT_SYNCED']);
});

test('given a deployment that Central refuses, then its reasons are shown, and a retry uploads a new one', async () => {
  const { publish } = await publishing(target(), ALL, 'forged');
  const error = await publish().catch((it: unknown) => it);
  expect(codesOf(error)).toEqual(['CENTRAL_FAILED']);
  expect(JSON.stringify(error)).toContain('Invalid signature');
  expect(await thrown(publish({ attempt: 2 }))).toEqual(['CENTRAL_FAILED']);
  expect(count('POST /upload')).toBe(2);
  expect(published()).toEqual([]);
});

test('given a dropped deployment, then it is uploaded again', async () => {
  const { publish } = await publishing();
  central.stuckIn = 'PENDING';
  const killed = new AbortController();
  const first = publish({ signal: killed.signal }).catch(() => 'died');
  await until(() => central.asked.at(-1) === 'POST /status');
  killed.abort();
  await first;
  (central.deployments as unknown[]).splice(0);
  central.stuckIn = null;
  expect(await thrown(publish({ attempt: 2 }))).toEqual(['CENTRAL_GONE']);
  expect((await publish({ attempt: 3 })).made.note).toBe('8 files uploaded');
});

test.each([
  ['without a signature', ALL.filter((rest) => rest !== '.pom.asc'), ['SIGNATURES_INCOMPLETE']],
  ['without any signature', ALL.filter((rest) => !rest.endsWith('.asc')), ['SIGNATURES_INCOMPLETE']],
  ['without sources', ALL.filter((rest) => !rest.startsWith('-sources')), ['CENTRAL_INCOMPLETE']],
  ['without a POM', ALL.filter((rest) => !rest.startsWith('.pom')), ['CENTRAL_INCOMPLETE']],
])('given files %s, then they are refused before anything is sent', async (_, rests, codes) => {
  expect(await thrown((await publishing(target(), rests)).publish())).toEqual(codes);
  expect(central.asked).toEqual([]);
});

test('given a refused token, then it is reported before anything is built', async () => {
  const step = aStep('proveTarget', {
    target: target({ password: 'x' }),
    project: 'skiff',
    version: '1.2.3',
    tags: [],
  });
  expect(await thrown(runBody(proveTarget, step, { home: await newHome() }))).toEqual(['TARGET_DENIED']);
});

describe('behind a faulty proxy', () => {
  test.each([
    ['stores it and answers 500', 'infra'],
    ['answers 200 and stores nothing', 'config'],
    ['answers 429 with Retry-After', 'infra'],
    ['is down', 'infra'],
    ['sends us elsewhere', 'config'],
  ] as const)('given an upload where Central %s, then it is published once in the end', async (fault, expected) => {
    const door = await startFaultProxy(new URL('/', central.address).href);
    const { publish } = await publishing(target({ address: `${door.address}api/v1/publisher/` }));
    door.hits = ({ path }) => path.includes('/upload');
    door.fault = fault;
    const error = (await publish().catch((it: unknown) => it)) as { problems: readonly { class: string }[] };
    expect(error.problems[0]!.class).toBe(expected);
    door.fault = null;
    expect((await publish({ attempt: 2 })).made.note).toBe('8 files uploaded');
    expect(published()).toHaveLength(1);
    await door.stop();
  });

  test('given a lost answer to an upload that Central publishes itself, then the deployment is found', async () => {
    const door = await startFaultProxy(new URL('/', central.address).href);
    const address = `${door.address}api/v1/publisher/`;
    const { publish } = await publishing(target({ mode: 'automatic', address }));
    door.hits = ({ path }) => path.includes('/upload');
    door.fault = 'stores it and answers 500';
    expect(await thrown(publish())).toEqual(['TARGET_BROKEN']);
    door.fault = null;
    expect((await publish({ attempt: 2 })).made.note).toBe('8 files uploaded');
    expect(central.deployments.map(({ state }) => state)).toEqual(['PUBLISHED', 'FAILED']);
    await door.stop();
  });

  test('given a lost answer to the publish request, then the deployment is still published', async () => {
    const door = await startFaultProxy(new URL('/', central.address).href);
    const { publish } = await publishing(target({ address: `${door.address}api/v1/publisher/` }));
    door.hits = ({ path, method }) => method === 'POST' && path.includes('/deployment/');
    door.fault = 'stores it and answers 500';
    expect((await publish()).made.note).toBe('8 files uploaded');
    expect(published()).toHaveLength(1);
    await door.stop();
  });
});
