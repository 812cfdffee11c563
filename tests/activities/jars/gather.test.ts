import { gatherNatives, type Clock } from '../../../src/activities/jars/natives/gather.js';
import type { Layout } from '../../../src/activities/ports.js';
import type { Digest } from '../../../src/model/digest.js';
import type { NativeRef } from '../../../src/model/params.js';
import { aPlatform } from '../../support/a-platform.js';
import { aResult, aStep, sha256 } from '../../support/run-body.js';

const digestOf = (path: string): Digest => sha256(path) as Digest;

/** Files that appear after so many milliseconds. */
function fakeLayout(clock: Clock, appears: Readonly<Record<string, number>>): Pick<Layout, 'place' | 'find'> {
  const held = new Map<string, Digest>();
  return {
    place: (path, digest) => {
      if (!held.has(path)) held.set(path, digest);
      return Promise.resolve({ digest: held.get(path)!, size: 1 });
    },
    find: (path) =>
      Promise.resolve((appears[path] ?? Infinity) <= clock.now() ? { digest: digestOf(path), size: 1 } : null),
  };
}

/** Time that passes by waiting alone. */
function fakeClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
    wait: (ms) => Promise.resolve(waits.push(ms)),
  };
}

const ref = (platform: string, step: string | null = null): NativeRef => ({
  for: aPlatform(platform),
  folder: `native/${platform}`,
  path: `main/abc/jars/${platform}/skiff.jar`,
  step,
});
const [ARM, MAC, X86] = [ref('linux-aarch64'), ref('macos-arm64'), ref('linux-x86_64', 'jars/native/linux-x86_64')];

async function gather(refs: readonly NativeRef[], appears: Record<string, number>, waitMs: number) {
  const clock = fakeClock();
  const lines: string[] = [];
  const artifact = { kind: 'jar', name: 'skiff.jar', digest: digestOf('own'), size: 1, labels: {} } as const;
  const work = {
    step: aStep('buildJar', {} as never, { id: 'jars/skiff' }),
    inputs: [aResult({ id: 'jars/native/linux-x86_64', kind: 'buildNative' }, { artifacts: [artifact] })],
    layout: fakeLayout(clock, appears),
    log: {
      note: () => undefined,
      write: (text: string) => void lines.push(text),
      tail: () => [],
      close: () => Promise.resolve(),
    },
    signal: new AbortController().signal,
  };
  const found = await gatherNatives(work, refs, waitMs, clock).catch((error: unknown) => error);
  return { found, lines, waits: clock.waits };
}

test('given libraries that exist, then they are taken at once; those of this run by digest', async () => {
  const { found, waits, lines } = await gather([ARM, X86], { [ARM.path]: 0 }, 60_000);
  expect(found).toEqual([
    { ref: ARM, digest: digestOf(ARM.path) },
    { ref: X86, digest: digestOf('own') },
  ]);
  expect(waits).toEqual([]);
  expect(lines).toHaveLength(2);
});

test('given a library that is not there yet, then each look prints what, where and when it looks again', async () => {
  const { found, waits, lines } = await gather([ARM], { [ARM.path]: 5_000 }, 60_000);
  expect(found).toEqual([{ ref: ARM, digest: digestOf(ARM.path) }]);
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(lines[1]).toBe(
    `libraries of linux-aarch64: not yet at ${ARM.path}; next look in 2 s, for at most 59 s more\n`,
  );
});

test.each([0, 1_500, 40_000, 120_000])(
  'when %i ms are over, then it ends and names every missing library',
  async (waitMs) => {
    const { found, waits } = await gather([ARM, MAC, X86], { [MAC.path]: waitMs + 1 }, waitMs);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(waitMs);
    expect(Math.max(0, ...waits)).toBeLessThanOrEqual(15_000);
    expect(found).toMatchObject({
      problems: [
        {
          code: 'NATIVE_MISSING',
          class: 'config',
          message: expect.stringMatching(/linux-aarch64 and macos-arm64/),
          evidence: [`linux-aarch64: looked for ${ARM.path}`, `macos-arm64: looked for ${MAC.path}`],
        },
      ],
    });
  },
);
