import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { toolsBin } from '../../home.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the digest of all that decides which indexes pip asks: its files and its variables. */
export async function settingsDigest(env: Env = process.env): Promise<string> {
  const variables = Object.keys(env)
    .filter((name) => name.startsWith('PIP_'))
    .toSorted()
    .map((name) => [name, env[name]]);
  const files = await Promise.all(filesOf(env).map((path) => readFile(path, 'utf8').catch(() => null)));
  return createHash('sha256')
    .update(JSON.stringify([variables, files]))
    .digest('hex')
    .slice(0, 32);
}

/** Files of settings in pip's order. pip's documentation, "Configuration files". */
function filesOf(env: Env): readonly string[] {
  const own = env['HOME'] ?? homedir();
  return [
    ...(env['XDG_CONFIG_DIRS'] ?? '/etc/xdg').split(delimiter).map((folder) => join(folder, 'pip', 'pip.conf')),
    '/Library/Application Support/pip/pip.conf',
    '/etc/pip.conf',
    join(own, '.pip', 'pip.conf'),
    join(own, 'Library', 'Application Support', 'pip', 'pip.conf'),
    join(env['XDG_CONFIG_HOME'] ?? join(own, '.config'), 'pip', 'pip.conf'),
    join(dirname(toolsBin()), 'pip.conf'),
    ...(env['PIP_CONFIG_FILE'] === undefined ? [] : [env['PIP_CONFIG_FILE']]),
  ];
}
