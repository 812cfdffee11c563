import { symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { classify } from '../../model/classify.js';
import { fail, type Problem } from '../../model/failure.js';
import { verifyFailed, verifyOtherBytes, wheelUnusable } from '../publish/errors.js';
import { newFolder } from '../step/inside.js';
import { makeVenv } from '../step/uv.js';
import { toolsFolder } from '../tools-folder.js';
import { halved, type Halved } from './halves.js';
import { IMPORT, pinned, roundsOf, type ListedWheel } from './index-files.js';
import { mustPass, servedBy, type Verify } from './pass.js';
import { groupsOf, installPlaceOf, type InstallPlace } from './install-places.js';
import { prunedIn } from './pruned.js';

/** Installs what this run listed for one platform, each wheel in the base that it was built in, from the index alone, by
 * uv and by pip, without dependencies and by digest. Then imports it, or runs the line. Throws a problem for each
 * broken wheel, after all were tried. */
export async function verifyIndex(verify: Verify): Promise<string> {
  const { work, items, target } = verify;
  const platform = work.step.axes['platform']!;
  const index = `${(await target.source()).address}${platform}/simple/`;
  const mine = items.filter(({ name }) => name.startsWith(`${platform}/`));
  const problems: Problem[] = [];
  for (const group of groupsOf(verify, mine)) {
    const place = await installPlaceOf(verify, group);
    for (const wheels of roundsOf(group.items)) problems.push(...(await tried(verify, place, index, wheels)));
  }
  if (problems.length === 0)
    return `${mine.length} installed from ${platform} by uv and by pip, and imported${without(work)}`;
  work.log.note(`${mine.length - problems.length} of ${mine.length} wheels of ${platform} can be used`);
  throw fail(problems);
}

/** Says how many wheels of the plan were not built, and so are not listed. */
function without({ inputs, step }: Verify['work']): string {
  const absent = step.params.of.filter((id) => !inputs.some((result) => result.step === id)).length;
  return absent === 0 ? '' : `; ${absent} not built`;
}

/** Tries one round by uv, and by pip those that uv can use. */
async function tried(
  verify: Verify,
  place: InstallPlace,
  index: string,
  wheels: readonly ListedWheel[],
): Promise<readonly Problem[]> {
  const byUv = await used(verify, place, wheels, await uvIn(place, index));
  const byPip = await used(verify, place, byUv.sound, await pipIn(place, index));
  return [...byUv.problems, ...byPip.problems];
}

/** One of the two installers, with an environment of its own. */
interface Installer {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Record<string, string>;
  /** Imports what was installed. */
  readonly python: string;
  readonly using: Record<string, string>;
}

async function used(
  verify: Verify,
  place: InstallPlace,
  wheels: readonly ListedWheel[],
  installer: Installer,
): Promise<Halved<ListedWheel>> {
  const installed = await halved(wheels, (some) => install(verify, place, installer, some));
  const imported = await use(verify, place, installer, installed.sound);
  return { sound: imported.sound, problems: [...installed.problems, ...imported.problems] };
}

const ALONE = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '-r'];

async function uvIn({ work, python }: InstallPlace, index: string): Promise<Installer> {
  const venv = join(newFolder(work, 'by-uv'), 'venv');
  await makeVenv(work, python, venv);
  const path = [join(venv, 'bin'), work.env()['PATH'] ?? ''].join(delimiter);
  const using = work.env({ VIRTUAL_ENV: venv, PATH: path });
  const argv = ['uv', 'pip', 'install', '-q', '--no-config', '--no-cache', ...ALONE];
  const env = { ...using, UV_DEFAULT_INDEX: index };
  return { name: 'uv pip install', argv, env, using, python: join(venv, 'bin', 'python') };
}

async function pipIn({ work, python }: InstallPlace, index: string): Promise<Installer> {
  const folder = join(newFolder(work, 'by-pip'), 'site');
  const options = ['-q', '--isolated', '--no-cache-dir', '--disable-pip-version-check', '--target', folder];
  const argv = [python, '-m', 'pip', 'install', ...options, '--index-url', index, ...ALONE];
  const env = work.env({ PYTHONPATH: await pipAlone(work) });
  return { name: 'pip install', argv, env, python, using: work.env({ PYTHONPATH: folder }) };
}

/** Returns a folder with nothing but the pip of Slipway's tools: a distribution's Python has none. */
async function pipAlone(work: InstallPlace['work']): Promise<string> {
  const folder = newFolder(work, 'pip');
  const python = join(toolsFolder(work.env()), 'python');
  const found = await work.capture([python, '-c', 'import pip; print(pip.__path__[0])']);
  await symlink(found.trim(), join(folder, 'pip'));
  return folder;
}

const EVIDENCE_LINES = 20;

/** Writes to the log which wheels are tried. The answer returns the last lines since then. */
function begin({ log }: InstallPlace['work'], doing: string, wheels: readonly ListedWheel[]): () => readonly string[] {
  const named = wheels.map(({ project, version }) => `${project} ${version}`);
  const heading = `${doing}: ${named.length > 3 ? `${named[0]} to ${named.at(-1)}, ${named.length} wheels` : named.join(', ')}`;
  log.write(`${heading}\n`);
  return () => {
    const lines = log.tail(10 * EVIDENCE_LINES);
    return lines.slice(lines.lastIndexOf(heading) + 1).slice(-EVIDENCE_LINES);
  };
}

/** Installs wheels. Returns why that failed. Throws at once if the index or the machine is the reason. */
async function install(
  verify: Verify,
  place: InstallPlace,
  { name, argv, env }: Installer,
  wheels: readonly ListedWheel[],
): Promise<Problem | null> {
  const { work, to } = verify;
  const list = join(newFolder(work, 'wanted'), 'wheels.txt');
  await writeFile(list, pinned(wheels));
  const linesOf = begin(work, name, wheels);
  const { code } = await place.work.exec([...argv, list], { env, access: 'resolve' });
  if (code === 0) return null;
  const tail = linesOf();
  const [wheel] = wheels as readonly [ListedWheel];
  if (/hash mismatch|do not match the hashes/i.test(tail.join('\n')))
    return verifyOtherBytes(to.name, wheel.item.name, `${name} found another digest`);
  const { sign } = classify({ of: 'command', exit: code, words: tail.join('\n') });
  // Bytes that were removed are a 404, which else would be the fault of the index.
  const pruned = wheels.length === 1 || sign !== null ? await prunedIn(verify, wheels) : null;
  if (pruned !== null) return pruned;
  if (sign !== null) throw fail(verifyFailed(servedBy(verify), name, code, tail));
  return wheelUnusable(served(verify, wheel), `${name} ended with exit status ${code}`, code, tail);
}

const served = ({ to }: Verify, { project, version }: ListedWheel) => ({ target: to.name, project, version });

/** Imports wheels, or runs the line of the release file with all of them. The folder is empty so that no source is
 * imported by accident. */
async function use(
  verify: Verify,
  place: InstallPlace,
  { python, using }: Installer,
  wheels: readonly ListedWheel[],
): Promise<Halved<ListedWheel>> {
  const { work } = verify;
  const cwd = newFolder(work, 'elsewhere');
  const { run } = work.step.params;
  if (run !== null && wheels.length > 0) {
    await mustPass({ ...verify, work: place.work }, run, cwd, using);
    return { sound: wheels, problems: [] };
  }
  return halved(wheels, async (some) => {
    const argv = [python, '-c', IMPORT, ...some.map(({ project }) => project)];
    const linesOf = begin(work, 'import', some);
    const { code } = await place.work.exec(argv, { cwd, env: using });
    if (code === 0) return null;
    return wheelUnusable(served(verify, some[0]!), 'it cannot be imported', code, linesOf(), 'test');
  });
}
