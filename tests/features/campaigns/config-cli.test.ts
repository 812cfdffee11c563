import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planWithRows, settings } from '../../../src/adapters/facts/index.js';
import { check } from '../../../src/cli/commands/check.js';
import { plan as planCommand } from '../../../src/cli/commands/plan.js';
import { why } from '../../../src/cli/commands/why.js';
import { tellFailure } from '../../../src/cli/tell-failure.js';
import { withPlans } from '../../../src/cli/presets-planned.js';
import { FEATURE_CLIS } from '../../../src/features/cli.js';
import { config } from '../../../src/features/campaigns/node/config.js';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import type { Plan } from '../../../src/model/plan.js';
import { canonical } from '../../../src/model/json.js';
import { aRun } from '../../cli/a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from '../../cli/fake-ports.js';
import { NO_PAST } from '../../../src/adapters/facts/index.js';

const folder = mkdtempSync(join(tmpdir(), 'config-cli-'));
const file = join(folder, 'slipway.yaml');
afterAll(() => rmSync(folder, { recursive: true }));
const configSpec = FEATURE_CLIS.campaigns.commands![0]!.spec;
const past = { ...NO_PAST, features: FEATURE_PLANS };

beforeAll(() => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(
    'slipway.yaml',
    `slipway: 1
pipeline: { name: echo, label: date }
source: { git: . }
config: { file: config.yaml, apply: [large] }
steps: { nothing: { run: 'true' } }
`,
  );
  write(
    'config.yaml',
    `service: { port: 8080 }
presets:
  nightly: { service.port: 9090 }
  large: { extends: [nightly] }
  broken: { service.prot: 1 }
  later:
`,
  );
  commit(folder);
});

function commit(where: string): void {
  const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', where, ...args]);
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'a');
}

const ports = () => ({
  ...fakePorts({}),
  screens: FEATURE_CLIS,
  settings: (...[name, profile, given]: readonly [string, string, object]) => settings(name, profile, given, past),
  planWithRows: (...[name, profile, given]: readonly [string, string, object]) =>
    planWithRows(name, profile, given, past),
});

async function printed(
  command: Pick<typeof why, 'run'>,
  args: Record<string, string>,
  options: object = {},
  more: object = {},
) {
  const io = fakeIo();
  const code = await command.run({ args, options: { profile: 'local', ...options } }, io, { ...ports(), ...more });
  return [code, ...io.printed.join('\n').split('\n')];
}

test('given a file, when its configuration is shown, then each value has its source', async () => {
  expect(await printed({ run: config }, { action: file })).toEqual([
    0,
    'service.port  9090  preset nightly (config.yaml:3:14), which large extends, by config.apply',
  ]);
});

test('given presets, when each is applied alone, then those that cannot be applied are named, and the exit code is 2', async () => {
  expect(await printed({ run: config }, { action: 'presets', subject: file })).toEqual([
    2,
    'nightly  config.yaml:3:3, 1 value',
    'large    config.yaml:4:3, 1 value',
    'broken   config.yaml:5:3, 0 values',
    'later    config.yaml:6:3, null, a placeholder',
    'broken:',
    '  error CONFIG_UNKNOWN_KEY config.yaml:5:13: "service.prot" is not in the configuration: service has no key "prot"',
    expect.stringMatching(/^ {4}Near: service.port. Write a path that `slipway config FILE` lists/),
    'later:',
    '  note CONFIG_PRESET_EMPTY config.yaml:6:3: the preset "later" is null, a placeholder',
    '    Give it values in the file, or do not apply it.',
    '4 presets, 2 cannot be applied',
  ]);
});

test('given a broken preset that nothing applies, when the file is checked, then it is an error', async () => {
  const [code, ...lines] = await printed(check, { file });
  expect([code, lines[0], lines.at(-1)]).toEqual([
    2,
    expect.stringContaining('error CONFIG_UNKNOWN_KEY config.yaml:5:13'),
    expect.stringContaining('1 error in what it reads: echo'),
  ]);
});

test('given a path, when a person asks why before a run and in it, then the answers are the same', async () => {
  const options = { preset: 'nightly', set: 'service.port=1' };
  const before = await printed(why, { subject: 'config.service.port', file }, options);
  expect(before).toEqual([
    0,
    'config.service.port is 1',
    '  config.yaml:1:12: 8080',
    '  preset nightly (config.yaml:3:14), which large extends, by config.apply: 9090, in place of 8080',
    '  preset nightly (config.yaml:3:14), by --preset: 9090, in place of 9090',
    '  --set service.port=1: 1, in place of 9090',
  ]);
  const made = await planWithRows(file, 'local', { preset: ['nightly'], set: ['service.port=1'] }, past);
  const texts = new Map([
    ['sha256:plan', canonical(made.plan)],
    [made.plan.settings!, canonical(made.settings!.document)],
  ]);
  const store = {
    ...fakeStore({ 'runs/one/status': { ...aRun(), plan: 'sha256:plan' } }),
    has: (digest: string) => Promise.resolve(texts.has(digest as never)),
    get: (digest: string) =>
      Promise.resolve(
        (async function* () {
          yield new TextEncoder().encode(texts.get(digest as never));
        })(),
      ),
  };
  const more = { ...fakePorts(), screens: FEATURE_CLIS, store: () => Promise.resolve(store) };
  expect(await printed(why, { subject: 'config.service.port' }, {}, more)).toEqual(before);
});

test('given a file without a configuration, then the command says so', async () => {
  const none = join(folder, 'none.yaml');
  writeFileSync(
    none,
    "slipway: 1\npipeline: { name: echo, label: date }\nsource: { git: . }\nsteps: { a: { run: 'true' } }\n",
  );
  await expect(printed({ run: config }, { action: none })).rejects.toThrow('NO_SETTINGS');
  await expect(printed(why, { subject: 'config.a', file: none })).rejects.toThrow('NO_SETTINGS');
});

test.each<readonly [Record<string, string>, object, string]>([
  [{ action: 'presets', subject: file, file: 'more' }, {}, '"more"'],
  [{ action: file, subject: 'prests' }, {}, '"prests"'],
  [{ action: file }, { prefix: 'a', suffix: 'b', extra: 'c=1' }, '--prefix, --suffix, --extra'],
  [{ action: 'call' }, {}, 'a call needs its command'],
  [{ action: 'preset' }, {}, '"preset"'],
])(
  'given words that have no meaning beside %j, then the command refuses them and shows its forms',
  async (args, options, told) => {
    await expect(printed({ run: config }, args, options)).rejects.toMatchObject({
      problems: [
        {
          code: 'CONFIG_ARGUMENTS',
          message: expect.stringContaining(told) as string,
          next: expect.stringContaining('presets FILE') as string,
        },
      ],
    });
  },
);

test('given a mistake in a file, when config, why and plan read it, then each ends with exit code 2', async () => {
  const wrong = await printed({ run: config }, { action: file }, { preset: 'nigtly' }).catch((error: unknown) => error);
  for (const spec of [configSpec, why, planCommand]) {
    const io = fakeIo();
    expect(tellFailure(wrong, { spec, input: { args: { file }, options: {} } }, io, false)).toBe(2);
    expect(io.chatter.join('')).toContain('did you mean "nightly"');
  }
});

test('given no run, when a person asks why, then the answer names the command with a file', async () => {
  const more = { ...fakePorts({ client: fakeClient([]) }), screens: FEATURE_CLIS };
  await expect(printed(why, { subject: 'config.service.port' }, {}, more)).rejects.toMatchObject({
    problems: [{ next: expect.stringContaining('`slipway why config.service.port FILE`') as string }],
  });
});

test('given presets that no plan can be made with, when the file is checked, then each problem is told once with its presets', async () => {
  const [, ...whole] = await checkedWith(
    {
      prepare: { run: 'true', outputs: ['{out}/x'], when: 'parts.prepare' },
      test: { needs: ['steps/prepare'], run: 'test {config.service.name}' },
    },
    {
      left: { 'parts.prepare': false },
      same: { extends: ['left'] },
      list: { service: { name: [] } },
      fine: { 'service.name': 'b' },
    },
  );
  expect(whole).toEqual([
    expect.stringMatching(
      /error ASSUMED_KEEPS_FILES \S+:7:\d+ steps.test.needs\[0\]: .* config.parts.prepare is false \(config.yaml:3\) \(--preset left, --preset same\)$/,
    ),
    expect.stringContaining('Choose steps/prepare too'),
    expect.stringMatching(/error SETTING_NOT_A_TEXT \S+:7:\d+ steps.test.run: .* is a list .* \(--preset list\)$/),
    expect.stringContaining('Name a text'),
    expect.stringContaining('2 errors in what it reads: echo'),
  ]);
});

test('given presets whose plans are too large together, when the file is checked, then those that nobody looked at are named', async () => {
  const parts = Array.from({ length: 4 }, (_, index) => ({
    name: `p${index}`,
    by: '--preset',
    about: '',
    findings: [],
  }));
  const steps = Array.from({ length: 30_000 }, () => ({}));
  const found = await withPlans(parts, () => Promise.resolve({ steps } as unknown as Plan), 'slipway.yaml');
  expect(found.map(({ findings }) => findings.map(({ level, code }) => `${level} ${code}`))).toEqual([
    ...[[], []],
    ...[['error PRESET_NOT_PLANNED'], ['error PRESET_NOT_PLANNED']],
  ]);
});

/** Makes a file with these steps, whose configuration has these presets. */
function madeWith(steps: object, presets: object): string {
  const own = mkdtempSync(join(folder, 'own-'));
  const lines = Object.entries(steps).map(([name, step]) => `  ${name}: ${JSON.stringify(step)}\n`);
  const head = 'slipway: 1\npipeline: { name: echo, label: date }\nsource: { git: . }\nconfig: {}\nsteps:\n';
  writeFileSync(join(own, 'slipway.yaml'), head.concat(...lines));
  writeFileSync(
    join(own, 'config.yaml'),
    `service: { name: a }\nparts: { prepare: true }\npresets: ${JSON.stringify(presets)}\n`,
  );
  commit(own);
  return join(own, 'slipway.yaml');
}
const checkedWith = (steps: object, presets: object) => printed(check, { file: madeWith(steps, presets) });

test('given presets and options, when the plan is shown, then it names them and each value that they change', async () => {
  const lines = await printed(planCommand, { file }, { preset: 'nightly', set: 'service.port=1' });
  const at = lines.indexOf('Settings');
  expect(lines.slice(at, at + 3)).toEqual([
    'Settings',
    expect.stringMatching(/^ {2}--preset +nightly$/),
    expect.stringMatching(/^ {2}service.port +1 +--set service.port=1$/),
  ]);
});

test('given --only of an entry that its when leaves out, then the plan is refused with the value and its place', async () => {
  const steps = { prepare: { run: 'true', when: 'parts.prepare' } };
  const own = madeWith(steps, {});
  await expect(
    printed(planCommand, { file: own }, { only: 'steps/prepare', set: 'parts.prepare=false' }),
  ).rejects.toThrow(
    'ONLY_LEFT_OUT: --only names steps/prepare, which its `when` leaves out: config.parts.prepare is false (--set parts.prepare=false)',
  );
});
