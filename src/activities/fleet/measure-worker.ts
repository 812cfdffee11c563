import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pin } from '../../engine/cache/step-key.js';
import { digestOf } from '../../model/digest.js';
import { CONTROL, type Queue } from '../../model/ids.js';
import { isMachine, type Ability, type Announcement } from '../../model/worker.js';
import type { Interpreters } from '../pythons/ports.js';
import type { Engine } from '../prove-queue/ports.js';
import { libcName, machineName, measureTools, type Shell } from '../prove-queue/measure.js';
import { sha256 } from '../sha256.js';
import { scrubbedEnv } from '../step/env.js';
import type { StepContext } from '../step/ports.js';
import type { Toolchain } from '../work.js';

/** Tools that a worker measures at its start. `.tools` is installed as one, pinned by hash, so two of its tools stand
 * for all. A proof and each worker measure further tools that a release asks for. */
const LOOKED_FOR = [
  ...['gcc', 'g++', 'make', 'git', 'patch', 'tar', 'patchelf', 'python', 'uv', 'auditwheel'],
  ...['java', 'javac', 'mvn', 'docker', 'mmdebstrap'],
  ...['zig', 'aarch64-linux-gnu-gcc', 'x86_64-linux-gnu-gcc'],
] as const;
const CROSS = ['zig', 'aarch64-linux-gnu-gcc', 'x86_64-linux-gnu-gcc'];
const LIMIT_MS = 60_000;

export type Measured = Pick<Announcement, 'machine' | 'libc' | 'lookedFor' | 'tools' | 'pythons' | 'bare' | 'can'>;

export interface Instruments {
  readonly interpreters: Interpreters;
  readonly engine: Engine;
  /** True if programs for another CPU run here, in containers too. */
  readonly emulates: () => Promise<boolean>;
}

/** Runs every installed tool in the environment of steps.
 * @param besides further tools that this queue must have */
export async function measureWorker(
  around: StepContext,
  { interpreters, engine, emulates }: Instruments,
  besides: readonly string[],
): Promise<Measured> {
  const lookedFor = [...new Set([...LOOKED_FOR, ...besides])];
  const [tools, { pythons, bare }, silence, emulated] = await Promise.all([
    measureTools(shellOf(around), lookedFor),
    findPythons(interpreters),
    engine.silence(),
    emulates(),
  ]);
  const can: Ability[] = ['host'];
  if (silence === null) can.push('container');
  if (silence === null && emulated) can.push('emulated');
  if (CROSS.some((tool) => tool in tools && !tool.startsWith(process.arch === 'x64' ? 'x86_64' : 'aarch64')))
    can.push('cross');
  if (around.programs.noSandbox === null) can.push('sandbox');
  return { machine: machineName(), libc: libcName(), lookedFor, tools, pythons, bare, can };
}

/** Returns tools of a queue with its kind of machine. A queue with a device, such as a GPU, counts as a kind of its own: a
 * test that passed elsewhere must run there too. */
export function pinHere({ tools, pythons }: Pick<Pin, 'tools' | 'pythons'>, queue: Queue): Pin {
  const own = queue === CONTROL || isMachine(queue) ? {} : { queue };
  return { machine: machineName(), libc: libcName(), ...own, tools, pythons };
}

export const pinDigest = (pin: Pin): string => digestOf(pin, sha256);

export function shellOf(around: StepContext): Shell {
  return async (line, env) => {
    const folder = join(around.home, 'workers');
    await mkdir(folder, { recursive: true });
    let text = '';
    const facts = { toolsBin: around.toolsBin, env: around.env, cache: join(around.home, 'cache') };
    await around.programs.run({
      argv: line,
      cwd: folder,
      env: { ...scrubbedEnv({ ...facts, home: folder, tmp: folder, epoch: null }), ...env },
      limitMs: LIMIT_MS,
      signal: new AbortController().signal,
      onOutput: (piece, stream) => {
        if (stream === 'stdout') text += piece;
      },
    });
    return text;
  };
}

async function findPythons(interpreters: Interpreters): Promise<Pick<Measured, 'pythons' | 'bare'>> {
  const pythons: Record<string, string> = {};
  const bare: Record<string, string> = {};
  for (const tag of await interpreters.tags()) {
    const python = await interpreters.find(tag);
    if (python) (python.headers ? pythons : bare)[tag] = python.version;
  }
  return { pythons, bare };
}

/** Lists in which tools of a step this worker differs from its pin. Versions measured at the start are trusted while
 * they agree. A differing tool is measured again: it may have been upgraded since. */
export function createDifferences(
  around: StepContext,
  interpreters: Interpreters,
  measured: Measured & { readonly queue: Queue },
) {
  const known: Record<string, string> = { ...measured.tools };
  return async (pinned: Toolchain): Promise<readonly string[]> => {
    const stale = Object.keys(pinned.tools).filter((tool) => known[tool] !== pinned.tools[tool]);
    for (const tool of stale) delete known[tool];
    Object.assign(known, await measureTools(shellOf(around), stale));
    const pythons: Record<string, string | undefined> = {};
    for (const tag of Object.keys(pinned.pythons)) pythons[tag] = (await interpreters.find(tag))?.version;
    const found = [...differing(pinned.tools, known), ...differing(pinned.pythons, pythons)];
    const { pin } = pinned;
    const here = pinDigest(pinHere(pinned, measured.queue));
    if (found.length > 0 || here === (typeof pin === 'string' ? pin : pinDigest(pin))) return found;
    return [`another machine or C library than ${measured.machine}, ${measured.libc ?? 'no C library that it tells'}`];
  };
}

const differing = (
  pinned: Readonly<Record<string, string>>,
  here: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(pinned)
    .filter(([name, version]) => here[name] !== version)
    .map(([name, version]) => `${name} ${here[name] ?? 'absent'} instead of ${version}`);
