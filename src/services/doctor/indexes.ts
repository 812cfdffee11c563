import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { identitiesOf } from '../../adapters/facts/index-answers/pip.js';
import { ill, well, type Finding, type Patient } from './check.js';

const NAME = 'index of pip and uv';
const MEND = 'Set PIP_INDEX_URL and UV_DEFAULT_INDEX to one address. `pip config list` shows what the files of pip say';

/** Whether everything asks the same index: pip with all its settings, which plans and fetches; builds, which read no
 * files of settings; uv. */
export async function askIndexes({ env }: Pick<Patient, 'env'>): Promise<Finding> {
  const uv = await indexOfUv(env);
  const steps = env['PIP_INDEX_URL'];
  try {
    const { indexes, builtIn, others } = await identitiesOf([uv ?? '', steps ?? ''], env);
    const [ofUv, ofSteps] = [uv === undefined ? builtIn : others[0], steps === undefined ? builtIn : others[1]];
    const [first] = indexes;
    if (first === undefined) return well(NAME, 'pip is configured for no index');
    if (ofUv !== first) return ill(NAME, 'uv is configured for another index than pip', MEND);
    if (ofSteps !== first)
      return ill(NAME, 'a file of settings names another index for pip; builds and tests read no such file', MEND);
    const more = indexes.length - 1;
    return well(NAME, `the same${more > 0 ? `; planning asks ${more} more of pip's, builds do not` : ''}`);
  } catch (error) {
    return ill(NAME, (error as Error).message, 'Type `pip config debug`, and correct the file that it names');
  }
}

type Env = Patient['env'];

/** Returns the address that uv is told. Undefined: its built-in one. */
async function indexOfUv(env: Env): Promise<string | undefined> {
  const said = env['UV_DEFAULT_INDEX'] ?? env['UV_INDEX_URL'];
  if (said !== undefined) return said;
  const own = join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'uv', 'uv.toml');
  return (await indexIn(env['UV_CONFIG_FILE'] ?? own)) ?? indexIn('/etc/uv/uv.toml');
}

interface UvSettings {
  readonly 'index-url'?: string;
  readonly index?: readonly { readonly url?: string; readonly default?: boolean }[];
}

async function indexIn(file: string): Promise<string | undefined> {
  try {
    const settings = parse(await readFile(file, 'utf8')) as UvSettings;
    return settings.index?.find((one) => one.default === true)?.url ?? settings['index-url'];
  } catch {
    return undefined; // uv itself tells what is wrong with its file
  }
}
