import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '../start/problem.mjs';
import { HOSTS } from './network.mjs';

const BUILDERS = HOSTS.filter((host) => host !== 'control');
/** Faults by name: the hosts that can have them, and seconds if the argument has none. faults.mjs carries them out. */
export const FAULTS = {
  link: { hosts: BUILDERS, seconds: 20 },
  delay: { hosts: BUILDERS, seconds: 60 },
  kill: { hosts: BUILDERS, seconds: 5 },
  postgres: { hosts: ['control'], seconds: 5 },
  bucket: { hosts: ['control'], seconds: 20 },
};
const USAGE = '`npm run hosts -- examples/skiff [--fault HOST:FAULT[:SECONDS]]`';

/** Throws HOSTS_ARGUMENTS. @returns the release file, and the fault as `{host, kind, seconds}` */
export function argumentsOf(root, argv) {
  const { values, positionals } = parsed(argv);
  const [named = join('examples', 'skiff'), ...more] = positionals;
  const file = /\.ya?ml$/.test(named) ? named : join(named, 'slipway.yaml');
  if (more.length > 0) throw refused(`one release file is released, and ${more.join(' ')} is named too`);
  if (!existsSync(join(root, file))) throw refused(`there is no release file ${file}`);
  return { file, fault: values.fault === undefined ? undefined : faultOf(values.fault) };
}

function faultOf(text) {
  const [host, kind, seconds, ...more] = text.split(':');
  const known = Object.entries(FAULTS).flatMap(([name, { hosts }]) => hosts.map((one) => `${one}:${name}`));
  if (!known.includes(`${host}:${kind}`)) throw refused(`--fault ${text} is none of ${known.join(', ')}`);
  if (more.length > 0 || !/^(\d{1,4})?$/.test(seconds ?? ''))
    throw refused(`--fault ${text} has no whole number of seconds behind ${host}:${kind}`);
  return { host, kind, seconds: Number(seconds || FAULTS[kind].seconds) };
}

function parsed(args) {
  try {
    return parseArgs({ args, options: { fault: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw refused(error.message);
  }
}

const refused = (why) => new Problem('HOSTS_ARGUMENTS', why, `Type ${USAGE}.`, { exit: 2 });
