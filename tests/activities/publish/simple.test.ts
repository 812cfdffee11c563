/** @needs registries */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../../../src/model/target.js';
import type { Result } from '../../../src/model/result.js';
import { snapshot } from '../index/an-index.js';
import { wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { aStep, anArtifact, newHome, runBody, sha256, type BodyRun } from '../../support/run-body.js';
import { PLATFORM, startStaticIndex, type StaticIndex, wheelIn } from './a-static-index.js';
import { built, codesOf } from './release.js';

let it: StaticIndex;
let index: StaticIndex['index'];
let place: StaticIndex['place'];
beforeAll(async () => {
  it = await startStaticIndex();
  ({ index, place } = it);
});
afterAll(() => index.stop());
afterEach(() => rmSync(join(index.root, PLATFORM), { recursive: true, force: true }));

async function published(said: WheelSaid = {}): Promise<BodyRun & { build: Result }> {
  const home = await newHome();
  const build = built([await wheelIn(home, said)], `wheels/${said.project ?? 'boat'}/${said.python ?? 'cp311'}`);
  return { ...(await it.publishBuilt(home, build)), build };
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
  const { made } = await it.publishBuilt(home, build, { run: 'another-run' });
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
    { target: it.target(), of: [build.step], tags: [PLATFORM] },
    { id: 'publish/cache' },
  );
  const thrown = runBody(it.bodies.publishArtifacts, step, { home, inputs: [sealed, build] }).catch(codesOf);
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
  const { made } = await it.publishBuilt(home, build, { run: 'another-run' });
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
  expect(await it.publishBuilt(home, build, { run: 'another-run' }).catch(codesOf)).toEqual(['INDEX_ENTRY_DIFFERS']);
});

test('given a wheel without METADATA, when it is published, then it is refused before it has an entry', async () => {
  const home = await newHome();
  const bytes = execFileSync('python3', [
    '-c',
    "import io,sys,zipfile\nb=io.BytesIO()\nz=zipfile.ZipFile(b,'w'); z.writestr('boat.py',''); z.close()\nsys.stdout.buffer.write(b.getvalue())",
  ]);
  const build = built([await anArtifact(home, wheelName(), bytes, { kind: 'wheel' })]);
  expect(await it.publishBuilt(home, build).catch(codesOf)).toEqual(['WHEEL_METADATA_ABSENT']);
  expect(await place.list(`${PLATFORM}/entries/`)).toEqual([]);
});

describe('given a target that is proved before anything is built', () => {
  const prove = (to: Target) =>
    newHome().then((home) =>
      runBody(it.bodies.proveTarget, aStep('proveTarget', { target: to, project: 'x', version: '1', tags: [] }), {
        home,
      }),
    );

  test('when its address serves the folder, then it answers, and nothing is left behind', async () => {
    expect((await prove(it.target())).made.note).toContain('answers');
    expect(readdirSync(join(index.root, 'proof'))).toEqual([]);
  });

  test('when its address serves another folder, then that is told', async () => {
    const other = it.target({ address: await newHome() });
    expect(await prove(other).catch(codesOf)).toEqual(['INDEX_NOT_SERVED']);
  });

  test('when its address is neither a folder nor a bucket, then that is told', async () => {
    expect(await prove(it.target({ address: 'somewhere' })).catch(codesOf)).toEqual(['INDEX_BROKEN']);
  });
});
