/** @needs registries */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTargets } from '../../../src/adapters/targets.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexPlace, IndexWriter } from '../../../src/activities/index/ports.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Target } from '../../../src/model/target.js';
import type { Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { snapshot } from '../index/an-index.js';
import { aWheel, wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { startWheelIndex } from '../../support/registries.js';
import { aStep, anArtifact, newHome, runBody, sha256, type BodyRun, type RunBody } from '../../support/run-body.js';
import { aTarget, built, codesOf } from './release.js';

const PLATFORM = 'debian-12';
type Index = Awaited<ReturnType<typeof startWheelIndex>>;
let index: Index;
let place: IndexPlace;
beforeAll(async () => {
  index = await startWheelIndex(await newHome());
  place = openFolder('cache', index.root);
});
afterAll(() => index.stop());
afterEach(() => rmSync(join(index.root, PLATFORM), { recursive: true, force: true }));

/** Draws at once in this process. */
const writer: IndexWriter = {
  list: async (_, { names }) => ({
    findings: await drawPages(
      place,
      PLATFORM,
      names.map((name) => name.split('/')[1]!),
    ),
  }),
};
const bodies = makeBodies(['proveTarget', 'publishArtifacts', 'verifyTarget'], {
  targets: createTargets(),
  listing: { archives: createArchives(), writer },
  images: null,
  readBackWaitsMs: [20, 50],
});

const target = (more: Partial<Target> = {}): Target =>
  aTarget({
    name: 'cache',
    kind: 'simple',
    address: index.root,
    extra: { kind: 'simple', reads: index.address, endpoint: null },
    ...more,
  });

async function wheelIn(home: string, said: WheelSaid = {}): Promise<Artifact> {
  return anArtifact(home, wheelName(said), await aWheel(said), { kind: 'wheel', labels: { platform: PLATFORM } });
}

/** A publish step of `when: built`, as a run has it behind the build. */
const publishBuilt = (home: string, build: Result, more: RunBody = {}, to = target()): Promise<BodyRun> =>
  runBody(
    bodies.publishArtifacts,
    aStep(
      'publishArtifacts',
      { target: to, of: [build.step], tags: [PLATFORM], when: 'built' },
      { id: `publish/cache/${build.step.replaceAll('/', '.')}` },
    ),
    { home, inputs: [build], sealedAs: null, ...more },
  );

async function published(said: WheelSaid = {}): Promise<BodyRun & { build: Result }> {
  const home = await newHome();
  const build = built([await wheelIn(home, said)], `wheels/${said.project ?? 'boat'}/${said.python ?? 'cp311'}`);
  return { ...(await publishBuilt(home, build)), build };
}

const get = async (path: string, accept?: string): Promise<Response> =>
  fetch(`${index.address}${path}`, { headers: accept === undefined ? {} : { accept } });
const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';

test('given a built wheel, when it is published without a seal, then file, sidecar, statement, entry and page are there', async () => {
  const { made } = await published({
    python: 'py3',
    metadata: 'Metadata-Version: 2.1\nName: boat\nVersion: 3.0\nRequires-Python: >=3.8\n',
  });
  const file = wheelName({ python: 'py3' });
  expect(made).toMatchObject({ note: '1 file uploaded', findings: [] });
  expect(made.facts).toMatchObject({
    target: 'cache',
    published: [{ name: `${PLATFORM}/files/boat/${file}`, url: `${index.address}${PLATFORM}/files/boat/${file}` }],
  });
  expect(readdirSync(join(index.root, PLATFORM, 'files/boat')).sort()).toEqual([
    file,
    `${file}.intoto.json`,
    `${file}.metadata`,
  ]);
  const page = (await (await get(`${PLATFORM}/simple/boat/`, JSON_TYPE)).json()) as { files: object[] };
  expect(page.files).toMatchObject([{ filename: file, 'requires-python': '>=3.8', yanked: false }]);
  const statement = await (await get(`${PLATFORM}/files/boat/${file}.intoto.json`)).json();
  expect(statement).toMatchObject({ _type: 'https://in-toto.io/Statement/v1', subject: [{ name: file }] });
});

test('given a page, when clients ask for it, then each gets the format that it accepts, with its type and Vary', async () => {
  await published();
  const asked = [
    [JSON_TYPE, JSON_TYPE],
    [`${JSON_TYPE}, text/html;q=0.1`, JSON_TYPE],
    ['application/vnd.pypi.simple.latest+json', JSON_TYPE],
    ['text/html', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
  ] as const;
  for (const path of [`${PLATFORM}/simple/`, `${PLATFORM}/simple/boat/`])
    for (const [accept, type] of asked) {
      const response = await get(path, accept);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(response.headers.get('vary')).toBe('Accept');
    }
  expect((await get('.tmp/')).status).toBe(404);
  expect((await get(`${PLATFORM}/simple/nobody/`, JSON_TYPE)).status).toBe(404);
});

test('given a published wheel, when it is published again, then no byte and no time changes', async () => {
  const { home, build } = await published();
  const before = snapshot(index.root);
  const { made } = await publishBuilt(home, build, { run: 'another-run' });
  expect(made).toMatchObject({ note: '1 file already there', reused: true });
  expect(snapshot(index.root)).toEqual(before);
});

test('given other bytes under the name, when a wheel is published, then the first stay and it is a finding', async () => {
  await published({ commit: 'first' });
  const before = snapshot(index.root);
  const { made } = await published({ commit: 'second' });
  expect(made).toMatchObject({ note: '1 file there with other bytes', facts: { published: [] } });
  expect(made.findings).toMatchObject([{ code: 'NOT_REPRODUCIBLE', level: 'warning' }]);
  expect(snapshot(index.root)).toEqual(before);
});

test('given other bytes under the name, when the target is behind the seal, then it is a conflict', async () => {
  await published({ commit: 'first' });
  const home = await newHome();
  const build = built([await wheelIn(home, { commit: 'second' })]);
  const { seal } = await import('./release.js');
  const sealed = await seal(home, build);
  const step = aStep(
    'publishArtifacts',
    { target: target(), of: [build.step], tags: [PLATFORM] },
    { id: 'publish/cache' },
  );
  const thrown = runBody(bodies.publishArtifacts, step, { home, inputs: [sealed, build] }).catch(codesOf);
  expect(await thrown).toEqual(['OTHER_BYTES']);
});

test.each([
  ['its entry is gone', (at: (folder: string) => string) => rmSync(`${at('entries')}.json`), []],
  ['its page is gone', () => rmSync(join(index.root, PLATFORM, 'simple/boat'), { recursive: true }), []],
  [
    'its entry is truncated',
    (at: (folder: string) => string) => truncateSync(`${at('entries')}.json`, 20),
    [{ code: 'INDEX_ENTRY_DAMAGED', level: 'warning' }],
  ],
])('given a listed wheel of which %s, when it is published again, then it is listed', async (_, damage, findings) => {
  const { home, build } = await published();
  damage((folder) => join(index.root, PLATFORM, folder, 'boat', wheelName()));
  const { made } = await publishBuilt(home, build, { run: 'another-run' });
  expect(made.findings).toMatchObject(findings);
  const page = (await (await get(`${PLATFORM}/simple/boat/`, JSON_TYPE)).json()) as { files: object[] };
  expect(page.files).toHaveLength(1);
});

test('given an entry of other bytes, when the wheel is published, then it is a conflict that names both digests', async () => {
  const { home, build } = await published();
  const path = join(index.root, PLATFORM, 'entries/boat', `${wheelName()}.json`);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/"digest":"sha256:[0-9a-f]{64}"/, `"digest":"${sha256('x')}"`),
  );
  expect(await publishBuilt(home, build, { run: 'another-run' }).catch(codesOf)).toEqual(['INDEX_ENTRY_DIFFERS']);
});

test('given a wheel without METADATA, when it is published, then it is refused before it has an entry', async () => {
  const home = await newHome();
  const bytes = execFileSync('python3', [
    '-c',
    "import io,sys,zipfile\nb=io.BytesIO()\nz=zipfile.ZipFile(b,'w'); z.writestr('boat.py',''); z.close()\nsys.stdout.buffer.write(b.getvalue())",
  ]);
  const build = built([await anArtifact(home, wheelName(), bytes, { kind: 'wheel' })]);
  expect(await publishBuilt(home, build).catch(codesOf)).toEqual(['WHEEL_METADATA_ABSENT']);
  expect(await place.list(`${PLATFORM}/entries/`)).toEqual([]);
});

describe('given a target that is proved before anything is built', () => {
  const prove = (to: Target) =>
    newHome().then((home) =>
      runBody(bodies.proveTarget, aStep('proveTarget', { target: to, project: 'x', version: '1', tags: [] }), { home }),
    );

  test('when its address serves the folder, then it answers, and nothing is left behind', async () => {
    expect((await prove(target())).made.note).toContain('answers');
    expect(readdirSync(join(index.root, 'proof'))).toEqual([]);
  });

  test('when its address serves another folder, then that is told', async () => {
    const other = target({ address: await newHome() });
    expect(await prove(other).catch(codesOf)).toEqual(['INDEX_NOT_SERVED']);
  });

  test('when its address is neither a folder nor a bucket, then that is told', async () => {
    expect(await prove(target({ address: 'somewhere' })).catch(codesOf)).toEqual(['INDEX_BROKEN']);
  });
});

describe('given wheels that this run listed', () => {
  async function verified(said: readonly WheelSaid[], damage: () => void = () => undefined): Promise<BodyRun> {
    const home = await newHome();
    const builds: Result[] = [];
    const inputs: Result[] = [];
    for (const one of said) {
      const build = built([await wheelIn(home, one)], `wheels/${one.project}-${one.version}`);
      builds.push(build);
      inputs.push((await publishBuilt(home, build)).result, build);
    }
    damage();
    const of = builds.map(({ step }) => step);
    const params = {
      target: target(),
      project: 'x',
      version: '1',
      of,
      run: null,
      python: 'cp311',
      when: 'built',
    } as const;
    const steps = builds.map(({ step }) =>
      aStep(
        'publishArtifacts',
        { target: target(), of: [step], tags: [PLATFORM], when: 'built' },
        { id: `publish/cache/${step.replaceAll('/', '.')}` },
      ),
    ) as unknown as readonly Step[];
    const step = aStep('verifyTarget', params, {
      id: `verify/cache/${PLATFORM}`,
      axes: { platform: PLATFORM, python: 'cp311' },
    });
    return runBody(bodies.verifyTarget, step, { home, inputs, sealedAs: null, plan: { steps } });
  }
  const py3 = (project: string, version: string): WheelSaid => ({ project, version, python: 'py3' });

  test('when they are verified, then uv and pip install them from the index alone, JSON and sidecar first', async () => {
    const { made } = await verified([py3('boat', '3.0'), py3('boat', '4.0'), py3('skiff', '1.0')]);
    expect(made.note).toBe(`3 installed from ${PLATFORM} by uv and by pip, and imported`);
    const log = await index.accessLog();
    for (const client of ['uv/', 'pip/']) {
      const lines = log.split('\n').filter((line) => line.includes(client));
      expect(lines.some((line) => line.includes('/simple/boat/') && line.includes(JSON_TYPE))).toBe(true);
      expect(lines.some((line) => line.includes('.whl'))).toBe(true);
    }
  });

  test('when one does not import, then it is told with its error', async () => {
    const broken = { ...py3('boat', '3.0'), code: "raise RuntimeError('the mast broke')\n" };
    const error: unknown = await verified([broken]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problems: [{ code: 'VERIFY_FAILED' }] });
    expect(JSON.stringify(error)).toContain('RuntimeError: the mast broke');
  });

  test('when one needs a project that is not installed, then that is no failure', async () => {
    const needy = { ...py3('boat', '3.0'), code: 'import an_absent_sail\n' };
    expect((await verified([needy])).log).toContain('boat needs an_absent_sail');
  });

  test('when the index then serves other bytes, then that is told', async () => {
    const file = join(index.root, PLATFORM, 'files/boat', wheelName(py3('boat', '3.0')));
    const other = await aWheel({ ...py3('boat', '3.0'), commit: 'other' });
    expect(await verified([py3('boat', '3.0')], () => writeFileSync(file, other)).catch(codesOf)).toEqual([
      'VERIFY_OTHER_BYTES',
    ]);
  });
});
