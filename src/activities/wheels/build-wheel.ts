import { basename } from 'node:path';
import { acceptFindings, judgeWheel } from '../../engine/checks/wheel.js';
import { parseWheelName } from '../../model/python/file-name.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { Result } from '../../model/result.js';
import { layOverlay, layTree, projectFolder } from '../source/tree.js';
import { outputsIn } from '../steps/outputs.js';
import { unlessFailedBefore } from '../step/failed-before.js';
import { newFolder } from '../step/inside.js';
import { noteRefused, wasRefused } from '../step/refused.js';
import type { Body, Made, Work } from '../work.js';
import { askTools } from './ask-tools.js';
import { againUnder } from './build-again.js';
import { type BuildEnv, makeBuildEnv, makeEnvOf } from './build-env.js';
import { addBuilder, builderAccess, builderLine, ownEnv, type BuildLocation, placeOf } from './builders.js';
import { crossEnv } from './cross-env.js';
import { runCibuildwheel } from './by-cibuildwheel.js';
import { buildFailed, refused, wheelAbsent, wheelsTooMany } from './errors.js';
import { lookAtWheel } from './look/look.js';
import { type Needle, needlesOf } from './look/needles.js';
import { insideOf, pythonInside } from './own-python.js';
import { lockOwn } from './own-lock.js';
import type { WheelPorts } from './ports.js';
import { keepPureBuild } from './pure-builds.js';
import { repairWheel } from './repair.js';
import { sameWheel } from './same-wheel.js';

type Build = Work<'buildWheel'>;

/** Parameters that only the checks read; the step key of the bytes leaves them out. */
const JUDGED: readonly (keyof Build['step']['params'])[] = ['accept', 'again', 'commit', 'everywhere'];

/** Builds a wheel in a fresh environment and repairs it. The bytes are built once; the checks run in each attempt. */
export const createBuildWheel = (ports: WheelPorts): Body<'buildWheel'> =>
  async function buildWheel(work) {
    return unlessFailedBefore(work, () => built(work, ports));
  };

async function built(work: Build, ports: WheelPorts): Promise<Made> {
  const believe = async (known: Result): Promise<boolean> => !(await wasRefused(work, known));
  const part = { name: 'bytes', epoch: 1, ignores: JUDGED, believe };
  const bytes = await work.part(part, async () => takenFrom(work) ?? (await makeBytes(work, ports)));
  const { raw, needles } = bytes.facts as unknown as BytesFacts;
  const [made, ...others] = bytes.artifacts;
  const fetched = { artifact: made!, path: await work.fetch(made!, newFolder(work, 'judged')) };
  const { artifact, path: wheel } = await againUnder(work, fetched);
  const [facts, said] = await Promise.all([lookAtWheel(work, ports.archives, wheel, needles), askTools(work, wheel)]);
  const findings = await conclude(work, bytes, [...judgeWheel(facts), ...said]);
  await keepPureBuild(work, artifact);
  const tags = parseWheelName(facts.file)!;
  return {
    artifacts: [artifact, ...others],
    facts: { file: facts.file, tag: tags.platforms.join('.'), raw, files: facts.members.length },
    findings,
    note: `${tags.pythons.join('.')} ${tags.platforms.join('.')}, ${facts.members.length} files${bytes.reused ? ', built before' : ''}`,
  };
}

interface BytesFacts {
  readonly raw: string;
  readonly needles: readonly Needle[];
}

/** Takes the wheel of another variant. Null if none fits. */
function takenFrom(work: Build): Made | null {
  const wheel = sameWheel(work);
  if (wheel === null) return null;
  const artifact = { ...wheel, labels: labelsOf(work) };
  return {
    artifacts: [artifact],
    facts: { raw: wheel.name, needles: [] },
    note: `${wheel.name}, of ${work.step.params.sameAs}`,
  };
}

function labelsOf({ step }: Build): Record<string, string> {
  const { project, version, python, for: platform } = step.params;
  return {
    project,
    ...(version !== null && { version }),
    platform: platform.name,
    ...(python !== null && { python }),
  };
}

async function makeBytes(work: Build, ports: WheelPorts): Promise<Made> {
  const { builder } = work.step.params;
  const tree = await layTree(work, ports.archives, 'tree');
  // A prepared tree already includes the overlay.
  if (work.artifacts('tree').length === 0) await layOverlay(work, work.step.params.overlay, tree);
  const settled = await settle(work, ports);
  const { place, env: bare, pythonWork } = settled;
  const own = work.step.params.lock;
  const locked = own && (await lockOwn(pythonWork, place, bare, projectFolder(work, tree), own));
  const env = locked?.env ?? bare;
  await addBuilder(pythonWork, builder, env);
  const raw = await build(work, ports, place, env, tree);
  const wheel = await repairWheel(work, ports.archives, settled, raw);
  const labels = labelsOf(work);
  const needles = needlesOf(work, env, tree).map(({ prefix, name }) => ({ prefix, name }));
  return {
    artifacts: [
      await work.keep(wheel, 'wheel', labels),
      ...(locked ? [await work.keep(locked.lock, 'buildLock', labels)] : []),
    ],
    facts: { raw: basename(raw), needles },
    note: basename(wheel),
  };
}

interface Settled {
  readonly place: BuildLocation;
  readonly env: BuildEnv;
  /** Runs programs where the Python of the environment is. */
  readonly pythonWork: Build;
}

/** Makes the build environment, with a Python of the worker or that of the container. */
async function settle(work: Build, ports: WheelPorts): Promise<Settled> {
  const { interpreter, ownPython, builder, where } = work.step.params;
  const seed = builder === 'pip';
  if (ownPython && where.in === 'container') {
    const place = placeOf(work, where, ports.containers, []);
    const pythonWork = insideOf(work, place);
    const own = await pythonInside(work, place, { base: where.base, tag: interpreter });
    return { place, pythonWork, env: await makeEnvOf(pythonWork, own, seed) };
  }
  const env = await makeBuildEnv(work, ports.interpreters, interpreter, seed);
  return { env, pythonWork: work, place: placeOf(work, where, ports.containers, [env.interpreter.prefix]) };
}

async function build(
  work: Build,
  ports: WheelPorts,
  place: BuildLocation,
  env: BuildEnv,
  tree: string,
): Promise<string> {
  const { project } = work.step.params;
  const out = newFolder(work, 'raw');
  const cwd = projectFolder(work, tree);
  const line = builderLine(work, env, out, 'wheel');
  // Compilers of a cross build override the release file's variables, which apply to all platforms.
  const vars = { ...env.env, ...ownEnv(work, out), ...(await crossEnv(work, env)) };
  const code =
    work.step.params.builder === 'cibuildwheel'
      ? await runCibuildwheel(work, ports, env, { tree, cwd, out }, vars)
      : await place.run(line, { cwd, env: work.env(vars), access: builderAccess(work, env) });
  if (code !== 0) throw fail(buildFailed(`building ${project}`, nameOf(line), code, work.log.tail(40)));
  return oneWheel(work, out, cwd);
}

const nameOf = (line: readonly string[] | string): string =>
  typeof line === 'string'
    ? `\`${line}\``
    : line
        .slice(0, 2)
        .map((word) => basename(word))
        .join(' ');

async function oneWheel(work: Build, out: string, cwd: string): Promise<string> {
  const { outputs } = work.step.params;
  const globs = outputs.length > 0 ? outputs : ['{out}/*.whl'];
  const found = (await outputsIn(work, out, cwd, globs)).filter((path) => path.endsWith('.whl'));
  const [wheel] = found;
  if (wheel === undefined) throw fail(wheelAbsent(globs));
  if (found.length > 1) throw fail(wheelsTooMany(found.map((path) => basename(path))));
  return wheel;
}

/** Returns the findings. Throws all errors that the release file does not accept. */
async function conclude(work: Build, bytes: Result, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const left = acceptFindings(findings, work.step.params.accept);
  for (const { level, code, subject, why } of left) work.log.note(`${level} ${code} ${subject}: ${why}`);
  const errors = left.filter(({ level }) => level === 'error');
  if (errors.length === 0) return left;
  await noteRefused(work, bytes);
  throw fail(errors.map(refused));
}
