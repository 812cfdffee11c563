import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Archives } from '../source/ports.js';
import type { Body, Work } from '../work.js';
import { compileByPipTools } from './by-pip-tools.js';
import { compileByUv } from './by-uv.js';
import { compareLocks, pinsOf } from './drift.js';
import { lockUnsolvable, pythonAbsent } from './errors.js';
import type { Interpreter, Interpreters } from './ports.js';
import { layRequirements, type Requirements } from './requirements.js';

type Lock = Work<'compileLock'>;

/** A hashed lock for one Python and one platform. */
export const createCompileLock = (archives: Archives, interpreters: Interpreters): Body<'compileLock'> =>
  async function compileLock(work) {
    const { name, python, cutoff } = work.step.params;
    const platform = work.step.params.for.name;
    const interpreter = await interpreters.find(python);
    if (interpreter === null) throw fail(pythonAbsent(python, await interpreters.tags()));
    const requirements = await layRequirements(work, archives);
    const lock = join(work.folder, 'made', `${name}-${python}-${platform}.txt`);
    await mkdir(join(work.folder, 'made'));
    await compile(work, interpreter, requirements, lock);
    if (requirements.drift !== null) await compareWithSource(work, interpreter, requirements, requirements.drift);
    const pins = countPins(await readFile(lock, 'utf8'));
    const artifact = await work.keep(lock, 'lock', { lock: name, python, platform });
    return {
      artifacts: [artifact],
      facts: { cutoff: cutoff ?? 'none', pins },
      note: `${pins} pins, cut-off ${cutoff ?? 'none'}`,
    };
  };

const TOOLS = { uv: compileByUv, 'pip-tools': compileByPipTools } as const;

async function compile(work: Lock, python: Interpreter, from: Requirements, to: string): Promise<void> {
  const { name, tool } = work.step.params;
  const exit = await TOOLS[tool](work, python, from, to);
  if (exit.code !== 0) throw fail(lockUnsolvable(name, tool, exit.code, work.log.tail(30)));
}

/** Compiled onto a copy, both tools keep the pins that still hold: what differs then is drift and not a newer release.
 * They would keep the copy's hashes too, right or wrong: these are left out, and asked for anew. */
async function compareWithSource(work: Lock, python: Interpreter, from: Requirements, drift: string): Promise<void> {
  const again = join(work.folder, 'made', 'again.txt');
  await writeFile(again, pinsOf(await readFile(join(from.folder, drift), 'utf8')));
  await compile(work, python, from, again);
  await compareLocks(work, join(from.folder, drift), again, drift);
}

const countPins = (lock: string): number => lock.split('\n').filter((line) => /^[A-Za-z0-9].*==/.test(line)).length;
