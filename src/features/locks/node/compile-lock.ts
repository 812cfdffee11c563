import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Artifact } from '../../../model/artifact.js';
import { fail, type Problem } from '../../../model/failure.js';
import { DRIFTED_LOCK } from '../../../model/run-folder.js';
import { assertFile, assertInside } from '../../../activities/step/inside.js';
import type { WheelPorts } from '../../../activities/wheels/ports.js';
import { pythonAbsent } from '../../../activities/pythons/errors.js';
import type { Body, Work } from '../../../activities/work.js';
import { compileByPipTools } from './by-pip-tools.js';
import { compileByUv } from './by-uv.js';
import { compareBytes, compareLocks, pinsOf, withoutHashLines } from './drift.js';
import { lockToolAbsent, lockToolBroken, lockUnsolvable } from './errors.js';
import { toolFacts } from './own-tool.js';
import type { Interpreter, Interpreters } from '../../../activities/pythons/ports.js';
import { relaxed, relaxedExactly } from './relax.js';
import { layRequirements, type Requirements } from './requirements.js';

type Lock = Work<'compileLock'>;
type Make = (from: Requirements, to: string) => Promise<void>;

export const createCompileLock = ({
  archives,
  interpreters,
}: Pick<WheelPorts, 'archives' | 'interpreters'>): Body<'compileLock'> =>
  async function compileLock(work) {
    const { name, python, cutoff, lock: path } = work.step.params;
    const platform = work.step.params.for.name;
    const make = await maker(work, interpreters);
    const requirements = await layRequirements(work, archives);
    const lock = join(work.folder, 'made', `${name}-${python}-${platform}.txt`);
    await mkdir(join(work.folder, 'made'));
    const labels = { lock: name, python, platform, ...(path !== undefined && { path }) };
    await (work.step.params.exact ? exactly(work, make, requirements, lock) : make(requirements, lock));
    if (work.step.params.bytes && path !== undefined) await sameBytes(work, requirements.committed ?? '', lock, labels);
    if (requirements.drift !== null) await compareWithSource(work, make, requirements, requirements.drift);
    const pins = countPins(await readFile(lock, 'utf8'));
    const by = await toolFacts(work);
    return {
      artifacts: [await work.keep(lock, 'lock', labels)],
      facts: { cutoff: cutoff ?? 'none', pins, ...by },
      note: `${pins} pins, cut-off ${cutoff ?? 'none'}${by.tool === undefined ? '' : `, by ${by.tool}`}`,
    };
  };

/** Returns the tool of a lock. The tool throws LOCK_UNSOLVABLE. Throws PYTHON_ABSENT if this worker lacks the Python.
 */
async function maker(work: Lock, interpreters: Interpreters): Promise<Make> {
  const { tool, python } = work.step.params;
  if (tool === 'relax') return (from, to) => relax(work, from, to);
  const interpreter = await interpreters.find(python);
  if (interpreter === null) throw fail(pythonAbsent(python, await interpreters.tags()));
  return async (from, to) => {
    const made = resolve(from.folder, to);
    assertInside(work, made);
    const exit = await TOOLS[tool](work, interpreter, from, to);
    assertFile(work, made);
    if (exit.code !== 0) throw fail(await whyNot(work, exit.code));
  };
}

/** A tool that a version of pip breaks calls what that pip no longer has. */
const BROKEN = /^(ImportError|ModuleNotFoundError|AttributeError|TypeError): /;

async function whyNot(work: Lock, code: number): Promise<Problem> {
  const { name, tool, toolOf, requires } = work.step.params;
  const lines = work.log.tail(30);
  if (toolOf !== undefined) return lockToolAbsent(toolOf, requires, lines);
  const own = await toolFacts(work);
  return own.pip !== undefined && lines.some((line) => BROKEN.test(line))
    ? lockToolBroken(name, own.tool!, own.pip, lines)
    : lockUnsolvable(name, tool, code, lines);
}

const TOOLS = { uv: compileByUv, 'pip-tools': compileByPipTools } as const satisfies Record<
  string,
  (work: Lock, python: Interpreter, from: Requirements, to: string) => unknown
>;

async function relax(work: Lock, { folder, in: [file = ''] }: Requirements, to: string): Promise<void> {
  const { without = [], exact } = work.step.params;
  const write = exact ? relaxedExactly : relaxed;
  await writeFile(resolve(folder, to), write(await readFile(join(folder, file), 'utf8'), without, file));
}

/** Lets the tool update the committed lock in place, so that it keeps pins that still hold. Hashes are removed first:
 * the tool then fetches them again. */
async function exactly(work: Lock, make: Make, from: Requirements, to: string): Promise<void> {
  const { lock: path } = work.step.params;
  const place = path ?? 'made.lock';
  await mkdir(dirname(join(from.folder, place)), { recursive: true });
  if (from.committed !== null) await writeFile(join(from.folder, place), withoutHashLines(from.committed));
  await make(from, place);
  assertInside(work, to);
  await cp(join(from.folder, place), to);
}

/** Throws LOCK_DRIFT if the committed lock differs. The new lock is stored for `slipway deps write`. */
async function sameBytes(work: Lock, before: string, made: string, labels: Artifact['labels']): Promise<void> {
  if (before === (await readFile(made, 'utf8'))) return;
  await work.remember(DRIFTED_LOCK, await work.keep(made, 'lock', labels));
  await compareBytes(work, before, made, labels['path']!);
}

/** Compiles onto a copy of the committed lock, so that both tools keep pins that still hold: a difference is drift, not
 * a newer release. The copy has no hashes, since the tools would keep wrong ones too. */
async function compareWithSource(work: Lock, make: Make, from: Requirements, drift: string): Promise<void> {
  const again = join(work.folder, 'made', 'again.txt');
  // The code of a project ran while the lock was made.
  assertFile(work, join(from.folder, drift));
  const before = await readFile(join(from.folder, drift), 'utf8');
  assertInside(work, again);
  await writeFile(again, pinsOf(before));
  await make(from, again);
  await compareLocks(work, before, again, drift);
}

const countPins = (lock: string): number => lock.split('\n').filter((line) => /^[A-Za-z0-9].*==/.test(line)).length;
