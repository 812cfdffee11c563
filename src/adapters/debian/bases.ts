import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseTars, DebianBase, Talk } from '../../activities/images/ports.js';
import type { Programs } from '../../activities/ports.js';
import { hexOf } from '../../model/digest.js';
import { canonical } from '../../model/json.js';
import { fail } from '../../model/failure.js';
import { sha256 } from '../sha256.js';
import { foreignArchitecture } from './architecture.js';
import { debianTooLong } from './errors.js';
import { judgeDebian } from './judge.js';
import { debianLayers } from './layers.js';
import { debianArguments, FOREIGN_RECIPE, foreignArguments, RECIPE } from './recipe.js';

type Env = Readonly<Record<string, string>>;
const LIMIT_MS = 30 * 60_000;
const KEPT_LINES = 20;
/** As root, mmdebstrap mounts /proc and others inside the new system. A mount namespace drops those mounts however
 * it ends. */
const OWN_MOUNTS = process.getuid?.() === 0 ? ['unshare', '--mount'] : [];

/** Bases by mmdebstrap, each made once per machine.
 * @param cache folder of the tars, `<home>/cache/bases` */
export const createBaseTars = (programs: Programs, cache: string): BaseTars => ({
  key: keyOf,
  layers: debianLayers,
  make: async (base, env, talk) => {
    const tar = join(cache, `${await keyOf(base, env)}.tar`);
    if (existsSync(tar)) return tar;
    await mkdir(cache, { recursive: true });
    const part = join(cache, `.${process.pid}-${Date.now()}.tar`);
    try {
      await mmdebstrap(programs, base, env, talk, part);
      await rename(part, tar);
    } finally {
      await rm(part, { force: true });
    }
    return tar;
  },
});

async function keyOf(base: DebianBase, env: Env): Promise<string> {
  const bundle = env['SSL_CERT_FILE'];
  const ca = bundle ? hexOf(sha256(await readFile(bundle))) : null;
  const architecture = foreignArchitecture(base.oci);
  const recipe = architecture === null ? { recipe: RECIPE } : { foreign: FOREIGN_RECIPE, architecture };
  const content = canonical({
    ...recipe,
    suite: base.suite,
    packages: [...base.packages].sort(),
    ca,
    ...sinceOf(base),
  });
  return hexOf(sha256(content)).slice(0, 24);
}

const sinceOf = ({ since }: DebianBase): Pick<DebianBase, 'since'> => (since === undefined ? {} : { since });

async function mmdebstrap(programs: Programs, base: DebianBase, env: Env, talk: Talk, output: string): Promise<void> {
  const lines: string[] = [];
  const architecture = foreignArchitecture(base.oci);
  const what = `Debian ${base.suite}${architecture === null ? '' : ` for ${architecture}, unpacked only,`}`;
  await talk.log(
    `Making ${what} with ${base.packages.join(' ') || 'no further packages'}; about half a minute, once.\n`,
  );
  const exit = await programs.run({
    argv: [
      ...OWN_MOUNTS,
      ...(architecture === null ? debianArguments(base, output) : foreignArguments(base, architecture, output)),
    ],
    cwd: join(output, '..'),
    // dpkg and debconf need helpers from sbin.
    env: { ...env, PATH: `${env['PATH'] ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin`, DEBIAN_FRONTEND: 'noninteractive' },
    limitMs: LIMIT_MS,
    signal: talk.signal,
    onOutput: (text) => {
      lines.push(...text.split('\n').filter((line) => line.trim()));
      lines.splice(0, lines.length - KEPT_LINES);
      return talk.log(text);
    },
  });
  talk.signal.throwIfAborted();
  if (exit.timedOut) throw fail(debianTooLong(base.suite));
  if (exit.code !== 0) throw fail(judgeDebian(base.suite, exit.code, lines));
}
