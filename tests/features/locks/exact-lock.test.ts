/** @needs tools */
import { commandIn } from '../../../src/features/locks/node/header.js';
import { relaxed, relaxedExactly } from '../../../src/features/locks/node/relax.js';
import type { Params } from '../../../src/model/params.js';
import { aPlatform } from '../../support/a-platform.js';
import { aResult, aStep, anArtifact, newHome, runBody, type BodyRun } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aSource, bodies } from '../../activities/wheels/fixture.js';

const CUTOFF = '2024-01-15T00:00:00Z';
const step = (more: Partial<Params['compileLock']> = {}) =>
  aStep('compileLock', {
    name: 'base',
    tool: 'uv',
    python: 'cp312',
    for: aPlatform(),
    requires: [],
    in: ['req/base.in'],
    constraints: [],
    cutoff: CUTOFF,
    drift: null,
    lock: 'locks/base.lock',
    exact: true,
    ...more,
  });

async function textOf({ made, around }: BodyRun): Promise<string> {
  let text = '';
  for await (const part of await around.store.get(made.artifacts[0]!.digest)) text += Buffer.from(part).toString();
  return text;
}

const OPTIONS = ['--generate-hashes', '--no-header'];
const BASE = { 'req/base.in': 'packaging\n' };

test('given options, then the lock is exactly what the tool writes, with comments', async () => {
  const home = await newHome();
  const run = await runBody(bodies.compileLock, step({ options: OPTIONS }), {
    home,
    inputs: [await aSource(home, BASE)],
  });
  expect(await textOf(run)).toMatch(/^packaging==23\.2 \\\n( +--hash=\S+( \\)?\n)+ +# via -r req\/base\.in\n$/);
  expect(run.made.artifacts[0]!.labels).toMatchObject({ path: 'locks/base.lock' });
});

test('given a lock, then its header has the command for a user and no local path', async () => {
  const home = await newHome();
  const run = await runBody(bodies.compileLock, step(), { home, inputs: [await aSource(home, BASE)] });
  expect(await textOf(run)).toContain('#    uv pip compile req/base.in -o locks/base.lock\n');
  expect(await textOf(run)).not.toContain(home);
});

test('given a committed lock that still holds, then its pins and header are reused, and its bytes are no drift', async () => {
  const home = await newHome();
  const first = await runBody(bodies.compileLock, step({ constraints: ['packaging<23'] }), {
    home,
    inputs: [await aSource(home, BASE)],
  });
  const committed = (await textOf(first))
    .replace(/uv pip compile .*/, 'make lock')
    .replace(/ {4}# via\n.*/s, '    # via -r req/base.in\n');
  const inputs = [await aSource(home, { ...BASE, 'locks/base.lock': committed })];
  const again = await runBody(bodies.compileLock, step({ bytes: true }), { home, inputs });
  expect(await textOf(again)).toBe(committed);
  expect(committed).toContain('packaging==22.0');
  expect(committed).toContain('make lock');
});

test('given a wrong hash in the committed lock, then it is drift, reported with the diff', async () => {
  const home = await newHome();
  const committed = `packaging==23.2 \\\n    --hash=sha256:${'0'.repeat(64)}\n    # via -r req/base.in\n`;
  const inputs = [await aSource(home, { ...BASE, 'locks/base.lock': committed })];
  await expect(
    runBody(bodies.compileLock, step({ options: OPTIONS, bytes: true }), { home, inputs }),
  ).rejects.toMatchObject({
    first: {
      code: 'LOCK_DRIFT',
      message: expect.stringContaining('locks/base.lock'),
      evidence: expect.arrayContaining([expect.stringMatching(/^-.*sha256:0{64}/)]),
    },
  });
});

test('given a missing committed lock, then the comparison fails with its path', async () => {
  const home = await newHome();
  const asked = runBody(bodies.compileLock, step({ bytes: true }), { home, inputs: [await aSource(home, BASE)] });
  await expect(asked).rejects.toMatchObject({
    first: { code: 'REQUIREMENTS_ABSENT', message: expect.stringContaining('locks/base.lock') },
  });
});

test('given a lock that depends on another, then it reads that lock from this run', async () => {
  const home = await newHome();
  const made = await anArtifact(home, 'all.txt', Buffer.from('packaging==22.0\n'), {
    kind: 'lock',
    labels: { lock: 'all', path: 'locks/all.lock' },
  });
  const needed = aResult({ id: 'deps/all', kind: 'compileLock' }, { artifacts: [made] });
  const source = await aSource(home, { ...BASE, 'locks/all.lock': 'packaging==21.0\n' });
  const run = await runBody(bodies.compileLock, step({ constraints: ['locks/all.lock'], options: OPTIONS }), {
    home,
    inputs: [source, needed],
  });
  expect(await textOf(run)).toMatch(
    /^packaging==22\.0 .*# via\n {4}# {3}-c locks\/all\.lock\n {4}# {3}-r req\/base\.in\n$/s,
  );
});

test('given packages outside files, then the tool reads them from standard input', async () => {
  const home = await newHome();
  const run = await runBody(bodies.compileLock, step({ in: [], requires: ['packaging'], options: ['--no-header'] }), {
    home,
    inputs: [await aSource(home, BASE)],
  });
  expect(await textOf(run)).toBe('packaging==23.2\n');
});

test("given options, then they replace Slipway's own defaults in a plain lock too", async () => {
  const home = await newHome();
  const inputs = [await aSource(home, { 'req/base.in': 'packaging\ntomli; python_version < "3.11"\n' })];
  const more = { exact: undefined, options: ['--python-version 3.10', '--no-strip-markers'] };
  const { exact: _, ...plain } = step(more).params;
  const run = await runBody(bodies.compileLock, aStep('compileLock', plain), { home, inputs });
  expect(await textOf(run)).toMatch(/\ntomli==2\.0\.1/);
});

test('given pip-tools, then it writes its own format with the options', async () => {
  const home = await homeWithCache();
  const asked = step({
    tool: 'pip-tools',
    cutoff: null,
    python: 'cp311',
    requires: ['packaging==23.2'],
    in: [],
    options: ['--strip-extras'],
  });
  const run = await runBody(bodies.compileLock, asked, { home, inputs: [await aSource(home, BASE)] });
  const text = await textOf(run);
  expect(text).toContain('pip-compile');
  expect(text).toMatch(/packaging==23\.2\n {4}# via -r -\n/);
  expect(text).not.toContain(home);
});

describe('a lock made by relax', () => {
  const LOCK =
    '--index-url x\n\nabc==1 \\\n    --hash=sha256:1\n    # via\n    #   -r a\nZope.X[all]==2 \\\n    --hash=sha256:2\n    # via abc\nzz==3\n';

  test('given packages to remove, then it lacks them, their hashes and their comments, and is otherwise unchanged', () =>
    expect(relaxed(LOCK, ['zope-x'], 'a.lock')).toBe(
      '--index-url x\n\nabc==1 \\\n    --hash=sha256:1\n    # via\n    #   -r a\nzz==3\n',
    ));

  test('given an exact lock, then it has the upstream layout: no empty line, comments at the margin, double quotes in markers', () => {
    const lock = `-i x\n\nabc==1 ; os_name == 'nt' \\\n    --hash=sha256:1\n    # via b\nzz==3\n    # via c\n`;
    expect(relaxedExactly(lock, ['zz'], 'a.lock')).toBe(
      `-i x\nabc==1; os_name == "nt" \\\n    --hash=sha256:1\n# via b\n# via c\n`,
    );
  });

  test('given no Python, then it is made all the same; packages missing in the lock are all reported', async () => {
    const home = await newHome();
    const inputs = [await aSource(home, { 'a.lock': LOCK })];
    const asked = (without: readonly string[]) =>
      step({ tool: 'relax', python: 'cp299', in: ['a.lock'], without, cutoff: null });
    expect(await textOf(await runBody(bodies.compileLock, asked(['abc', 'Zope_X']), { home, inputs }))).toBe(
      '--index-url x\n# via\n#   -r a\n# via abc\nzz==3\n',
    );
    await expect(runBody(bodies.compileLock, asked(['foo', 'bar']), { home, inputs })).rejects.toMatchObject({
      problems: [{ code: 'RELAX_ABSENT' }, { code: 'RELAX_ABSENT' }],
    });
  });
});

test.each([
  [
    '# This file was autogenerated by uv via the following command:\n#    uv pip compile a.in\nx==1\n',
    'uv pip compile a.in',
  ],
  [
    '#\n# This file is autogenerated by pip-compile with Python 3.11\n# by the following command:\n#\n#    pip-compile a.in\n#\n',
    'pip-compile a.in',
  ],
  ['x==1\n', null],
])('given the header of a lock, then its command is found', (lock, command) => expect(commandIn(lock)).toBe(command));
