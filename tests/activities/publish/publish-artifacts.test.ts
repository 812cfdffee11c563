/** @slow */
import { createPublishArtifacts } from '../../../src/activities/publish/publish-artifacts.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { ledgerPrefix, type LedgerEntry } from '../../../src/engine/ledger/entry.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Digest } from '../../../src/model/digest.js';
import type { Target } from '../../../src/model/target.js';
import type { Result } from '../../../src/model/result.js';
import type { Step } from '../../../src/model/plan.js';
import { aResult, anArtifact, aStep, newHome, type RunBody, runBody } from '../../support/run-body.js';
import { aProblem } from '../../engine/a-skeleton.js';
import { fakeTarget, type FakeTarget } from './fake-target.js';
import { aTarget, built, codesOf, seal } from './release.js';
import { join } from 'node:path';

const OTHER: Digest = `sha256:${'0f'.repeat(32)}`;
const TRIES = 4;

let home: string;
let target: FakeTarget;
beforeEach(async () => {
  home = await newHome();
  target = fakeTarget();
});

const wheel = (name: string, bytes = name): Promise<Artifact> => anArtifact(home, name, bytes, { kind: 'wheel' });
/** A wheel that the target gives another name. */
const named = async (name: string, as: string): Promise<Artifact> => ({ ...(await wheel(name)), labels: { as } });
const error = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );

interface Publish extends RunBody {
  readonly to?: Partial<Target>;
  readonly tags?: readonly string[];
  readonly sealed?: Result;
  readonly builds?: readonly Result[];
  readonly step?: string;
}

/** Publishes these artifacts of one build to the fake target. */
async function publish(artifacts: readonly Artifact[], more: Publish = {}) {
  const { to = {}, tags = [], builds = [built(artifacts)], step: id = 'publish/shelf', ...rest } = more;
  const sealed = more.sealed ?? (await seal(home, ...builds));
  const of = builds.map((build) => build.step);
  const step = aStep('publishArtifacts', { target: aTarget({ address: 'http://x/', ...to }), of, tags }, { id });
  const body = createPublishArtifacts({ targets: target.targets, images: null, readBackWaitsMs: [1, 1, 1] });
  const plan = { steps: [step] as unknown as readonly Step[] };
  return runBody(body, step, { home, inputs: [sealed, ...builds], plan, ...rest });
}
const sent = (): readonly string[] => target.asked.filter((one) => one.startsWith('upload'));

/** States of a name in the ledger, in the order of their names. */
async function ledger(name: string): Promise<readonly string[]> {
  const store = createDirectoryStore(join(home, 'store'));
  const lines = await store.list(ledgerPrefix('local', 'shelf', name));
  return Promise.all(lines.map(async (line) => (await store.read<LedgerEntry>(line))!.state)).then((all) => all.sort());
}

describe('the publishing step', () => {
  test('given absent files, then they are uploaded in one call, observed before and after, and completed last', async () => {
    const { made } = await publish([await wheel('b.whl'), await wheel('a.whl')]);
    const [looks, rest] = [target.asked.filter((one) => one.startsWith('look')), target.asked.slice(-4)];
    expect(rest).toEqual(['upload a.whl b.whl', 'look a.whl', 'look b.whl', 'complete a.whl b.whl']);
    expect(looks.length).toBeGreaterThanOrEqual(4);
    expect(made).toMatchObject({ note: '2 files uploaded', reused: false });
    expect((made.facts as { published: { name: string }[] }).published.map(({ name }) => name)).toEqual([
      'a.whl',
      'b.whl',
    ]);
  });

  test('given some files with the same bytes, then only the others are uploaded', async () => {
    const [a, b] = [await wheel('a.whl'), await wheel('b.whl')];
    target.held.set('a.whl', a.digest);
    const { made } = await publish([a, b]);
    expect(sent()).toEqual(['upload b.whl']);
    expect(made).toMatchObject({ note: '1 file uploaded, 1 already there', reused: false });
  });

  test('given absent files, then they are proved together just before the upload', async () => {
    await publish([await wheel('a.whl')]);
    expect(target.asked.indexOf('prove a.whl')).toBeGreaterThanOrEqual(0);
    expect(target.asked.indexOf('prove a.whl')).toBeLessThan(target.asked.indexOf('upload a.whl'));
  });

  test("given several kinds, then they are uploaded in the target's order", async () => {
    const sdist = await anArtifact(home, 'a.tar.gz', 'x', { kind: 'sdist' });
    await publish([sdist, await wheel('z.whl')]);
    expect(sent()).toEqual(['upload z.whl a.tar.gz']);
  });
});

test('given only existing files, then nothing is uploaded or proved, and the completion still runs', async () => {
  const a = await wheel('a.whl');
  target.held.set('a.whl', a.digest);
  const { made } = await publish([a]);
  expect(target.asked.filter((one) => /^(upload|prove)/.test(one))).toEqual([]);
  expect(target.asked.at(-1)).toBe('complete a.whl');
  expect(made).toMatchObject({ note: '1 file already there', reused: true });
});

describe('nothing is sent', () => {
  test('when a name has other bytes', async () => {
    target.held.set('b.whl', OTHER);
    const thrown = await error(publish([await wheel('a.whl'), await wheel('b.whl')]));
    expect([codesOf(thrown), sent()]).toEqual([['OTHER_BYTES'], []]);
    expect(target.held).toEqual(new Map([['b.whl', OTHER]]));
  });

  test('when the target refuses the identity', async () => {
    target.refuses = [aProblem({ code: 'TARGET_DENIED', class: 'denied' })];
    expect([codesOf(await error(publish([await wheel('a.whl')]))), sent()]).toEqual([['TARGET_DENIED'], []]);
  });

  test('when the target still refuses the identity in a later attempt', async () => {
    target.refuses = [aProblem({ code: 'TARGET_DENIED', class: 'denied' })];
    await error(publish([await wheel('a.whl')]));
    const again = await error(publish([await wheel('a.whl')], { attempt: 2 }));
    expect([codesOf(again), sent()]).toEqual([['TARGET_DENIED'], []]);
  });

  test('when a check without the target fails, and the target is not asked', async () => {
    target.checks = [aProblem({ code: 'NAME_REFUSED', class: 'config' })];
    expect([codesOf(await error(publish([await wheel('a.whl')]))), target.asked]).toEqual([['NAME_REFUSED'], []]);
  });

  test.each([
    ['one file', { fileMiB: 2, totalMiB: 100 }, 'FILE_TOO_LARGE'],
    ['all together', { fileMiB: 100, totalMiB: 5 }, 'RELEASE_TOO_LARGE'],
  ])('when files are larger than the profile allows: %s', async (_, limits, code) => {
    const large = async (name: string): Promise<Artifact> => ({ ...(await wheel(name)), size: 3 << 20 });
    const thrown = await error(publish([await large('a.whl'), await large('b.whl')], { to: { limits } }));
    expect([new Set(codesOf(thrown)), sent()]).toEqual([new Set([code]), []]);
  });

  test('when a file is not under the seal', async () => {
    const sealed = await seal(home, built([await wheel('a.whl')]));
    const thrown = await error(publish([await wheel('a.whl', 'built later')], { sealed }));
    expect([codesOf(thrown), target.asked]).toEqual([['SEAL_DIFFERS'], []]);
  });

  test('when there is no seal', async () => {
    const build = built([await wheel('a.whl')]);
    const none = aResult({ id: 'seal', kind: 'sealManifest' });
    expect(codesOf(await error(publish([], { sealed: none, builds: [build] })))).toEqual(['SEAL_NOT_TOLD']);
    expect(target.asked).toEqual([]);
  });

  test('when the target does not accept the kind', async () => {
    const jar = await anArtifact(home, 'a.jar', 'x', { kind: 'jar' });
    expect(codesOf(await error(publish([jar])))).toEqual(['NOTHING_TO_PUBLISH']);
  });

  test('when two steps built other bytes under one name', async () => {
    const builds = [
      built([await named('one.whl', 'a.whl')], 'wheels/a'),
      built([await named('two.whl', 'a.whl')], 'wheels/b'),
    ];
    const thrown = await error(publish([], { builds }));
    expect([codesOf(thrown), sent()]).toEqual([['SAME_NAME_TWICE'], []]);
  });

  test('when an earlier step claimed the name for other bytes', async () => {
    const [first, second] = [
      built([await named('one.whl', 'a.whl')], 'wheels/a'),
      built([await named('two.whl', 'a.whl')], 'wheels/b'),
    ];
    const sealed = await seal(home, first, second);
    await publish([], { sealed, builds: [first], step: 'publish/one' });
    target.held.clear();
    const thrown = await error(publish([], { sealed, builds: [second], step: 'publish/two' }));
    expect([codesOf(thrown), sent()]).toEqual([['SAME_NAME_TWICE'], ['upload a.whl']]);
  });
});

test('given the same bytes under two names, then they count once towards the total limit', async () => {
  const large = async (name: string): Promise<Artifact> => ({ ...(await wheel(name, 'same')), size: 3 << 20 });
  await publish([await large('a.whl'), await large('b.whl')], { to: { limits: { totalMiB: 5 } } });
  expect(sent()).toEqual(['upload a.whl b.whl']);
});

test('given the same file from two steps, then it is uploaded once', async () => {
  const builds = [built([await wheel('a.whl')], 'wheels/a'), built([await wheel('a.whl')], 'wheels/b')];
  await publish([], { builds });
  expect(sent()).toEqual(['upload a.whl']);
});

describe('an upload', () => {
  test('when it fails although the files arrived, then it succeeded', async () => {
    target.uploads = async (keep) => {
      keep();
      throw new Error('the connection closed');
    };
    const { made } = await publish([await wheel('a.whl')]);
    expect(made.note).toBe('1 file uploaded');
  });

  test('when it fails without the files, then its own error is reported after one look', async () => {
    const why = new Error('the connection closed');
    target.uploads = () => Promise.reject(why);
    expect(await error(publish([await wheel('a.whl')]))).toBe(why);
    expect(target.asked.slice(target.asked.indexOf('upload a.whl'))).toEqual(['upload a.whl', 'look a.whl']);
  });

  test('when it is rejected without a reason, then it failed', async () => {
    // eslint-disable-next-line prefer-promise-reject-errors -- what a library may do
    target.uploads = () => Promise.reject(undefined as never);
    expect(await error(publish([await wheel('a.whl')]))).toMatchObject({ message: 'rejected' });
  });

  test('when its files appear later, then the step waits for them', async () => {
    target.showsAfter = TRIES - 1;
    expect((await publish([await wheel('a.whl')])).made.note).toBe('1 file uploaded');
  });

  test('when its files never appear, then it fails after the last look', async () => {
    target.showsAfter = 100;
    expect(codesOf(await error(publish([await wheel('a.whl')])))).toEqual(['NOT_VISIBLE']);
    const looks = target.asked.slice(target.asked.indexOf('upload a.whl') + 1);
    expect(looks).toEqual(Array(TRIES).fill('look a.whl'));
  });

  test('when other bytes appear, then it is a conflict', async () => {
    target.uploads = async () => void target.held.set('a.whl', OTHER);
    expect(codesOf(await error(publish([await wheel('a.whl')])))).toEqual(['OTHER_BYTES']);
  });

  test('when it is aborted, then it is neither observed nor recorded as done', async () => {
    const abort = new AbortController();
    target.uploads = async (keep) => (keep(), abort.abort(new Error('cancelled')));
    expect(await error(publish([await wheel('a.whl')], { signal: abort.signal }))).toMatchObject({
      message: 'cancelled',
    });
    expect(target.asked.at(-1)).toBe('upload a.whl');
    expect(await ledger('a.whl')).toEqual(['wanted']);
  });
});

describe('the ledger', () => {
  test('given an upload, then it has the lines wanted and done', async () => {
    await publish([await wheel('a.whl')]);
    expect(await ledger('a.whl')).toEqual(['done', 'wanted']);
  });

  test('given files that never appear, then it has no line done', async () => {
    target.showsAfter = 100;
    await error(publish([await wheel('a.whl')]));
    expect(await ledger('a.whl')).toEqual(['wanted']);
  });

  test('given a name that another step has not asked for yet, then it has no line for it', async () => {
    const [a, b] = [built([await wheel('a.whl')], 'wheels/a'), built([await wheel('b.whl')], 'wheels/b')];
    target.held.set('b.whl', OTHER);
    const steps = [a, b].map((build) =>
      aStep(
        'publishArtifacts',
        { target: aTarget({ address: 'http://x/' }), of: [build.step], tags: [] },
        { id: `publish/${build.step}` },
      ),
    ) as unknown as readonly Step[];
    const thrown = await error(publish([], { sealed: await seal(home, a, b), builds: [a], plan: { steps } }));
    expect([codesOf(thrown), await ledger('b.whl')]).toEqual([['OTHER_BYTES'], []]);
  });

  test('given other bytes at the target, then it records them once we asked for the name', async () => {
    target.held.set('a.whl', OTHER);
    await error(publish([await wheel('a.whl')]));
    expect(await ledger('a.whl')).toEqual(['observed', 'wanted']);
  });
});

test('given an image, then it gets the tags of its step, or the version if there are none', async () => {
  const image: Artifact = { digest: OTHER, kind: 'image', name: 'skiff', size: 1, labels: {} };
  const registry = { to: { kind: 'oci' }, surroundings: { service: () => 'http://127.0.0.1:1' } } as const;
  await publish([image], { ...registry, tags: ['1', 'latest'] });
  await publish([image], { ...registry, step: 'publish/again', attempt: 2 });
  expect(sent()).toEqual(['upload 1 latest', 'upload 1.2.3']);
});

test('given a proof within ten minutes, then a second step of the run does not repeat it', async () => {
  const [a, b] = [built([await wheel('a.whl')], 'wheels/a'), built([await wheel('b.whl')], 'wheels/b')];
  const sealed = await seal(home, a, b);
  await publish([], { sealed, builds: [a], step: 'publish/one' });
  await publish([], { sealed, builds: [b], step: 'publish/two' });
  expect(target.asked.filter((one) => one.startsWith('prove'))).toEqual(['prove a.whl']);
});
