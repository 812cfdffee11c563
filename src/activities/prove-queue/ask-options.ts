import type { Problem } from '../../model/failure.js';
import type { LockOptions } from '../../model/params.js';
import { optionUnknown } from '../deps/errors.js';
import { argumentsOf } from '../deps/options.js';
import type { Work } from '../work.js';

type Prove = Work<'proveQueue'>;

/** Asks each lock tool whether it takes the options that entries name. Each that it refuses is a problem of its own. */
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
  // Each may be fine by itself: one that stands twice.
  return each.flat().length > 0 ? each.flat() : [optionUnknown(tool, options.join(' '), of, whole)];
}

/** With --help a tool reads its options, and does nothing. One that lacks its value takes the first --help for it. */
const ASK = 'said=$("$@" --help --help 2>&1 >/dev/null </dev/null) && exit 0; printf "%s" "$said"';

/** Why a tool refuses options; null where it takes them. */
async function refusal(work: Prove, tool: LockOptions['tool'], options: readonly string[]): Promise<string | null> {
  const program = tool === 'uv' ? ['uv', 'pip', 'compile'] : ['pip-compile'];
  const said = await work.capture(['sh', '-c', ASK, 'sh', ...program, ...argumentsOf(options)]);
  const lines = said.split('\n').map((line) => line.trim());
  const line = lines.find((one) => /^error:/i.test(one)) ?? lines.find((one) => one !== '');
  return line === undefined ? null : line.replace(/^error: */i, '');
}
