import { blocks } from '../../engine/standings/news.js';
import { fail } from '../../model/failure.js';
import { STANDING_NAMES, type Standings } from '../../model/tests/standing.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { noNights, notAStanding } from '../tests/errors.js';
import { findTest } from '../tests/find-test.js';
import { jailTest, unjailTest } from '../tests/jail-test.js';
import type { Ports, TestsPort } from '../ports.js';
import { colours } from '../render/paint.js';
import { outcomesByNight } from '../tests/test-nights.js';
import { historyLines } from '../screens/test-history.js';
import { testsLines, type TestRow } from '../screens/tests.js';

const ACTIONS = ['show', 'jail', 'unjail'] as const;

export const tests: CommandSpec<Ports> = {
  name: 'tests',
  summary: 'what release tests are over many nights (exit 1 if one blocks); one of them in detail; jail and unjail',
  arguments: [
    { name: '[what]', help: 'show, jail or unjail; or a release file or its folder (default: slipway.yaml)' },
    { name: '[name]', help: 'show, jail, unjail: the test' },
    { name: '[file]', help: 'show, jail, unjail: release file or its folder (default: slipway.yaml)' },
  ],
  options: [
    { flags: '--standing <name>', help: `only these: ${STANDING_NAMES.join(', ')}` },
    { flags: '--team <name>', help: 'only tests of this team or owner' },
    { flags: '--blockers', help: 'only tests that block a release' },
    { flags: '--profile <name>', help: 'profile of the runs', default: 'local' },
    { flags: '--owner <name>', help: 'jail: who takes care of the test' },
    { flags: '--until <date>', help: 'jail: when it blocks again, in UTC: 2026-12-06' },
    { flags: '--for <duration>', help: 'jail: how long, in place of --until: 14d' },
    { flags: '--reason <text>', help: 'jail, unjail: why; kept in the store' },
    { flags: '--by <name>', help: 'jail, unjail: who says so (default: $SLIPWAY_BY, else your login)' },
    { flags: '--json', help: 'the same as JSON' },
  ],
  async run({ args, options }, io, ports): Promise<ExitCode> {
    const { what = '', name } = args;
    const action = ACTIONS.find((one) => one === what && name !== undefined);
    const file = action === undefined ? what : (args['file'] ?? '');
    const port = await ports.tests(file || 'slipway.yaml', String(options['profile'] ?? 'local'));
    const standings = await port.read();
    if (standings === null) throw fail(noNights(port.chain));
    if (action === undefined) return list(standings, port, options, io);
    const test = findTest(standings, name!);
    if (action === 'show') return show(test, standings, { port, file }, options, io);
    const act = action === 'jail' ? jailTest : unjailTest;
    io.out(await act(test, standings, options, port, ports));
    return 0;
  },
};

function list(standings: Standings, { nowMs }: TestsPort, options: Input['options'], io: Io): ExitCode {
  const { standing, team, blockers, json } = options;
  if (standing !== undefined && !STANDING_NAMES.some((name) => name === standing))
    throw fail(notAStanding(String(standing)));
  const rows = Object.entries(standings.tests)
    .map(([test, one]): TestRow => ({ test, ...one, blocks: blocks(one, nowMs) }))
    .filter((row) => standing === undefined || row.state === standing)
    .filter((row) => team === undefined || row.team === team || row.owner === team)
    .filter((row) => blockers !== true || row.blocks);
  if (json === true) io.out(JSON.stringify(rows));
  else {
    const isShort = standing === undefined && blockers !== true;
    for (const line of testsLines(standings, rows, isShort, colours(io.terminal.colour))) io.out(line);
  }
  return rows.some((row) => row.blocks) ? 1 : 0;
}

async function show(
  test: string,
  standings: Standings,
  { port, file }: { readonly port: TestsPort; readonly file: string },
  options: Input['options'],
  io: Io,
): Promise<ExitCode> {
  const standing = standings.tests[test]!;
  const nights = await outcomesByNight(test, standings, port);
  if (options['json'] === true) io.out(JSON.stringify({ test, ...standing, nights }));
  else {
    const detail = { test, standing, nights, standings, nowMs: port.nowMs, file };
    for (const line of historyLines(detail, colours(io.terminal.colour))) io.out(line);
  }
  return 0;
}
