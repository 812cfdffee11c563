import type { Problem } from '../../model/failure.js';
import type { LockOptions } from '../../model/params.js';
import { argumentsOf } from '../tool-options.js';
import type { Work } from '../work.js';
import { optionUnknown } from './errors.js';

type Prove = Work<'proveQueue'>;

/** Checks with each lock tool whether it accepts the options of the entries. Returns a problem for each refused option.
 */
export async function refusedOptions(work: Prove): Promise<readonly Problem[]> {
  const refused = (work.step.params.options ?? []).map((set) => refusedOf(work, set));
  return (await Promise.all(refused)).flat();
}

async function refusedOf(work: Prove, { tool, options, of }: LockOptions): Promise<readonly Problem[]> {
  const whole = await refusal(work, tool, options);
  if (whole === null) return [];
  const each = await Promise.all(
    options.map(async (option) => {
      const why = await refusal(work, tool, [option]);
      return why === null ? [] : [optionUnknown(tool, option, of, why)];
    }),
  );
  // Options may be refused only together, for one a repeated option.
  return each.flat().length > 0 ? each.flat() : [optionUnknown(tool, options.join(' '), of, whole)];
}

/** With --help a tool parses its options and does nothing. The first --help serves as the value of an option that lacks
 * one. */
const ASK = 'said=$("$@" --help --help 2>&1 >/dev/null </dev/null) && exit 0; printf "%s" "$said"';

/** Returns why a tool refuses options. Null if it accepts them. */
async function refusal(work: Prove, tool: LockOptions['tool'], options: readonly string[]): Promise<string | null> {
  const program = tool === 'uv' ? ['uv', 'pip', 'compile'] : ['pip-compile'];
  const said = await work.capture(['sh', '-c', ASK, 'sh', ...program, ...argumentsOf(options)]);
  const lines = said.split('\n').map((line) => line.trim());
  const line = lines.find((one) => /^error:/i.test(one)) ?? lines.find((one) => one !== '');
  return line === undefined ? null : line.replace(/^error: */i, '');
}
