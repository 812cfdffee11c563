/** @needs tools */
import { essence } from '../../../src/features/locks/node/drift.js';
import { uvPlatform } from '../../../src/features/locks/node/by-uv.js';
import type { Params } from '../../../src/model/params.js';
import { aPlatform } from '../../support/a-platform.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aSource, bodies } from '../../activities/wheels/fixture.js';

const step = (more: Partial<Params['compileLock']> = {}) =>
  aStep('compileLock', {
    name: 'build',
    tool: 'uv',
    python: 'cp312',
    for: aPlatform(),
    requires: ['packaging'],
    in: [],
    constraints: [],
    cutoff: '2024-01-15T00:00:00Z',
    drift: null,
    ...more,
  });

test('given requirements, then the lock has hashes, no local path, and the same bytes each time', async () => {
  const [one, two] = [await runBody(bodies.compileLock, step()), await runBody(bodies.compileLock, step())];
  expect(one.made.artifacts).toEqual(two.made.artifacts);
  expect(one.made.artifacts).toMatchObject([
    {
      kind: 'lock',
      name: 'build-cp312-linux-x86_64.txt',
      labels: { lock: 'build', python: 'cp312', platform: 'linux-x86_64' },
    },
  ]);
  expect(one.made.facts).toEqual({ cutoff: '2024-01-15T00:00:00Z', pins: 1 });
  let text = '';
  for await (const part of await one.around.store.get(one.made.artifacts[0]!.digest))
    text += Buffer.from(part).toString();
  expect(text).toMatch(/^packaging==23\.2 \\\n +--hash=sha256:[0-9a-f]{64}/);
  expect(text).not.toContain('://');
});

test('given constraints in text or in a file of the source, then the lock respects them', async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { 'req/base.in': 'packaging\n', 'req/limits.txt': 'packaging<23\n' })];
  // An older packaging needs pyparsing besides.
  const { made } = await runBody(
    bodies.compileLock,
    step({ requires: [], in: ['req/base.in'], constraints: ['req/limits.txt', 'packaging<22'] }),
    {
      home,
      inputs,
    },
  );
  expect(made.facts).toMatchObject({ pins: 2 });
});

test('given a committed lock that differs, then the step fails with the diff', async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { 'old.lock': `packaging==23.2 --hash=sha256:${'0'.repeat(64)}\n` })];
  const drifted = runBody(bodies.compileLock, step({ drift: 'old.lock' }), { home, inputs });
  await expect(drifted).rejects.toMatchObject({
    first: { code: 'LOCK_DRIFT', evidence: expect.arrayContaining([expect.stringMatching(/^-.*sha256:0{64}$/)]) },
  });
});

test('given a committed lock that still holds, then its layout is no drift', async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { 'old.lock': '# made by hand\npackaging==23.1  # why not\n' })];
  const { made } = await runBody(bodies.compileLock, step({ drift: 'old.lock' }), { home, inputs });
  expect(made.facts).toMatchObject({ pins: 1 });
});

test.each<[string, Partial<Params['compileLock']>, string]>([
  ['requirements without a solution', { requires: ['packaging>23.2'] }, 'LOCK_UNSOLVABLE'],
  ['a missing Python', { python: 'cp299' }, 'PYTHON_ABSENT'],
])('given %s, then the step fails with a code', async (_, more, code) => {
  await expect(runBody(bodies.compileLock, step(more))).rejects.toMatchObject({ first: { code } });
});

describe('pip-tools', () => {
  const asked = (more: Partial<Params['compileLock']> = {}) =>
    step({ tool: 'pip-tools', cutoff: null, requires: ['packaging==23.2', 'tomli; python_version < "3.12"'], ...more });

  test('given a Python, then pip-tools locks for it with hashes, and drift is found', async () => {
    const home = await homeWithCache();
    const inputs = [await aSource(home, { 'old.lock': 'packaging==23.1\n' })];
    const { made, around } = await runBody(bodies.compileLock, asked({ python: 'cp311' }), { home });
    expect(made).toMatchObject({ facts: { cutoff: 'none', pins: 2 } });
    let text = '';
    for await (const part of await around.store.get(made.artifacts[0]!.digest)) text += Buffer.from(part).toString();
    expect(text).toMatch(/^packaging==23\.2 \\\n +--hash=sha256:[0-9a-f]{64}/);
    expect(text).toMatch(/\ntomli==/);
    expect(text).not.toContain('://');
    expect(text).not.toContain(home);
    await expect(
      runBody(bodies.compileLock, asked({ python: 'cp312', drift: 'old.lock' }), { home, inputs }),
    ).rejects.toMatchObject({ first: { code: 'LOCK_DRIFT' } });
  });

  test.each<[string, Partial<Params['compileLock']>, string]>([
    ['a cut-off', { cutoff: '2024-01-15T00:00:00Z' }, 'CUTOFF_UNKNOWN'],
    ['another machine', { for: aPlatform('macos-arm64') }, 'LOCK_OTHER_MACHINE'],
  ])('given %s, then pip-tools locks are refused', async (_, more, code) => {
    await expect(runBody(bodies.compileLock, asked(more))).rejects.toMatchObject({ first: { code } });
  });
});

describe('a tool with a version', () => {
  /** The lock of a tool, as the planned step before makes it. */
  const ofTool = (home: string, requires: readonly string[]) =>
    runBody(bodies.compileLock, step({ name: 'build-tool', cutoff: null, requires: [...requires], toolOf: 'build' }), {
      home,
    });
  const locked = async (
    tool: 'uv' | 'pip-tools',
    version: string,
    more: readonly string[] = [],
    requires = ['packaging==23.2'],
  ) => {
    const home = await homeWithCache();
    const { result } = await ofTool(home, [`${tool}==${version}`, ...more]);
    const asked = step({ tool, version, cutoff: null, requires });
    return runBody(bodies.compileLock, asked, { home, inputs: [result] });
  };

  test('given pip-tools 7.4.1 and pip 25.0, then they make the lock, and its record names them', async () => {
    const { made } = await locked('pip-tools', '7.4.1', ['pip==25.0']);
    expect(made).toMatchObject({
      facts: { pins: 1, tool: 'pip-tools==7.4.1', pip: '25.0' },
      note: expect.stringContaining('by pip-tools==7.4.1'),
    });
  });

  test('given uv of another version, then that one makes the lock', async () => {
    const { made } = await locked('uv', '0.9.1');
    expect(made.facts).toEqual({ cutoff: 'none', pins: 1, tool: 'uv==0.9.1' });
  });

  test('given a pip that breaks it, then both are named, with the lines that say why', async () => {
    await expect(locked('pip-tools', '7.4.1', ['pip==26.3'])).rejects.toMatchObject({
      first: {
        code: 'LOCK_TOOL_BROKEN',
        message: 'deps build: pip-tools==7.4.1 ended with a traceback under pip 26.3',
        evidence: expect.arrayContaining([expect.stringContaining('stdlib_pkgs')]),
      },
    });
  });

  test('given requirements that contradict each other, then the lock is unsolvable and the tool is not broken', async () => {
    const apart = ['packaging==23.2', 'packaging>=24'];
    await expect(locked('pip-tools', '7.4.1', ['pip==25.0'], apart)).rejects.toMatchObject({
      first: { code: 'LOCK_UNSOLVABLE' },
    });
  });

  test('given a version that no index has, then it is named', async () => {
    await expect(ofTool(await homeWithCache(), ['pip-tools==99.1', 'pip'])).rejects.toMatchObject({
      first: { code: 'LOCK_TOOL_ABSENT', message: expect.stringContaining('pip-tools==99.1') },
    });
  });
});

test('given several missing files, then all are reported at once', async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { a: '' })];
  const asked = runBody(bodies.compileLock, step({ in: ['x.in', 'y.in'] }), { home, inputs });
  await expect(asked).rejects.toMatchObject({
    problems: [{ code: 'REQUIREMENTS_ABSENT' }, { code: 'REQUIREMENTS_ABSENT' }],
  });
});

test('given locks that differ in layout, comments and options only, then they are equal', () =>
  expect(essence('-i x\nb==1 \\\n  --hash=sha256:2 \\\n  --hash=sha256:1\n  # via c\na==1\n')).toBe(
    'a==1\nb==1\n    --hash=sha256:1\n    --hash=sha256:2\n',
  ));

test.each([
  ['linux-aarch64', 'aarch64-manylinux_2_34'],
  ['macos-arm64', 'aarch64-apple-darwin'],
  ['plan9-mips', null],
])('given the platform %s, then its name for uv is %s', (platform, name) =>
  expect(uvPlatform(aPlatform(platform))).toBe(name),
);
