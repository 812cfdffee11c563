import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { scrubbedEnv } from '../../../activities/step/env.js';
import { OWN_PATHS } from '../../../activities/step/confine.js';
import { readInside } from '../../../activities/step/inside.js';
import { sandboxAbsent } from '../../../activities/step/errors.js';
import { readReleaseText, parsedRelease } from '../../../adapters/facts/release-text.js';
import { workTreeOf } from '../../../adapters/git/index.js';
import { home, toolsBin } from '../../../adapters/home.js';
import { createPrograms } from '../../../adapters/process/programs.js';
import { findSandbox } from '../../../adapters/process/sandbox.js';
import { temporaryFolder } from '../../../adapters/temporary-folder.js';
import type { ExitCode, Input, Io } from '../../../cli/command.js';
import type { Ports } from '../../../cli/ports.js';
import { createLogView } from '../../../cli/render/log-view.js';
import { fail } from '../../../model/failure.js';
import { gitSourceOf } from '../../../plan/git-source.js';
import { LONGEST_LOCK } from '../pure/lock.js';
import type { EnvironmentImport } from '../schemas/environment.js';
import { lockNotMade, noEnvironments, spackUnset, unknownEnvAction } from './errors.js';
import { type SpackCall, type SpackPlace, spackCall, workerRepos, writeScope } from './lay-environment.js';
import { copyEnvironments } from './working-environments.js';

/** Concretizing 500 specs takes minutes. */
const LIMIT_MS = 3_600_000;

/** `slipway env lock [FILE]`: concretizes the environments of a release file from the working tree, in the sandbox of steps. It is no
 * part of a run: a person reads the lock, and commits it. */
export async function lockEnvironments({ args }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const action = args['action'] ?? '';
  if (action !== 'lock') throw fail(unknownEnvAction(action));
  const file = args['file'] ?? 'slipway.yaml';
  const { folder, ...read } = await readReleaseText(file, ports.cwd);
  const { content } = parsedRelease(read);
  const source = gitSourceOf(content);
  const entries = Object.values(content.environments);
  if (source === null || entries.length === 0) throw fail(noEnvironments(file));
  if (!ports.env['SLIPWAY_SPACK']) throw fail(spackUnset());
  const [tree, store] = [await ports.workingTree(file), await ports.store()];
  const top = await workTreeOf(resolve(folder, source.git));
  const root = await realpath(join(top, source.folder ?? '.'));
  for (const entry of entries) {
    await using work = await temporaryFolder('env');
    for await (const [path, lock] of concretized(entry, root, work.path, io, ports)) {
      const { digest } = await store.putFile(lock);
      const changed = (await tree.diff(path, digest)) !== null;
      io.err(changed ? `${await tree.write(path, digest)} written` : `${path} is as it was`);
    }
  }
  return 0;
}

/** Returns the paths of each lock, in the source and in a temporary folder. */
async function* concretized(entry: EnvironmentImport, root: string, temporary: string, io: Io, { env }: Ports) {
  const work: SpackPlace = { folder: join(temporary, 'work'), paths: OWN_PATHS };
  await mkdir(work.folder);
  const folders = await copyEnvironments(work, root, entry);
  const own: Record<string, string> = {};
  for (const [name, path] of Object.entries(entry.recipes)) {
    own[name] = join(work.folder, 'recipes', path);
    await mkdir(dirname(own[name]), { recursive: true });
    await cp(join(root, path), own[name], { recursive: true });
  }
  const scope = writeScope(work, 'scope', { ...own, ...workerRepos(env) }, join(work.folder, 'index'));
  for (const folder of folders) {
    const environment = join(work.folder, 'sources', folder);
    const code = await inSandbox(work, spackCall(work, env, scope, environment), io, env);
    const lock = join(environment, 'spack.lock');
    if (code !== 0 || readInside(work, lock, LONGEST_LOCK) === '')
      throw fail(lockNotMade(join(folder, 'spack.yaml'), code));
    yield [join(folder, 'spack.lock'), lock] as const;
  }
}

/** Concretizes without the network. Returns the exit status. */
async function inSandbox({ folder }: SpackPlace, { argv, env: variables }: SpackCall, io: Io, env: Ports['env']) {
  const sandbox = findSandbox({ toolsBin: toolsBin(), home: home(), env });
  if (typeof sandbox === 'string') throw fail(sandboxAbsent('of this terminal', sandbox));
  const tmp = join(dirname(folder), 'tmp');
  await mkdir(tmp, { recursive: true });
  const facts = { toolsBin: toolsBin(), env, cache: tmp, home: tmp, tmp, epoch: null };
  const view = createLogView((line) => io.err(line.trimEnd()));
  const { code } = await createPrograms({ running: join(dirname(folder), 'running'), sandbox }).run({
    argv: [...argv, 'concretize', '--force'],
    cwd: folder,
    // The first python3 of the terminal has clingo, and that of Slipway's tools has none.
    env: { ...scrubbedEnv(facts), PATH: env['PATH'] ?? '', ...variables },
    limitMs: LIMIT_MS,
    signal: new AbortController().signal,
    onOutput: (text) => view.push({ text, own: [] }),
    cell: { network: false, tmp, folders: [folder, tmp].map((path) => ({ folder: path, name: path })) },
  });
  view.end();
  return code;
}
