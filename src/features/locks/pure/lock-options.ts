import type { LockTool } from '../../../model/params.js';
import { optionOf } from '../../../model/tool-option.js';
import type { Context } from '../../../plan/context.js';
import { problems, type Path } from '../../../plan/errors.js';

/** Options that Slipway sets itself, with the equivalent key. Null: without a key, because the option depends on
 * settings of one machine. */
const OWNED: Readonly<Record<string, string | null>> = {
  '-o': 'lock',
  '--output-file': 'lock',
  '-c': 'constraints',
  '--constraint': 'constraints',
  '--constraints': 'constraints',
  '-r': 'in',
  '--requirement': 'in',
  '--requirements': 'in',
  '--src-file': 'in',
  '--exclude-newer': 'cutoff',
  '-p': 'pythons',
  '--python': 'pythons',
  '--system': 'pythons',
  '--config': null,
  '--config-file': null,
  '--no-config': null,
  '--cache-dir': null,
  '-n': null,
  '--no-cache': null,
  '--directory': null,
  '--project': null,
  '--keyring-provider': null,
  '--format': null,
  '--pip-args': null,
  '--dry-run': null,
};

/** Options that end the tool before it does anything. */
const IDLE = ['-h', '--help', '-V', '--version'];

/** Whether a constraint or requirement names a file of the source. */
export const isFile = (text: string): boolean =>
  /\.(txt|in|lock)$/.test(text) || (text.includes('/') && !text.includes('://'));

/** Complains about options that Slipway does not pass on. A proof asks the tool about the others. */
export function checkOptions(options: readonly string[], tool: LockTool, path: Path, context: Context): void {
  for (const [index, text] of options.entries()) {
    const at = context.at([...path, index]);
    const { name, value } = optionOf(text);
    const fault = shapeFault(text, name, value);
    if (tool === 'relax') context.complain(problems.needsThat(at, 'relax runs no tool', 'Take `options` away.'));
    else if (fault !== null) context.complain(problems.needsThat(at, `${JSON.stringify(text)}: ${fault}`, ONE_EACH));
    else if (IDLE.includes(name)) context.complain(problems.optionOwned(at, name, null));
    else if (Object.hasOwn(OWNED, name)) context.complain(problems.optionOwned(at, name, OWNED[name] ?? null));
    else if (value !== null && isOutside(value)) context.complain(problems.optionOutside(at, name, value));
  }
}

const ONE_EACH = 'Write one option an entry, with its value if it has one: `- --index-strategy unsafe-best-match`.';

function shapeFault(text: string, name: string, value: string | null): string | null {
  if (!/^-{1,2}[A-Za-z]/.test(name)) return 'an option begins with -';
  if (value !== null && /\s/.test(value)) return 'an option has at most one value, without blanks';
  if (!name.startsWith('--') && name.length > 2) return 'short options stand alone';
  return !name.startsWith('--') && value !== null && !text.includes('=') ? 'a short option has no value here' : null;
}

const isOutside = (value: string): boolean =>
  /^([/~\\]|file:|[A-Za-z]:\\)/i.test(value) || value.split(/[/\\]/).includes('..');
