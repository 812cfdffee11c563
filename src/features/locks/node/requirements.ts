import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../model/failure.js';
import { isFile } from '../pure/lock-options.js';
import type { Work } from '../../../activities/work.js';
import type { Archives } from '../../../activities/source/ports.js';
import { layTree } from '../../../activities/source/tree.js';
import { requirementsAbsent } from './errors.js';

type Lock = Work<'compileLock'>;

export interface Requirements {
  readonly folder: string;
  readonly in: readonly string[];
  /** Requirements for the standard input, or null. The comments of an exact lock name the file of each requirement, so
   * these must not be in a file. */
  readonly input: string | null;
  readonly constraints: readonly string[];
  readonly drift: string | null;
  /** The lock in the source that the result replaces, or null. */
  readonly committed: string | null;
}

export async function layRequirements(work: Lock, archives: Archives): Promise<Requirements> {
  const { requires, in: files, constraints, drift, lock, exact, bytes } = work.step.params;
  const fromSource = [...files, ...constraints.filter(isFile), ...(drift === null ? [] : [drift])];
  const asked = bytes && lock !== undefined ? [...fromSource, lock] : fromSource;
  const inSource = asked.length > 0 || lock !== undefined;
  const folder = inSource ? await layTree(work, archives, 'tree') : work.folder;
  const committed = lock === undefined ? null : await readFile(join(folder, lock), 'utf8').catch(() => null);
  if (inSource) await layLocks(work, folder);
  const absent = asked.filter((file) => !existsSync(join(folder, file)));
  if (absent.length > 0) throw fail(absent.map(requirementsAbsent));
  const further = constraints.filter((text) => !isFile(text));
  return {
    folder,
    in: exact ? files : [...files, ...(await write(folder, '.slipway-requires.in', requires))],
    input: exact && requires.length > 0 ? linesOf(requires) : null,
    constraints: [...constraints.filter(isFile), ...(await write(folder, '.slipway-constraints.in', further))],
    drift,
    committed,
  };
}

async function layLocks(work: Lock, folder: string): Promise<void> {
  for (const artifact of work.artifacts('lock')) {
    const { path } = artifact.labels;
    if (path === undefined) continue;
    const made = await work.fetch(artifact, join(work.folder, 'needed'));
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(made, join(folder, path));
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export const dash = ({ input }: Requirements): readonly string[] => (input === null ? [] : ['-']);
export const stdin = ({ input }: Requirements): { readonly stdin?: string } => (input === null ? {} : { stdin: input });

async function write(folder: string, name: string, lines: readonly string[]): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  await writeFile(join(folder, name), linesOf(lines));
  return [name];
}
