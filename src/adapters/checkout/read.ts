import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { BrokenFile, Checkout } from '../../model/checkout.js';
import type { JsonObject } from '../../model/json.js';
import { measureBundle } from '../facts/bundle.js';
import { folderAbsent } from './errors.js';
import { readGitFacts } from './git-facts.js';
import { listFiles } from './list-files.js';

/** Files that describe a project. */
const TELLING =
  /(^|\/)(pyproject\.toml|Cargo\.toml|setup\.py|setup\.cfg|pom\.xml|Dockerfile|PKG-INFO|VERSION|__init__\.py|_?version\.py|__about__\.py)$/;
const LONGEST_BYTES = 256 * 1024;
const MOST_READ = 300;

/** Reads facts of a folder as text; executes nothing of it. Throws INIT_FOLDER_ABSENT. */
export async function readCheckout(named: string, cwd: string): Promise<Checkout> {
  const folder = resolve(cwd, named);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) throw fail(folderAbsent(named));
  const [git, paths, fitsBundle] = await Promise.all([readGitFacts(folder), listFiles(folder), fits(folder)]);
  const texts = await readTexts(folder, paths);
  const parsed = Object.entries(texts)
    .filter(([path]) => path.endsWith('.toml'))
    .map(([path, text]) => [path, parsedToml(path, text)] as const);
  return {
    name: basename(folder),
    git,
    paths,
    texts,
    toml: Object.fromEntries(parsed.flatMap(([path, { data }]) => (data ? [[path, data]] : []))),
    broken: parsed.flatMap(([, { broken }]) => (broken ? [broken] : [])),
    fitsBundle,
  };
}

async function readTexts(folder: string, paths: readonly string[]): Promise<Record<string, string>> {
  const telling = paths.filter((path) => TELLING.test(path)).slice(0, MOST_READ);
  const read = telling.map(async (path) => {
    const file = join(folder, path);
    const { size } = await stat(file);
    return [path, size > LONGEST_BYTES ? null : await readFile(file, 'utf8')] as const;
  });
  const texts = await Promise.all(read.map((one) => one.catch(() => null)));
  return Object.fromEntries(texts.flatMap((one) => (one === null || one[1] === null ? [] : [[one[0], one[1]]])));
}

function parsedToml(path: string, text: string): { data?: JsonObject; broken?: BrokenFile } {
  try {
    return { data: JSON.parse(JSON.stringify(parse(text))) as JsonObject };
  } catch (error) {
    if (!(error instanceof TomlError)) return { broken: { path, line: 1, column: 1, why: String(error) } };
    const why = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    return { broken: { path, line: error.line, column: error.column, why } };
  }
}

const fits = (folder: string): Promise<boolean> =>
  measureBundle(folder, '.').then(
    () => true,
    (error: unknown) => {
      if (error instanceof SlipwayFailure) return false;
      throw error;
    },
  );
