import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '../start/problem.mjs';
import { HOSTS } from './network.mjs';

const OPTIONS = { cut: { type: 'string' } };
const USAGE = `\`npm run hosts -- examples/skiff [--cut ${HOSTS.slice(1).join('|')}]\``;

/** Throws HOSTS_ARGUMENTS. @returns the release file, and the host whose link is cut */
export function argumentsOf(root, argv) {
  const refused = (why) => new Problem('HOSTS_ARGUMENTS', why, `Type ${USAGE}.`, { exit: 2 });
  const { values, positionals } = parsed(argv, refused);
  const [named = join('examples', 'skiff'), ...more] = positionals;
  const file = /\.ya?ml$/.test(named) ? named : join(named, 'slipway.yaml');
  if (more.length > 0) throw refused(`one release file is released, and ${more.join(' ')} is named too`);
  if (!existsSync(join(root, file))) throw refused(`there is no release file ${file}`);
  if (values.cut !== undefined && !HOSTS.slice(1).includes(values.cut))
    throw refused(`there is no builder ${values.cut}`);
  return { file, cut: values.cut };
}

function parsed(args, refused) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw refused(error.message);
  }
}
