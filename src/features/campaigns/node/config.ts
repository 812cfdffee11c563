import type { CommandSpec, ExitCode, Input, Io } from '../../../cli/command.js';
import { noSettings } from '../../../cli/errors.js';
import { givenIn } from '../../../cli/given.js';
import { notingUncommitted } from '../../../cli/note-uncommitted.js';
import type { Ports } from '../../../cli/ports.js';
import { plain, table } from '../../../cli/render/paint.js';
import { noticeLines } from '../../../cli/screens/notices.js';
import { counted } from '../../../model/counted.js';
import { fail, SlipwayFailure } from '../../../model/failure.js';
import { problem } from '../../../model/problem.js';
import { closest } from '../../../model/suggest.js';
import type { PlannedSettings } from '../../../plan/feature.js';
import { shown } from '../../../model/shown.js';
import type { OfCampaigns } from '../pure/settings.js';
import { callLines, readExtra } from '../pure/topsail/show.js';
import { valueRows } from '../pure/config/why.js';

type Show = (settings: PlannedSettings, io: Io, asJson: boolean, input: Input) => ExitCode;
const ACTIONS: Readonly<Record<string, Show>> = { presets: showPresets, call: showCall };

/** `slipway config [presets] [FILE]`, `slipway config call 'GROUP COMMAND' [FILE]`. */
export const config: CommandSpec<Ports>['run'] = async (input: Input, io, ports) => {
  const { args, options } = input;
  const action = ACTIONS[args['action'] ?? ''];
  const isCall = action === showCall;
  const words = [...(action === undefined ? [] : ['action']), ...(isCall ? ['subject'] : [])];
  const [file = 'slipway.yaml', ...more] = Object.keys(args).flatMap((name) =>
    words.includes(name) ? [] : (args[name] ?? []),
  );
  const idle = isCall ? [] : ['prefix', 'suffix', 'extra'].filter((name) => options[name] !== undefined);
  if (more.length + idle.length > 0 || (isCall && args['subject'] === undefined))
    throw fail(misused([...more.map((word) => JSON.stringify(word)), ...idle.map((name) => `--${name}`)]));
  const settings = await notingUncommitted(file, ports, io, () =>
    ports.settings(file, String(options['profile']), givenIn(options)).catch((error: unknown) => {
      const isAbsent = error instanceof SlipwayFailure && error.first.code === 'RELEASE_FILE_ABSENT';
      throw isAbsent && closest(file, Object.keys(ACTIONS)) !== null
        ? fail(misused([JSON.stringify(file)]), error)
        : error;
    }),
  );
  if (settings === null) throw fail(noSettings(file));
  return (action ?? showDocument)(settings, io, options['json'] === true, input);
};

const misused = problem.config((words: readonly string[]) => [
  'CONFIG_ARGUMENTS',
  words.length > 0 ? `${words.join(', ')} has no meaning here` : "a call needs its command, 'GROUP COMMAND'",
  "Type `slipway config FILE`, `slipway config presets FILE`, or `slipway config call 'GROUP COMMAND' FILE --prefix P --suffix S --extra NAME=VALUE`.",
]);

function showDocument({ document: record }: PlannedSettings, io: Io, asJson: boolean): ExitCode {
  const rows = valueRows(record).map((row) => row.map(plain));
  io.out(asJson ? JSON.stringify(record) : table(rows).join('\n'));
  return 0;
}

function showPresets({ lint }: PlannedSettings, io: Io, asJson: boolean): ExitCode {
  const parts = lint?.() ?? [];
  const broken = parts.filter(({ findings }) => findings.length > 0);
  const presets = parts.filter(({ by }) => by !== undefined);
  const lines = [
    ...table(presets.map(({ name, about }) => [plain(name), plain(about)])),
    ...broken.flatMap(({ name, findings }) => [`${plain(name)}:`, ...noticeLines(findings)]),
    `${counted(presets.length, 'preset')}, ${broken.filter((one) => presets.includes(one)).length} cannot be applied`,
  ];
  io.out(asJson ? JSON.stringify({ parts }) : lines.join('\n'));
  return broken.some(({ findings }) => findings.some(({ level }) => level === 'error')) ? 2 : 0;
}

function showCall({ own }: PlannedSettings, io: Io, asJson: boolean, { args, options }: Input): ExitCode {
  const { prefix, suffix, extra } = options;
  const view = (own as OfCampaigns).call({
    call: args['subject'] ?? '',
    extra: readExtra(typeof extra === 'string' ? extra.split('\0') : []),
    ...(typeof prefix === 'string' && { prefix }),
    ...(typeof suffix === 'string' && { suffix }),
  });
  io.out(asJson ? JSON.stringify(view) : callLines(view).map(shown).join('\n'));
  return 0;
}
