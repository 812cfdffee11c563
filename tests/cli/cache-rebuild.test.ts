import { cacheRebuild } from '../../src/cli/cache/rebuild.js';
import type { Copy, IndexCopies } from '../../src/cli/cache/open-rebuild.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Remade } from '../../src/model/remade.js';
import type { Restored } from '../../src/model/index-writer.js';
import { anEntry, digest } from '../engine/index/an-entry.js';
import { expectGolden } from '../support/golden.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const copy = (platform: string, file: string): Copy => ({
  ...{ platform, entry: anEntry(file), plan: digest('1'), step: 'publish/cache/x', run: 'a-run' },
});
const COPIES = [
  copy('debian-12', 'lxml-5.3.0-cp311-cp311-linux_x86_64.whl'),
  copy('debian-12', 'lxml-5.3.0-1-cp311-cp311-linux_x86_64.whl'),
  copy('debian-12', 'pbr-6.1.0-py3-none-any.whl'),
  copy('debian-13', 'lxml-5.2.2-cp313-cp313-linux_x86_64.whl'),
];
const LOST = 'lxml-5.2.2-cp313-cp313-linux_x86_64.whl';
const STATES: Readonly<Record<string, Pick<Restored, 'state' | 'why'>>> = {
  'pbr-6.1.0-py3-none-any.whl': { state: 'there', why: null },
  [LOST]: { state: 'lost', why: 'the store has no sha256:aaaaaaaaaaaa' },
};

const OTHER: Remade = {
  file: LOST,
  digest: digest('b'),
  why: 'built again as sha256:bbbbbbbbbbbb: it is not reproducible: sdist, base, lock and builder are the same',
};

/** Output of the command about these wheels.
 * @param remade how a lost wheel is built again */
async function rebuilt(
  rest: readonly string[],
  options: Readonly<Record<string, string | boolean>> = {},
  remade: Remade = OTHER,
) {
  const asked: string[] = [];
  const built: string[] = [];
  const index: IndexCopies = {
    ...{ target: 'cache', copies: COPIES },
    restore: async (copies) => {
      asked.push(...copies.map(({ entry: { file } }) => file));
      return copies.map(({ platform, entry: { file } }) => ({
        ...{ platform, file },
        ...((!built.includes(file) && STATES[file]) || { state: 'restored', why: null }),
      }));
    },
    remake: async (copies) => {
      built.push(...copies.map(({ entry: { file } }) => file));
      return copies.map(() => remade);
    },
  };
  const io = fakeIo();
  const code = await cacheRebuild({ args: { file: 'wheels.yaml' }, rest, options }, io, fakePorts({ copies: [index] }));
  return { code, asked, built, out: io.printed.join('\n') };
}

test('given --all, then all copies are put back, and what differs is named with the reason', async () => {
  const { code, asked, out } = await rebuilt([], { all: true });
  expect(asked).toHaveLength(4);
  expect(code).toBe(1);
  expectGolden('cli/cache-rebuild.txt', out);
});

test('given a wheel with its version, then it alone is put back, with all its builds', async () => {
  const { code, asked } = await rebuilt(['LXML==5.3.0']);
  expect(asked).toEqual(COPIES.slice(0, 2).map(({ entry }) => entry.file));
  expect(code).toBe(0);
});

test('given a lost wheel that is built again with its digest, then it is put back', async () => {
  const { code, asked, built, out } = await rebuilt([], { all: true }, { file: LOST, digest: digest('a'), why: null });
  expect({ code, built }).toEqual({ code: 0, built: [LOST] });
  expect(asked.filter((file) => file === LOST)).toHaveLength(2);
  expect(out).toContain('4 of 4 wheels with the digest of the entry');
});

test('given a lost wheel that does not build, then it stays lost, with the reason', async () => {
  const why = 'it was not built: BUILD_FAILED: make ended with 2';
  const { code, out } = await rebuilt(['lxml==5.2.2'], {}, { file: LOST, digest: null, why });
  expect(code).toBe(1);
  expect(out).toMatch(/lost +debian-13 .*the store has no sha256:aaaaaaaaaaaa; it was not built: BUILD_FAILED/);
});

test('given --json, then each wheel has its state', async () => {
  const { out } = await rebuilt(['pbr'], { json: true });
  expect(JSON.parse(out)).toEqual([
    {
      target: 'cache',
      rows: [{ platform: 'debian-12', file: 'pbr-6.1.0-py3-none-any.whl', state: 'there', why: null }],
    },
  ]);
});

test.each([
  [[], ['REBUILD_WHICH'], 'no wheel is named'],
  [['lxml==1.0', 'nobody'], ['REBUILD_UNKNOWN', 'REBUILD_UNKNOWN'], 'it has lxml==5.3.0, lxml==5.2.2'],
])('given the wheels %j, then the command is refused with %j', async (rest, codes, text) => {
  const failure = (await rebuilt(rest).catch((error: unknown) => error)) as SlipwayFailure;
  expect(failure.problems.map(({ code }) => code)).toEqual(codes);
  expect(failure.first.message).toContain(text);
});
