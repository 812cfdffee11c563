import { cp, lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LARGEST_TEXT } from '../../../importers/index.js';
import { fail, type Problem } from '../../../model/failure.js';
import { type Environment, readEnvironment } from '../pure/environment.js';
import { aroundOf, phaseLockOf } from '../pure/environment-files.js';
import { problems } from '../pure/errors.js';
import type { EnvironmentImport } from '../schemas/environment.js';
import { lockNotLocal } from './errors.js';
import { type SpackPlace, writeYaml } from './lay-environment.js';

/** Sections that decide how a list of `bootstrap` is concretized. */
const SECTIONS = ['concretizer', 'config', 'packages', 'toolchains'];

/** Copies an environment of the working tree with the files that it includes, and makes one of each list of `bootstrap`. Returns folders
 * below `sources`: one for each lock. */
export async function copyEnvironments(work: SpackPlace, root: string, entry: EnvironmentImport) {
  const { file } = entry;
  const found: Problem[] = [];
  const complain = (problem: Problem): void => void found.push(problem);
  const copy = async (path: string): Promise<string | null> => {
    const from = join(root, path);
    const seen = await lstat(from).catch(() => null);
    if (seen === null || seen.isDirectory()) return null;
    if (!seen.isFile() || seen.size > LARGEST_TEXT || (await realpath(from)) !== from) {
      complain(lockNotLocal(file, `${path} is a link, or no file of at most ${LARGEST_TEXT} bytes`));
      return null;
    }
    await cp(from, join(work.folder, 'sources', path));
    return readFile(from, 'utf8');
  };
  const text = await copy(file);
  if (text === null) throw fail(found[0] ?? problems.absent({ file }, file));
  const texts: Record<string, string | null> = {};
  let environment: Environment | null;
  do {
    environment = readEnvironment(text, file, complain, aroundOf(entry, { text: texts, file: {} }));
    for (const ask of environment?.asks ?? [])
      if (ask.ask === 'file') complain(lockNotLocal(file, `it includes a file of ${ask.git}`));
      else texts[ask.path] = await copy(ask.path);
    if (environment === null || found.length > 0) throw fail(found);
  } while (environment.asks.length > 0);
  const lists = environment.bootstrap(complain);
  const roots = environment.roots(complain);
  const settings = Object.fromEntries(SECTIONS.map((key) => [key, environment.section(key)]));
  const folders = lists.map(({ name }) => {
    const folder = dirname(phaseLockOf(file, name));
    const specs = 'why' in roots ? null : roots.list(name);
    if (specs === null) complain(lockNotLocal(file, `its file alone does not tell the specs of ${name}`));
    writeYaml(work, join('sources', folder, 'spack.yaml'), { spack: { ...settings, specs, view: false } });
    return folder;
  });
  if (found.length > 0) throw fail(found);
  return [...folders, dirname(file)];
}
