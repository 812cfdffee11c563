/** @long @needs services compiler */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { home as sharedHome, packageRoot, WHEELS_FOLDER } from '../../src/adapters/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { objectPath } from '../../src/adapters/store/objects.js';
import type { Report } from '../../src/model/report.js';
import { indexPaths, type IndexEntry } from '../../src/model/python/index-entry.js';
import { records } from '../../src/model/run-folder.js';
import { servicesFile } from '../../src/services/folders.js';
import type { ServicesState } from '../../src/services/state.js';
import { listedIn, snapshot } from '../activities/index/an-index.js';
import { startPythonIndex, type PythonIndex } from '../doubles/python-index.js';
import { aHome } from '../services/a-home.js';
import { endPrograms, type Said, slipway } from '../support/own-services.js';
import { giveWorkflows } from '../support/shared-cache.js';
import { type Bases, openBases, serve } from './a-moving-library.js';

// Why it may be skipped: only root starts an engine.
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
const PLATFORM = 'harbour-12';
const tools = join(packageRoot(), '.tools', 'bin');

const folder = mkdtempSync(join(tmpdir(), 'slipway-library-moves-'));
let upstream: PythonIndex;
let made: Awaited<ReturnType<typeof aHome>>;
let bases: Bases;

const run = (...args: readonly string[]): Promise<Said> => {
  const mine = Object.entries(process.env).filter(([name]) => !name.startsWith('PIP_') || name === 'PIP_CERT');
  return slipway(folder, args, {
    ...(Object.fromEntries(mine) as Record<string, string>),
    ...{ SLIPWAY_HOME: made.home, SLIPWAY_ENGINE: 'own', SLIPWAY_ROOTS: folder, PIP_INDEX_URL: upstream.address },
  });
};
const address = (service: string): string =>
  (JSON.parse(readFileSync(servicesFile(made.home), 'utf8')) as ServicesState).services[service]!.address;
const root = (): string => join(made.home, WHEELS_FOLDER);
/** Files of the index, without the records of refreshes and the status drawn from them: each run writes those. */
const lasting = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(snapshot(join(root(), PLATFORM))).filter(
      ([path]) => !/^refreshes\/|\/status\.(json|html)$/.test(path),
    ),
  );
const storeFolder = (): string => join(made.home, 'store');

const fileOf = (image: string, name: string, list: string, more = ''): string => `slipway: 1
pipeline: { name: ${name}, label: minute }
platforms: { ${PLATFORM}: { like: linux-x86_64, base: harbour, libc: '2.36' } }
bases: { harbour: { image: '${image}', python: own } }
wheels: { wanted: { import: wheel-list, for: { ${PLATFORM}: [cp311] }, ${list} } }
publish: { cache: { kind: simple, files: ['wheels/*'], when: built } }
${more}`;

const FLEET = "wants: ['knots==1.0', 'rope==1.0', 'sail==1.0', 'drift==1.0']";
const write = (text: string): void => writeFileSync(join(folder, 'slipway.yaml'), text);

/** Types `slipway run --wait` and returns the reports of the runs that it started. */
async function carriedOut(): Promise<Said & { readonly reports: readonly Report[] }> {
  const said = await run('run', '.', '--wait', '--on-hold', 'fail');
  const runs = [...said.stderr.matchAll(/^Started: .* run (\S+)$/gm)].map((match) => match[1]!);
  const store = createDirectoryStore(storeFolder());
  const reports = await Promise.all(runs.map((id) => store.read<Report>(records.report(id))));
  return { ...said, reports: reports.filter((report) => report !== null) };
}

const builtIn = ({ steps }: Report): readonly string[] =>
  steps.flatMap(({ id, kind, outcome }) => (kind === 'buildWheel' && outcome === 'done' ? [id.split('/')[1]!] : []));
const hasMoved = ({ findings }: Report): boolean => findings.some(({ code }) => code === 'ABI_MOVED');
const listed = (project: string): readonly string[] => listedIn(root(), project, PLATFORM);

/** Name of the wheel that an installer takes, by its WHEEL file. */
async function takenBy(argv: readonly string[], project: string): Promise<string> {
  const into = mkdtempSync(join(tmpdir(), 'slipway-taken-'));
  const [program, ...line] = argv;
  const at = ['--index-url', `${address('wheels')}${PLATFORM}/simple/`, '--target', into, '--no-deps', project];
  await promisify(execFile)(program!, [...line, ...at]);
  const info = readdirSync(into).find((name) => name.endsWith('.dist-info'))!;
  return /^Build: (.*)$/m.exec(readFileSync(join(into, info, 'WHEEL'), 'utf8'))?.[1] ?? 'first';
}
const FOR_311 = ['--python-version', '3.11', '--only-binary', ':all:', '--quiet'];
const PIP = [join(tools, 'python'), '-m', 'pip', 'install', '--isolated', '--no-cache-dir', ...FOR_311];
const UV = [join(tools, 'uv'), 'pip', 'install', '--no-config', '--no-cache', ...FOR_311];

beforeAll(async () => {
  upstream = await startPythonIndex();
  for (const [name, makes] of [
    ['knots', 'linked'],
    ['rope', 'native'],
    ['sail', 'pure'],
    ['drift', 'random'],
    ['boat', 'linked'],
    ['raft', 'no code'],
  ] as const)
    serve(upstream, name, makes);
  made = await aHome();
  await giveWorkflows(made.home);
  mkdirSync(join(sharedHome(), 'cache'), { recursive: true });
  const up = await run('up');
  if (up.code !== 0) throw new Error(up.stderr);
  bases = await openBases(made.home, address('docker'), address('staging'));
});
afterAll(async () => {
  endPrograms();
  if (made) await run('down');
  made?.remove();
  await upstream?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

asRoot('given an index whose wheels were built in a base, and a library of the base that moves its soname', () => {
  let moved: string;

  test('when the first base is used, then all wheels are built and listed', async () => {
    write(fileOf(await bases.withLibrary(1), 'fleet', FLEET));
    const { code, reports, stderr, stdout } = await carriedOut();
    expect([code, stdout + stderr]).toEqual([0, expect.anything()]);
    expect(reports).toHaveLength(1);
    expect([...builtIn(reports[0]!)].sort()).toEqual(['drift-1.0', 'knots-1.0', 'rope-1.0', 'sail-1.0']);
    expect(listed('knots')).toEqual(['knots-1.0-cp311-cp311-linux_x86_64.whl']);
  });

  test('when the base moves, then a second run builds only what links the library, with build number 1', async () => {
    moved = await bases.withLibrary(2);
    write(fileOf(moved, 'fleet', FLEET));
    const { code, reports } = await carriedOut();
    expect(code).toBe(0);
    expect(reports.map((report) => [hasMoved(report), builtIn(report)])).toEqual([
      [true, []],
      [false, ['knots-1.0']],
    ]);
    expect(listed('knots')).toEqual([
      'knots-1.0-1-cp311-cp311-linux_x86_64.whl',
      'knots-1.0-cp311-cp311-linux_x86_64.whl',
    ]);
    expect(listed('rope')).toEqual(['rope-1.0-cp311-cp311-linux_x86_64.whl']);
    expect(listed('sail')).toEqual(['sail-1.0-py3-none-any.whl']);
  });

  test('when the second run is asked why, then it names the library; a later plan has the wheel', async () => {
    const then = await run('why', 'knots==1.0');
    expect(then.stdout).toContain('build: it links libknot.so.1, which the newest base of harbour-12 lacks');
    for (const [project, file] of [
      ['knots==1.0', 'knots-1.0-1-cp311'],
      ['rope==1.0', 'rope-1.0-cp311'],
    ] as const)
      expect((await run('why', project, '.')).stdout).toContain(`here: ${file}`);
  });

  test.each([
    ['pip', PIP],
    ['uv', UV],
  ])('when %s installs, then it takes the wheel with the build number, and others as they were', async (_, argv) => {
    expect(await takenBy(argv, 'knots==1.0')).toBe('1');
    expect(await takenBy(argv, 'rope==1.0')).toBe('first');
  });

  test('when a pure wheel is built again, then its bytes are confirmed and no file changes', async () => {
    write(fileOf(moved, 'fleet', FLEET, 'epochs: { wheels/sail-1.0: 1 }\n'));
    const before = lasting();
    const { code, reports } = await carriedOut();
    expect([code, reports.map(builtIn)]).toEqual([0, [['sail-1.0']]]);
    expect(lasting()).toEqual(before);
    expect((await run('why', 'sail==1.0', '.')).stdout).toContain('here: sail-1.0-py3-none-any.whl');
  });

  test('when the folder and copies in the store are lost, then `cache rebuild` brings all back but what is not reproducible', async () => {
    const entry = (file: string): IndexEntry =>
      JSON.parse(
        readFileSync(join(root(), indexPaths.entry(PLATFORM, file.split('-')[0]!, file)), 'utf8'),
      ) as IndexEntry;
    const files = ['knots', 'rope', 'sail', 'drift'].flatMap(listed);
    const before = new Map(files.map((file) => [file, entry(file).digest]));
    const lost = [
      'knots-1.0-1-cp311-cp311-linux_x86_64.whl',
      'sail-1.0-py3-none-any.whl',
      'drift-1.0-py3-none-any.whl',
    ];
    for (const file of lost) rmSync(objectPath(storeFolder(), before.get(file)!));
    rmSync(join(root(), PLATFORM), { recursive: true });
    const { code, stdout } = await run('cache', 'rebuild', '.', '--all', '--json');
    const [{ rows }] = JSON.parse(stdout) as [{ rows: { file: string; state: string; why: string | null }[] }];
    expect(Object.fromEntries(rows.map(({ file, state }) => [file, state]))).toEqual({
      'knots-1.0-cp311-cp311-linux_x86_64.whl': 'restored',
      'rope-1.0-cp311-cp311-linux_x86_64.whl': 'restored',
      [lost[0]!]: 'built',
      [lost[1]!]: 'built',
      [lost[2]!]: 'other',
    });
    expect(rows.find(({ state }) => state === 'other')!.why).toContain('it is not reproducible');
    expect(code).toBe(1);
    for (const file of files.filter((one) => !one.startsWith('drift')))
      expect(entry(file).digest).toBe(before.get(file));
    expect(listed('drift')).toEqual([]);
    expect(await takenBy(PIP, 'knots==1.0')).toBe('1');
  });

  test('when a list carries libraries, then the listed wheel has a manylinux tag, and a linux tag is refused', async () => {
    write(fileOf(moved, 'carried', "system: carry, wants: ['boat==1.0', 'raft==1.0']"));
    const { code, stdout, stderr } = await carriedOut();
    expect(listed('boat')).toEqual(['boat-1.0-cp311-cp311-manylinux_2_36_x86_64.whl']);
    expect(listed('raft')).toEqual([]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('REPAIR_FAILED');
  });
});
