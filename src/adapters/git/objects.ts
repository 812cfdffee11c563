import { runGitWith } from './run.js';

/** A file of a commit. */
export interface GitFile {
  /** Git's id of the content. */
  readonly id: string;
  readonly bytes: number;
  /** Null: it is not wanted, or too large. */
  readonly text: string | null;
}

/** Limit of all files together. */
const MOST_BYTES = 128 * 1_048_576;

interface Header {
  readonly id: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

/** Reads files by two runs of git, however many there are. Absent ones, and folders, are not in the answer.
 * @param tree `COMMIT:` or `COMMIT:folder/`
 * @param wanted bytes of the largest text that is read, by path; -1: none is */
export async function filesOf(
  where: readonly string[],
  tree: string,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, GitFile>> {
  const asked = [...wanted.keys()].filter(isPlain);
  if (asked.length === 0) return new Map();
  const names = asked.map((path) => `${tree}${path}`);
  const headers = headersIn(await run(where, '--batch-check', names), asked);
  let left = MOST_BYTES;
  const read = [...headers].filter(
    ([path, { isFile, bytes }]) => isFile && bytes <= wanted.get(path)! && (left -= bytes) >= 0,
  );
  const ids = read.map(([, { id }]) => id);
  const bodies = ids.length === 0 ? [] : bodiesIn(await run(where, '--batch', ids));
  const text = new Map(read.map(([path], index) => [path, bodies[index] ?? null]));
  return new Map(
    [...headers].flatMap(([path, one]) => (one.isFile ? [[path, { ...one, text: text.get(path) ?? null }]] : [])),
  );
}

/** Git would resolve other paths in the folder that it runs in, and a line break would ask a second question. */
const isPlain = (path: string): boolean =>
  !/[\0\r\n]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));

const run = (where: readonly string[], how: string, names: readonly string[]): Promise<Buffer> =>
  runGitWith(`${names.join('\n')}\n`, [...where, 'cat-file', how], 2 * MOST_BYTES);

function headersIn(answer: Buffer, paths: readonly string[]): ReadonlyMap<string, Header> {
  const lines = answer.toString('utf8').split('\n');
  return new Map(
    paths.flatMap((path, index) => {
      const [, id, type, bytes] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(lines[index] ?? '') ?? [];
      return id === undefined ? [] : [[path, { id, isFile: type === 'blob', bytes: Number(bytes) }] as const];
    }),
  );
}

/** `ID TYPE SIZE`, a line break, that many bytes, a line break; for each. */
function bodiesIn(answer: Buffer): readonly string[] {
  const bodies: string[] = [];
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(10, at);
    const bytes = Number(/ (\d+)$/.exec(answer.toString('latin1', at, end))?.[1] ?? 0);
    bodies.push(answer.toString('utf8', end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
  return bodies;
}
