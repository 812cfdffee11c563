/** @needs tools sandbox */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { Body } from '../../src/activities/work.js';
import type { Artifact } from '../../src/model/artifact.js';
import { aSource, bodies, C_PROJECT, EPOCH, handmade, HOST, wheelStep } from '../activities/wheels/fixture.js';
import { aPlatform } from '../support/a-platform.js';
import { anArtifact, aStep, newHome, runBody } from '../support/run-body.js';

const CANARY = 'canary-of-the-home-51c3';

/** A home with a key in it, and a folder that programs run from. */
async function aHome(): Promise<{ readonly home: string; readonly keys: string }> {
  const home = await newHome();
  const keys = join(home, 'keys');
  mkdirSync(keys);
  writeFileSync(join(keys, 'control.key'), CANARY);
  return { home, keys };
}

const refused = { first: { code: 'LINK_LEADS_OUT', class: 'denied' } };

const OUT = { env: { OUT: '{out}' } };

/** Every file of a folder with its text. */
const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('[C3] a build leaves a link in its folder, and the worker outside the sandbox follows it', () => {
  const command = (home: string, run: string, outputs: readonly string[]) => {
    const programs = createPrograms({ running: join(home, 'running') });
    const { runCommand } = makeBodies(['runCommand'], { programs, archives: createArchives(), containers: null });
    const params = { run, env: {}, folder: '.', where: { in: 'host' as const }, outputs, expect: null };
    return runBody(runCommand, aStep('runCommand', params), { home, surroundings: { programs } });
  };

  test('given an output folder that links to the keys, when outputs are stored, then no key becomes an artifact', async () => {
    const { home, keys } = await aHome();
    const ran = command(home, `rmdir "$OUT" && ln -s ${keys} "$OUT"`, ['{out}/*']);
    await expect(ran).rejects.toMatchObject(refused);
  });

  test('given a link inside the working folder, when outputs are stored, then links are not outputs', async () => {
    const { home, keys } = await aHome();
    const { made } = await command(home, `ln -s ${keys} made; echo own > own.txt`, ['**/*']);
    expect(made.artifacts.map(({ name }) => name)).toEqual(['own.txt']);
  });

  test('given a prepared tree that links to the keys, when it is packed, then no key becomes its source', async () => {
    const { home, keys } = await aHome();
    const run = `cd .. && mv tree away && ln -s ${keys} tree`;
    const params = { ...HOST, run, project: 'skiff', overlay: null, normalise: [], python: null };
    const inputs = [await aSource(home, C_PROJECT)];
    const ran = runBody(bodies.prepareSource, aStep('prepareSource', params as never), { home, inputs, epoch: EPOCH });
    await expect(ran).rejects.toMatchObject(refused);
  });

  test('given a link under the name of the prepared archive, when it is packed, then no file outside is written', async () => {
    const { home, keys } = await aHome();
    const run = `ln -s ${keys}/control.key ../tree.tar`;
    const params = { ...HOST, run, project: 'skiff', overlay: null, normalise: [], python: null };
    const inputs = [await aSource(home, C_PROJECT)];
    await runBody(bodies.prepareSource, aStep('prepareSource', params as never), { home, inputs, epoch: EPOCH }).catch(
      () => undefined,
    );
    expect(filesOf(keys)).toEqual({ 'control.key': CANARY });
  });

  test('given a link in place of the unpacked sdist, when it is normalised, then nothing is written outside', async () => {
    const { home, keys } = await aHome();
    const run = `ln -s ${keys} ../sdist; mkdir skiff-1.2; echo own > skiff-1.2/control.key; echo evil > skiff-1.2/policy.yaml; tar -czf "$OUT/skiff-1.2.tar.gz" skiff-1.2`;
    const params = { ...HOST, run, project: 'skiff', builder: 'command' as const, outputs: ['{out}/*.tar.gz'], ...OUT };
    const inputs = [await aSource(home, C_PROJECT)];
    const { made } = await runBody(bodies.buildSdist, aStep('buildSdist', params), { home, inputs, epoch: EPOCH });
    expect(filesOf(keys)).toEqual({ 'control.key': CANARY });
    expect(made.artifacts).toMatchObject([{ name: 'skiff-1.2.tar.gz' }]);
  });

  test('given a link in place of the unpacked wheel, when it is checked, then nothing is written outside', async () => {
    const { home, keys } = await aHome();
    const run = `ln -s ${keys} ../look; ln -s ${keys} ../judged; ${handmade({ 'policy.yaml': 'evil' })}`;
    const inputs = [await aSource(home, C_PROJECT)];
    const step = wheelStep({ builder: 'command', run, python: 'cp311', interpreter: 'cp311', ...OUT });
    await runBody(bodies.buildWheel, step, { home, inputs, epoch: EPOCH });
    expect(filesOf(keys)).toEqual({ 'control.key': CANARY });
  });

  test('given a link under the name of a rewritten zip, when it is normalised, then no file outside is written', async () => {
    const { home, keys } = await aHome();
    const zip = join(home, 'made.jar');
    execFileSync('python3', [
      '-c',
      'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("a", "evil")',
      zip,
    ]);
    symlinkSync(join(keys, 'control.key'), `${zip}.normalised`);
    await createArchives().normaliseZip(zip, 0);
    expect(filesOf(keys)).toEqual({ 'control.key': CANARY });
    expect(existsSync(zip)).toBe(true);
  });
});

describe('[C3] a program leaves links in a folder, and a body works there', () => {
  const after =
    (line: (keys: string) => string, then: Body<'runCommand'>, keys: string): Body<'runCommand'> =>
    async (work) => {
      await work.must(line(keys));
      return then(work);
    };
  const given = async (line: (keys: string) => string, then: (wheel: Artifact) => Body<'runCommand'>) => {
    const { home, keys } = await aHome();
    const wheel = await anArtifact(home, 'evil.whl', 'evil');
    const ran = runBody(after(line, then(wheel), keys), aStep('runCommand', {} as never), { home });
    await expect(ran).rejects.toMatchObject(refused);
    expect(filesOf(keys)).toEqual({ 'control.key': CANARY });
  };
  const none = { artifacts: [], note: '' };

  test('given a file that is a link, then it is not stored', () =>
    given(
      (keys) => `ln -s ${keys}/control.key made.txt`,
      () => async (work) => ({ ...none, artifacts: [await work.keep(join(work.folder, 'made.txt'), 'file')] }),
    ));

  test('given a link, dangling or not, then no artifact is fetched through it', async () => {
    const fetched =
      (folder: string) =>
      (wheel: Artifact): Body<'runCommand'> =>
      async (work) => {
        await work.fetch(wheel, join(work.folder, folder));
        return none;
      };
    await given((keys) => `ln -s ${keys} wheels`, fetched('wheels'));
    await given((keys) => `mkdir a; ln -s ${keys} a/b`, fetched('a/b/c'));
    await given((keys) => `ln -s ${keys}/new wheels`, fetched('wheels'));
  });
});

describe('[C3] a build replaces a lock while it is made', () => {
  const step = aStep('compileLock', {
    ...{ name: 'build', tool: 'uv', python: 'cp312', for: aPlatform(), requires: ['packaging'], in: [] },
    ...{ constraints: [], cutoff: '2024-01-15T00:00:00Z', drift: 'old.lock' },
  } as never);

  /** @param line runs in place of uv, with the path of the lock as $1 and the tree as its folder */
  const compiled = async (line: string) => {
    const { home, keys } = await aHome();
    const programs = createPrograms({ running: join(home, 'running') });
    const inputs = [await aSource(home, { 'old.lock': 'packaging==23.2\n' })];
    const run: typeof programs.run = (command) => {
      const made = command.argv.at(command.argv.indexOf('--output-file') + 1) as string;
      execFileSync('sh', ['-c', line, 'sh', made, keys], { cwd: command.cwd });
      return Promise.resolve({ code: 0, timedOut: false } as never);
    };
    return runBody(bodies.compileLock, step as never, {
      home,
      inputs,
      surroundings: { programs: { ...programs, run } },
    });
  };

  test('given a pipe in its place, then the worker waits for no writer', async () => {
    await expect(compiled('mkfifo "$1"')).rejects.toMatchObject({ first: { code: 'NO_PLAIN_FILE' } });
  });

  test('given a very long file in its place, then the worker does not read it', async () => {
    await expect(compiled('truncate -s 65M "$1"')).rejects.toMatchObject({ first: { code: 'NO_PLAIN_FILE' } });
  });

  test('given a link to the keys in place of the committed lock, then the worker does not read them', async () => {
    await expect(compiled('echo packaging==23.2 > "$1"; ln -sf "$2/control.key" old.lock')).rejects.toMatchObject(
      refused,
    );
  });
});
