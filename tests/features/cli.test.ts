import type { CommandSpec } from '../../src/cli/command.js';
import { commandGroups } from '../../src/cli/commands.js';
import type { FeatureClis } from '../../src/cli/feature.js';
import { givenIn, GIVEN_OPTIONS } from '../../src/cli/given.js';
import type { Ports } from '../../src/cli/ports.js';
import { buildProgram } from '../../src/cli/program.js';
import { colours } from '../../src/cli/render/paint.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { tellEnding } from '../../src/cli/tell-ending.js';
import { records } from '../../src/model/run-folder.js';
import { aReport, rehearsed } from '../cli/a-run.js';
import { fakeIo, fakePorts, fakeStore } from '../cli/fake-ports.js';
import { HEAD, planOf } from '../plan/a-plan.js';

const command = (name: string): CommandSpec<Ports> => ({
  name,
  summary: `about ${name}`,
  run: async (_, io) => (io.out(name), 0),
});
const after = (place: string, ...names: readonly string[]): FeatureClis[string] => ({
  commands: names.map((name) => ({ after: place, spec: command(name) })),
});
const namesIn = (features: FeatureClis): readonly string[] =>
  commandGroups(features)
    .find(({ commands }) => commands.some(({ name }) => name === 'verify'))!
    .commands.map(({ name }) => name);

test("given commands of features, then each follows its neighbour under the neighbour's title, in the order of the list", () => {
  expect(namesIn({})).toEqual(['verify', 'ledger', 'cache', 'history']);
  const features = {
    one: after('mirror', 'pools'),
    two: after('ledger', 'mirror', 'scan'),
    three: after('ledger', 'sum'),
  };
  expect(namesIn(features)).toEqual(['verify', 'ledger', 'mirror', 'pools', 'scan', 'sum', 'cache', 'history']);
});

test('given a command of a feature, then the command line runs it with the ports', async () => {
  const io = fakeIo();
  const groups = commandGroups({ sample: after('cache', 'scan') });
  const program = buildProgram(groups, '0', async (spec, input) => void (await spec.run(input, io, fakePorts())));
  await program.parseAsync(['node', 'slipway', 'scan']);
  expect(io.printed).toEqual(['scan']);
});

test('given an option of many values twice, then a command gets all of them', async () => {
  const got: unknown[] = [];
  const options = GIVEN_OPTIONS.filter(({ flags }) => /^--(preset|set|skip) /.test(flags));
  const groups = commandGroups({ sample: { commands: [{ after: 'cache', spec: { ...command('scan'), options } }] } });
  const program = buildProgram(groups, '0', async (_, input) => void got.push(givenIn(input.options)));
  const typed = '--preset lab,big --set a=1,2 --preset night --set b=3 --skip steps/one --skip steps/two';
  await program.parseAsync(['node', 'slipway', 'scan', ...typed.split(' ')]);
  expect(got).toEqual([{ preset: ['lab', 'big', 'night'], set: ['a=1,2', 'b=3'], skip: ['steps/one', 'steps/two'] }]);
});

test.each([
  [
    { one: after('cache', 'scan'), two: after('history', 'scan') },
    'feature "one" and feature "two" both have a command "scan"',
  ],
  [{ one: after('history', 'cache') }, 'the core and feature "one" both have a command "cache"'],
  [{ one: after('nothing', 'scan') }, 'command "scan" of feature "one" comes after "nothing"'],
  [
    { one: after('scan', 'scan') },
    'command "scan" of feature "one" comes after "scan", which comes after it in a circle',
  ],
  [
    { one: after('sum', 'scan'), two: after('scan', 'sum') },
    'command "scan" of feature "one" comes after "sum", which comes after it in a circle',
  ],
  [{ one: after('ledger', 'scan', 'scan') }, 'feature "one" has two rows for the command "scan"'],
  [
    { one: { commands: ['ledger', 'scan'].flatMap((place) => after(place, 'scan').commands!) } },
    'feature "one" has two rows for the command "scan"',
  ],
])('given such commands, then the command line refuses to start', (features, message) => {
  expect(() => commandGroups(features)).toThrow(message);
});

test('given a feature with a section of the plan, then `slipway plan` shows it for the steps that have rows', () => {
  const plan = planOf(`${HEAD}steps: { scan: { run: 'true' }, other: { run: 'true' } }\n`);
  const planned = {
    title: 'Scans',
    rows: ({ id }: { readonly id: string }) => (/scan/.test(id) ? [[id, 'by 1.2']] : []),
  };
  const lines = planLines(plan, 'sha256:0', colours(false), {
    sample: { planned },
    other: { planned: { title: 'Pools', rows: () => [] } },
  });
  expect(lines.slice(lines.indexOf('Scans'), lines.indexOf('Scans') + 2)).toEqual(['Scans', '  steps/scan  by 1.2']);
  expect(lines).not.toContain('Pools');
});

test('given a feature with lines about a report, then the last screen of a run has them, and its JSON does not', async () => {
  const status = rehearsed();
  const store = fakeStore({ [records.report(status.run)]: aReport() });
  const screens = {
    sample: { ending: ({ release }: { release: { name: string } }) => [`Scanned ${release.name}\u001b[2J`] },
    other: {},
  };
  const told = async (json: boolean): Promise<string> => {
    const io = fakeIo();
    await tellEnding(status, fakePorts({ screens, store }), io, json);
    return io.printed.join('\n');
  };
  expect(await told(false)).toMatch(/\n\nScanned skiff/);
  expect(await told(false)).not.toContain('\u001b');
  expect(await told(true)).not.toContain('Scanned');
});
