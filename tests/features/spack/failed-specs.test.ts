/** @long @needs temporal sandbox compiler */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aWorldWith, type CanaryWorld } from '../../integration/a-canary.js';
import { slipway } from '../../support/own-services.js';
import { boatyard, recipeOf } from './an-environment.js';
import { DOUBLE } from './planned.js';

let world: CanaryWorld;
let clone: string;
beforeAll(async () => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-boatyard-')));
  git('init', '--quiet');
  world = await aWorldWith('unused', { SLIPWAY_SPACK: DOUBLE });
});
afterAll(async () => {
  await world?.close();
  rmSync(clone, { recursive: true, force: true });
});

const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);

/** Commits examples/boatyard with other files, and with more keys of its environment. */
function commit(changed: Readonly<Record<string, string>> = {}, keys = ''): void {
  const files = boatyard(changed);
  const release = files['slipway.yaml']!.replace(/^source: .*$/m, 'source: { git: . }');
  for (const [path, text] of Object.entries({ ...files, 'slipway.yaml': `${release}${keys}` })) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  git('add', '.');
  git('commit', '--quiet', '-m', 'boatyard');
}

const said = async (cwd: string, ...args: readonly string[]) => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), SLIPWAY_SPACK: DOUBLE };
  const { code, stdout, stderr } = await slipway(cwd, args, {
    ...{ ...env, SLIPWAY_HOME: world.home, TEMPORAL_ADDRESS: world.env.address },
  });
  return { code, text: `${stdout}${stderr}` };
};
const run = () => said(clone, 'run', '--wait');

const [MAST, MENDED] = ['cauu6nz', 'qauu6nz'];
const BROKEN = {
  [recipeOf('mast')]: boatyard()[recipeOf('mast')]!.replace('mkdirp', 'raise InstallError("no"); mkdirp'),
};
const RELOCKED = { 'env/spack.lock': boatyard()['env/spack.lock']!.replaceAll(MAST, MENDED) };
const KNOWN = '    known: [{ spec: mast@1.0, because: needs newer headers, until: 2999-01-31 }]\n';

/** The sentences about three specs, before a run and after it. */
async function whys(): Promise<readonly string[]> {
  const told = async (...file: readonly string[]) => {
    const all = await Promise.all(['mast', 'sail', 'hull'].map((name) => said(clone, 'why', name, ...file)));
    return all.map(({ text }) => text.trim());
  };
  const before = await told('.');
  expect(await told()).toEqual(before);
  return before.map((text) => text.split('\n')[0]!.replace(/ \(env\/spack.lock:1\)$/, ''));
}

test('given a spec that fails, then runs build the rest and fail until it is known, another build of it is tolerated, and the first one is reproduced without the clone', async () => {
  commit(BROKEN);
  const first = await run();
  expect(first).toMatchObject({ code: 1, text: expect.stringContaining('SPEC_FAILED') });
  expect(first.text).toMatch(/done +specs\/rudder-/);
  const [, log] = /run (\S+)/.exec(first.text)!;

  const again = await run();
  expect(again.code).toBe(1);
  expect(again.text).toContain(`FAILED_BEFORE mast@1.0 /${MAST}: SPEC_FAILED: Spack could not build mast@1.0`);
  expect(again.text).toContain('left out because of it: 2 specs');
  expect(again.text).toMatch(/cached +specs\/rudder-/);
  expect(again.text).not.toMatch(/(running|skipped) +specs\//);
  expect(await whys()).toEqual([
    expect.stringMatching(`^mast@1.0 /${MAST}: failed before: .*\`slipway logs specs/mast-1.0-${MAST} --run ${log}`),
    `sail@1.0 /6gmafus: left out: it needs mast@1.0 /${MAST}, which failed before`,
    expect.stringMatching(/^hull@1.0 \/sh3j46b: build: /),
  ]);

  commit(BROKEN, KNOWN);
  expect((await run()).code).toBe(0);
  expect((await whys()).slice(0, 2)).toEqual([
    `mast@1.0 /${MAST}: known: needs newer headers (until 2999-01-31)`,
    `sail@1.0 /6gmafus: left out: it needs mast@1.0 /${MAST}, which is known to fail`,
  ]);

  commit(RELOCKED, KNOWN);
  const mended = await run();
  expect(mended.code).toBe(0);
  expect(mended.text).toMatch(/done +specs\/skiff-/);
  expect(mended.text).toContain(`KNOWN_PASSES mast@1.0: \`environments.stack.known\` lists it`);

  rmSync(clone, { recursive: true });
  const made = await said(tmpdir(), 'reproduce', `specs/mast-1.0-${MAST}`, '--run', log!, '--exec');
  expect(made).toMatchObject({ code: 1, text: expect.stringContaining('==> Error: InstallError: the mast broke') });
  expect(made.text).toContain('SPEC_FAILED (product) Spack could not build mast@1.0');
});
