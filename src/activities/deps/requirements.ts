import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import type { Archives } from '../source/ports.js';
import { layTree } from '../source/tree.js';
import { requirementsAbsent } from './errors.js';

type Lock = Work<'compileLock'>;

/** Requirement files of a lock, in a folder from which uv can read them by relative path. */
export interface Requirements {
  readonly folder: string;
  readonly in: readonly string[];
  readonly constraints: readonly string[];
  readonly drift: string | null;
}

export async function layRequirements(work: Lock, archives: Archives): Promise<Requirements> {
  const { requires, in: files, constraints, drift } = work.step.params;
  const fromSource = [...files, ...constraints.filter(isFile), ...(drift === null ? [] : [drift])];
  const folder = fromSource.length > 0 ? await layTree(work, archives, 'tree') : work.folder;
  const absent = fromSource.filter((file) => !existsSync(join(folder, file)));
  if (absent.length > 0) throw fail(absent.map(requirementsAbsent));
  return {
    folder,
    in: [...files, ...(await written(folder, '.slipway-requires.in', requires))],
    constraints: [
      ...constraints.filter(isFile),
      ...(await written(
        folder,
        '.slipway-constraints.in',
        constraints.filter((text) => !isFile(text)),
      )),
    ],
    drift,
  };
}

/** `constraints` holds requirements (`numpy<3`) and files of the source (`requirements/build.txt`). */
const isFile = (text: string): boolean => text.endsWith('.txt') || (text.includes('/') && !text.includes('://'));

async function written(folder: string, name: string, lines: readonly string[]): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  await writeFile(join(folder, name), lines.map((line) => `${line}\n`).join(''));
  return [name];
}
