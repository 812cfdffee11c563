/** @long @needs registries compiler */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { markRemoved } from '../../../src/activities/index/prune.js';
import type { ImageContainer, ImageContainers } from '../../../src/activities/tests/ports.js';
import type { Problem } from '../../../src/model/failure.js';
import type { Step } from '../../../src/model/plan.js';
import { indexPaths, type IndexEntry } from '../../../src/model/python/index-entry.js';
import type { Result } from '../../../src/model/result.js';
import { aWheel, wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { aResult, aStep, newHome, runBody, type BodyRun } from '../../support/run-body.js';
import { wheelStep } from '../wheels/fixture.js';
import { PLATFORM, publishStep, startStaticIndex, type StaticIndex, wheelIn } from './a-static-index.js';
import { built, codesOf } from './release.js';

const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';
/** Tag of this machine's own Python. */
const TAG = execFileSync('python3', ['-c', 'import sys; print("cp%d%d" % sys.version_info[:2])'], {
  env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  encoding: 'utf8',
}).trim();
const asked: ImageContainer[] = [];
/** Contents of the folders of PYTHONPATH. */
const onPath: (readonly string[])[] = [];

/** Containers whose programs run on this machine. */
const fakeContainers: ImageContainers = {
  run: (container) =>
    new Promise((resolve) => {
      asked.push(container);
      const { argv, cwd, env, onOutput } = container;
      if (env['PYTHONPATH'] && argv.includes('install')) onPath.push(readdirSync(env['PYTHONPATH']));
      const child = spawn(argv[0]!, argv.slice(1), { cwd, env });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => void onOutput(String(text)));
      child.on('error', () => resolve({ code: 127, timedOut: false }));
      child.on('close', (code) => resolve({ code: code ?? 137, timedOut: false }));
    }),
};

let it: StaticIndex;
beforeAll(async () => (it = await startStaticIndex(fakeContainers)));
afterAll(() => it.index.stop());
beforeEach(() => [asked, onPath].forEach((all) => all.splice(0)));
afterEach(() => rmSync(join(it.index.root, PLATFORM), { recursive: true, force: true }));

/** A wheel, and the base in which it was built. Without one it was built on the worker. */
type Listed = WheelSaid & { readonly base?: string };

const py3 = (project: string, version: string, more: Listed = {}): Listed => ({
  project,
  version,
  python: 'py3',
  ...more,
});

const image = (base: string): Result => {
  const labels = { repository: base };
  const digest = `sha256:${'0'.repeat(64)}` as const;
  return aResult(
    { id: base, kind: 'makeBase' },
    { artifacts: [{ kind: 'image', digest, name: base, size: 1, labels }] },
  );
};

interface Around {
  /** Changes the index after the wheels were listed. */
  readonly damage?: () => void | Promise<void>;
  /** The line of the release file. */
  readonly run?: string;
  /** Builds that failed. */
  readonly absent?: readonly string[];
}

/** Lists wheels, then verifies what was listed. */
async function verified(listed: readonly Listed[], { damage, run, absent = [] }: Around = {}): Promise<BodyRun> {
  const home = await newHome();
  const steps: Step[] = [];
  const inputs: Result[] = [];
  for (const { base, ...said } of listed) {
    const build = built([await wheelIn(home, said)], `wheels/${said.project}-${said.version}`);
    const where = base === undefined ? ({ in: 'host' } as const) : ({ in: 'container', base } as const);
    const made = { ...wheelStep({ where, ownPython: true, interpreter: TAG }), id: build.step };
    steps.push(made as unknown as Step, publishStep(build, it.target()) as unknown as Step);
    inputs.push((await it.publishBuilt(home, build)).result, build);
  }
  await damage?.();
  const of = steps.filter(({ kind }) => kind === 'buildWheel').map(({ id }) => id);
  const bases = [...new Set(listed.flatMap(({ base }) => base ?? []))];
  const step = aStep(
    'verifyTarget',
    {
      ...{ target: it.target(), project: 'x', version: '1', of: [...of, ...absent], run: run ?? null },
      ...{ python: TAG, when: 'built' },
      ...(bases.length > 0 && { bases }),
    },
    { id: `verify/cache/${PLATFORM}`, axes: { platform: PLATFORM, python: TAG } },
  );
  return runBody(it.bodies.verifyTarget, step, {
    ...{ home, inputs: [...inputs, ...bases.map(image)], sealedAs: null, plan: { steps } },
    surroundings: { service: () => '127.0.0.1:1' },
  });
}

/** Takes a wheel from the index as a prune does.
 * @param drawn whether its page is drawn anew; else its bytes are removed, as after the grace */
async function prune(said: WheelSaid, drawn: boolean): Promise<void> {
  const [file, path] = [wheelName(said), indexPaths.entry(PLATFORM, said.project!, wheelName(said))];
  const { digest } = JSON.parse((await it.place.read(path))!.text) as IndexEntry;
  await markRemoved(it.place, {
    ...{ slipway: 1, kind: 'prune order', at: new Date().toISOString(), by: 'ann', because: 'nobody asks' },
    ...{ review: `sha256:${'f'.repeat(64)}`, release: { name: 'boats', version: '1' }, target: it.target() },
    ...{ profile: { name: 'local', rehearsal: true }, graceMs: 0, platforms: [PLATFORM], stay: [] },
    remove: [{ platform: PLATFORM, file, digest }],
  });
  if (drawn) await drawPages(it.place, PLATFORM, [said.project!]);
  else rmSync(join(it.index.root, indexPaths.file(PLATFORM, said.project!, file)));
}

const problemsOf = (thrown: unknown): readonly Problem[] => (thrown as { problems: readonly Problem[] }).problems;
const failed = (...[listed, around]: Parameters<typeof verified>): Promise<readonly Problem[]> =>
  verified(listed, around).then(() => [], problemsOf);

describe('given wheels that this run listed', () => {
  test('when they are verified, then uv and pip install them from the index alone, JSON and sidecar first', async () => {
    const { made } = await verified([py3('boat', '3.0'), py3('boat', '4.0'), py3('skiff', '1.0')]);
    expect(made.note).toBe(`3 installed from ${PLATFORM} by uv and by pip, and imported`);
    const log = await it.index.accessLog();
    for (const client of ['uv/', 'pip/']) {
      const lines = log.split('\n').filter((line) => line.includes(client));
      expect(lines.some((line) => line.includes('/simple/boat/') && line.includes(JSON_TYPE))).toBe(true);
      expect(lines.some((line) => line.includes('.whl'))).toBe(true);
    }
  });

  test('when a wheel of the plan failed, then the others are verified, and the note says how many are not there', async () => {
    const { made } = await verified([py3('boat', '3.0')], { absent: ['wheels/oldie-1.2'] });
    expect(made.note).toBe(`1 installed from ${PLATFORM} by uv and by pip, and imported; 1 not built`);
  });

  test('when one needs a project that is not installed, then that is no failure', async () => {
    const needy = py3('boat', '3.0', { code: 'import an_absent_sail\n' });
    expect((await verified([needy])).log).toContain('boat needs an_absent_sail');
  });

  test('when a private module says itself that it is absent, then that is no failure', async () => {
    const stub = py3('boat', '3.0', { files: { '_boat.py': "raise ModuleNotFoundError('built without it')\n" } });
    expect((await verified([stub])).log).toContain('_boat says that it is absent: built without it');
  });

  test('when two of five do not import, then each is named with its own error, and the others were tried', async () => {
    const mast = py3('boat', '3.0', { code: "raise RuntimeError('the mast broke')\n" });
    const hull = py3('skiff', '1.0', { code: "raise OSError('libhull.so.2: cannot open shared object file')\n" });
    const sound = [py3('oar', '1.0'), py3('rope', '2.0'), py3('sail', '1.0')];
    const problems = await failed([sound[0]!, mast, sound[1]!, hull, sound[2]!]);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'WHEEL_UNUSABLE the wheel of boat 3.0 in cache cannot be used: it cannot be imported',
      'WHEEL_UNUSABLE the wheel of skiff 1.0 in cache cannot be used: it cannot be imported',
    ]);
    const [ofBoat, ofSkiff] = problems.map(({ evidence }) => evidence!.join('\n'));
    expect(ofBoat).toContain('RuntimeError: the mast broke');
    expect(ofBoat).not.toContain('libhull');
    expect(ofSkiff).toContain('OSError: libhull.so.2');
  });

  test('when the index then serves other bytes for one, then that file is named', async () => {
    const other = await aWheel(py3('boat', '3.0', { commit: 'other' }));
    const file = join(it.index.root, PLATFORM, 'files/boat', wheelName(py3('boat', '3.0')));
    const damage = (): void => writeFileSync(file, other);
    const problems = await failed([py3('oar', '1.0'), py3('boat', '3.0'), py3('sail', '1.0')], { damage });
    expect(problems).toMatchObject([
      { code: 'VERIFY_OTHER_BYTES', message: expect.stringContaining('files/boat/boat-3.0') },
    ]);
  });

  test.each([
    ['its page no longer lists it', true],
    ['its page still lists it, and its bytes are gone', false],
  ])(
    'when one is pruned before it is verified and %s, then the prune is told, and the others were tried',
    async (_, drawn) => {
      const damage = () => prune(py3('boat', '3.0'), drawn);
      const mast = py3('mast', '3.0', { code: "raise RuntimeError('the mast broke')\n" });
      expect(await failed([py3('oar', '1.0'), py3('boat', '3.0'), mast], { damage })).toMatchObject([
        {
          code: 'WHEEL_PRUNED',
          class: 'config',
          message: `${PLATFORM}/files/boat/boat-3.0-py3-none-any.whl was taken from cache by ann after this run had published it: nobody asks`,
          next: '`slipway retry --from publish/cache/wheels.boat-3.0` lists it again.',
        },
        { code: 'WHEEL_UNUSABLE', message: expect.stringContaining('mast 3.0') },
      ]);
    },
  );

  test('when the index is down, then no wheel is blamed', async () => {
    const codes = await verified([py3('boat', '3.0')], { damage: it.index.stop }).catch(codesOf);
    it = await startStaticIndex(fakeContainers);
    expect(codes).toEqual(['VERIFY_FAILED']);
  });

  test('when a line is given, then it runs with all of them', async () => {
    const line = 'python -c "import boat, skiff"';
    expect((await verified([py3('boat', '3.0'), py3('skiff', '1.0')], { run: line })).made.note).toContain(
      '2 installed',
    );
  });
});

describe('given wheels that were built in bases', () => {
  const PLAIN = 'bases/of-platform/debian-12';
  const WITH_LDAP = 'bases/wheels-ldap/debian-12';

  test('when they are verified, then each is installed and imported in its own base, imports without network', async () => {
    const { made, log } = await verified([
      py3('boat', '3.0', { base: PLAIN }),
      py3('ldap', '1.0', { base: WITH_LDAP }),
      py3('oar', '1.0', { base: PLAIN }),
    ]);
    expect(made.note).toContain('3 installed');
    const lines = asked.map(({ image: of, argv, network }) => ({
      of: of.split('@')[0],
      line: argv.join(' '),
      network,
    }));
    const imports = lines.filter(({ line }) => line.includes('importlib.import_module'));
    expect(imports.map(({ of, network }) => [of, network])).toEqual(
      [PLAIN, PLAIN, WITH_LDAP, WITH_LDAP].map((base) => [`127.0.0.1:1/${base}`, false]),
    );
    expect(imports.map(({ line }) => /boat oar$|ldap$/.exec(line)?.[0])).toEqual([
      'boat oar',
      'boat oar',
      'ldap',
      'ldap',
    ]);
    expect(lines.filter(({ line }) => / install /.test(line)).every(({ network }) => network)).toBe(true);
    expect(log).toContain('importing ldap of ldap');
  });

  test('when pip installs, then it is that of the tools, alone in a folder', async () => {
    await verified([py3('boat', '3.0', { base: PLAIN })]);
    const pip = asked.find(({ argv }) => argv.includes('pip') && argv[0] !== 'uv')!;
    expect(pip.argv.slice(1, 4)).toEqual(['-m', 'pip', 'install']);
    expect(onPath).toEqual([['pip']]);
  });
});
