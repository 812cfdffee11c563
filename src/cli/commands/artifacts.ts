import type { Artifact } from '../../model/artifact.js';
import { short } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { RunStatus } from '../../model/messages.js';
import { makesOf } from '../../model/id-prefixes.js';
import type { Report } from '../../model/report.js';
import type { Result } from '../../model/result.js';
import { resultNames } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { imageIsStaged, manyArtifacts, noArtifact } from '../errors.js';
import { statusOf } from '../find-run.js';
import type { Ports } from '../ports.js';
import { size } from '../render/duration.js';
import { colours, plain, table } from '../render/paint.js';
import { runFacts } from '../artifacts/run-facts.js';
import { viewOf } from '../artifacts/view.js';
import { honestyLines } from '../screens/honesty.js';

interface Made extends Artifact {
  readonly step: string;
  /** Why no passed test ran it. Absent if one did, or before the report. */
  readonly notRun?: string;
}

export const artifacts: CommandSpec<Ports> = {
  name: 'artifacts',
  summary:
    'list what a run made, or copy it out: `artifacts get NAME -o DIR`, without NAME the whole release; `artifacts export -o DIR` has a folder for each entry',
  arguments: [
    {
      name: '[step]',
      help: 'only of this step, or of steps below it: wheels, wheels/skiff; or the word get, tree (the folders of an export) or export',
    },
    {
      name: '[name]',
      help: 'after get: a name or the first digits of a digest; left out: what `slipway verify` reads, and all products',
    },
  ],
  options: [
    { flags: '-o, --out <folder>', help: 'where `get` puts the file; for `export` a new folder', default: '.' },
    { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
    { flags: '--json', help: 'the same as JSON' },
  ],
  async run({ args, options }, io, ports) {
    const status = await statusOf(ports, options['run'] === undefined ? undefined : String(options['run']));
    const { run, state } = status;
    if (args['step'] === 'tree' || args['step'] === 'export') return view(args['step'], status, options, io, ports);
    const report = await (await ports.store()).read<Report>(records.report(run));
    const made = marked(await madeBy(run, ports), report);
    const folder = String(options['out']);
    if (args['step'] === 'get' && args['name'] === undefined) return getRelease(made, { run, folder }, io, ports);
    if (args['step'] === 'get') return get(args['name'] ?? '', made, { run, folder }, io, ports);
    const asked = made.filter(({ step }) => isBelow(step, args['step']));
    if (options['json'] === true) io.out(JSON.stringify(asked));
    else list(asked, { report: report && below(report, args['step']), isOver: state === 'ended' }, io);
    return 0;
  },
};

/** Prints the paths of the view of a run, or writes its files. */
async function view(
  word: 'tree' | 'export',
  status: RunStatus,
  options: Input['options'],
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const files = viewOf(await runFacts(status, ports), ports.hash);
  if (word === 'export') {
    const reads = { store: await ports.store(), logs: await ports.logs() };
    io.out(await ports.writeView(String(options['out']), files, reads));
  } else if (options['json'] === true) io.out(JSON.stringify(files.map(({ path }) => path)));
  else io.out(files.map(({ path }) => plain(path)).join('\n'));
  return 0;
}

async function madeBy(run: string, ports: Ports): Promise<readonly Made[]> {
  const store = await ports.store();
  const names = await resultNames(store, run);
  const results = await Promise.all(names.map((name) => store.read<Result>(name)));
  return results.flatMap((result) => result?.artifacts.map((artifact) => ({ ...artifact, step: result.step })) ?? []);
}

const isBelow = (step: string, asked: string | undefined): boolean =>
  asked === undefined || step === asked || step.startsWith(`${asked}/`);

/** Each artifact that no passed test ran says why. */
function marked(made: readonly Made[], report: Report | null): readonly Made[] {
  const idle = new Map((report?.notRun ?? []).map((one) => [one.step, one]));
  return made.map((one) => {
    const said = idle.get(one.step);
    return said?.names.includes(one.name) ? { ...one, notRun: said.because } : one;
  });
}

const below = (report: Report, asked: string | undefined): Report => ({
  ...report,
  notRun: (report.notRun ?? []).filter(({ step }) => isBelow(step, asked)),
  dropped: report.dropped.filter(({ id }) => isBelow(id, asked)),
});

function list(made: readonly Made[], { report, isOver }: { report: Report | null; isOver: boolean }, io: Io): void {
  if (made.length === 0) return io.err(isOver ? 'No artifacts.' : 'No artifacts yet.');
  const rows = made.map(({ step, name, kind, size: bytes, digest }) =>
    [step, kind, name, size(bytes), short(digest)].map(plain),
  );
  const honest = report ? honestyLines(report, colours(io.terminal.colour)) : [];
  io.out([...table([['STEP', 'KIND', 'NAME', 'SIZE', 'DIGEST'], ...rows]), ...honest].join('\n'));
}

async function get(
  name: string,
  made: readonly Made[],
  { run, folder }: { run: string; folder: string },
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const found = made.filter((artifact) => artifact.name === name || isDigestOf(artifact, name));
  const digests = [...new Set(found.map(({ digest }) => digest))];
  const first = found[0];
  if (!first) throw fail(noArtifact(name, run));
  if (digests.length > 1) throw fail(manyArtifacts(name, digests));
  if (first.kind === 'image') throw fail(imageIsStaged(first.name, first.digest));
  io.out(await ports.save(first.digest, folder, first.name));
  return 0;
}

/** Everything under the seal that is a file, and what is said of it. */
async function getRelease(
  made: readonly Made[],
  { run, folder }: { run: string; folder: string },
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const wanted = made.filter(({ kind, step }) => RELEASED.includes(kind) || makesOf(step) === 'evidence');
  const twice = wanted.find((one) => wanted.some((other) => other.name === one.name && other.digest !== one.digest));
  if (!wanted.some(({ kind }) => kind === 'manifest')) throw fail(noArtifact('manifest.json', run));
  if (twice)
    throw fail(
      manyArtifacts(
        twice.name,
        wanted.flatMap(({ name, digest }) => (name === twice.name ? digest : [])),
      ),
    );
  const files = new Map(wanted.map((one) => [one.name, one.digest]));
  for (const [name, digest] of files) io.out(await ports.save(digest, folder, name));
  return 0;
}
const RELEASED: readonly Artifact['kind'][] = ['sdist', 'wheel', 'jar', 'manifest'];

/** Fewer digits than this name nothing. */
const LEAST_DIGITS = 6;
const isDigestOf = ({ digest }: Artifact, text: string): boolean =>
  text.length >= LEAST_DIGITS && digest.startsWith(text.startsWith('sha256:') ? text : `sha256:${text}`);
