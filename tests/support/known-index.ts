import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PythonIndex, startPythonIndex } from '../doubles/python-index.js';

/** An index, and what homes found out that depends on its address alone. */
interface Known {
  readonly index: PythonIndex;
  readonly folder: string;
}

const all: Known[] = [];
const free: Known[] = [];
afterAll(async () => {
  for (const { index, folder } of all.splice(0)) {
    if (index.isOpen) await index.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Which indexes pip asks, by its settings, and the answers of bindep. Answers of an index are not among them. */
const LASTS = /^bindep$|^bindep\/[^/]+$|^index-answers$|^index-answers\/indexes-[^/]+\.json$/;

function copy(from: string, to: string): void {
  for (const name of ['bindep', 'index-answers']) {
    if (!existsSync(join(from, name))) continue;
    mkdirSync(to, { recursive: true, mode: 0o700 });
    const filter = (path: string): boolean => LASTS.test(path.slice(from.length + 1));
    cpSync(join(from, name), join(to, name), { recursive: true, filter });
  }
}

export interface TakenIndex {
  /** Without projects. */
  readonly index: PythonIndex;
  /** To be called while the home is there. */
  giveBack(): void;
}

/** An index for a new home. Tests of a suite get the same one after each other: to ask pip for its settings takes half a second of CPU
 * for each new address. */
export async function takeIndex(home: string): Promise<TakenIndex> {
  const known = free.pop() ?? (await newIndex());
  copy(known.folder, home);
  return {
    index: known.index,
    giveBack() {
      if (!known.index.isOpen) return;
      copy(home, known.folder);
      known.index.clear();
      free.push(known);
    },
  };
}

async function newIndex(): Promise<Known> {
  const known = { index: await startPythonIndex(), folder: mkdtempSync(join(tmpdir(), 'slipway-known-index-')) };
  all.push(known);
  return known;
}
