/** @needs compiler */
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { recordBase } from '../../../src/activities/images/record-base.js';
import type { ImageContainers } from '../../../src/activities/tests/ports.js';
import type { Body } from '../../../src/activities/work.js';
import type { MadeBase } from '../../../src/model/made-base.js';
import type { Params } from '../../../src/model/params.js';
import { records } from '../../../src/model/run-folder.js';
import { aLibrary } from '../../support/a-library.js';
import { digest } from '../../engine/index/an-entry.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';

const LINE = 'skiff/debian-12/own';

/** Containers whose image holds these libraries; they count their runs. */
function fakeContainers(libraries: readonly string[]): ImageContainers & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    runs,
    run: async ({ image, mounts }) => {
      runs.push(image);
      for (const path of libraries) copyFileSync(path, join(mounts[0]!.host, basename(path)));
      writeFileSync(join(mounts[0]!.host, 'python-version'), '3.11.2\n');
      return { code: 0, timedOut: false };
    },
  };
}

/** Records a base with these libraries as a step does. */
async function recorded(
  home: string,
  name: string,
  libraries: readonly string[],
  from?: Params['makeBase']['from'],
  id?: string,
) {
  const containers = fakeContainers(libraries);
  const body: Body<'makeBase'> = async (work) => ({
    artifacts: [],
    findings: await recordBase(work, containers, { image: `staging/${name}`, digest: digest(name) }),
    note: '',
  });
  const params = {
    name: 'debian-12',
    from: from ?? { debian: 'bookworm', packages: [], since: '2026-11-19' },
    oci: null,
  };
  const { made, around } = await runBody(body, aStep('makeBase', params, { ...(id !== undefined && { id }) }), {
    home,
  });
  const all = await around.store.list(records.bases(LINE));
  const newest = all.length === 0 ? null : await around.store.read<MadeBase>(all.at(-1)!);
  return { findings: made.findings, count: all.length, newest, runs: containers.runs };
}

const re2 = (major: number): string => aLibrary({ file: `libre2.so.${major}.0`, soname: `libre2.so.${major}` });
const libz = (version: string): string => aLibrary({ file: 'libz.so.1.3', soname: 'libz.so.1', version });

test('given a base that is refreshed, then its libraries, symbol versions and Python are recorded once', async () => {
  const home = await newHome();
  const first = await recorded(home, 'a', [re2(9), libz('ZLIB_1')]);
  expect(first).toMatchObject({ count: 1, runs: ['staging/a'], findings: [] });
  expect(first.newest).toMatchObject({ digest: digest('a'), since: '2026-11-19' });
  expect(first.newest!.offers).toEqual({
    libraries: { 'libre2.so.9': [], 'libz.so.1': ['ZLIB_1'] },
    glibc: null,
    python: '3.11.2',
  });
  expect(await recorded(home, 'a', [])).toMatchObject({ count: 1, runs: [] });
});

test('given the same image in a later period, then the period is recorded without a look into it', async () => {
  const home = await newHome();
  await recorded(home, 'a', [re2(9)]);
  const later = await recorded(home, 'a', [], { debian: 'bookworm', packages: [], since: '2026-11-26' });
  expect(later).toMatchObject({ count: 2, runs: [], findings: [] });
  expect(later.newest).toMatchObject({ since: '2026-11-26', offers: { libraries: { 'libre2.so.9': [] } } });
});

test.each([
  ['moved its soname', [re2(10), libz('ZLIB_1')], 'lacks libre2.so.9, which'],
  ['lost a symbol version', [re2(9), libz('ZLIB_2')], 'lacks ZLIB_1 of libz.so.1, which'],
])('given a newer base in which a library %s, then ABI_MOVED names it', async (_, libraries, why) => {
  const home = await newHome();
  await recorded(home, 'a', [re2(9), libz('ZLIB_1')]);
  const { findings } = await recorded(home, 'b', libraries);
  expect(findings).toMatchObject([{ code: 'ABI_MOVED', subject: 'debian-12', level: 'warning' }]);
  expect(findings![0]!.why).toContain(why);
});

test('given a base without `refresh` that no wheel is built in, then nothing is recorded', async () => {
  const from = { debian: 'bookworm', packages: [] };
  expect(await recorded(await newHome(), 'a', [re2(9)], from)).toMatchObject({ count: 0, runs: [] });
});

test('given the image of a platform that moved, then it is recorded though no wheel is built in it', async () => {
  const home = await newHome();
  const id = 'bases/of-platform/debian-12';
  const image = (digit: string) => ({ image: `boats/base@sha256:${digit.repeat(64)}` });
  await recorded(home, 'a', [re2(9)], image('1'), id);
  const { findings, newest } = await recorded(home, 'b', [re2(10)], image('2'), id);
  expect(findings).toMatchObject([{ code: 'ABI_MOVED' }]);
  expect(newest).toMatchObject({ since: image('2').image });
});

test('given a base whose libraries cannot be read, then the record says so, and nothing has moved', async () => {
  const home = await newHome();
  await recorded(home, 'a', [re2(9)]);
  expect(await recorded(home, 'b', [])).toMatchObject({ findings: [], newest: { offers: null } });
});
