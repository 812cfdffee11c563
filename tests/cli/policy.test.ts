import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_PAST, planWithRows } from '../../src/adapters/facts/index.js';
import { openPolicy } from '../../src/adapters/policy/open-policy.js';
import { policy } from '../../src/cli/commands/policy.js';
import type { Ports } from '../../src/cli/ports.js';
import { HEAD } from '../plan/a-plan.js';
import { newHome } from '../support/run-body.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const planned: Ports['planWithRows'] = (file, profile, given) => planWithRows(file, profile, given);

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA';

/** A project with a live profile, and a worker's home without a policy. */
async function aProject() {
  const [folder, home] = [await newHome(), await newHome()];
  const files = {
    'slipway.yaml': `${HEAD}jars: { skiff: {} }
wheels: { skiff: {} }
gates: { ship: { approvers: { core: [keys/kim.pub] }, before: [publish/central] } }
publish:
  central: { kind: maven, files: [jars/skiff] }
  index: { kind: python, files: ['wheels/*'] }
`,
    'keys/kim.pub': `${KEY} kim@example\n`,
    'profiles/live.yaml': `rehearsal: false
kinds: { maven: { address: 'https://maven.example.invalid/' }, python: { address: 'service:index' } }
`,
  };
  for (const name of ['keys', 'profiles']) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const file = join(folder, 'slipway.yaml');
  const path = join(home, 'policy.yaml');
  const say = async (action: string, options: object = {}, env: Readonly<Record<string, string>> = {}) => {
    const io = fakeIo();
    const ports = { ...fakePorts({ policy: openPolicy(env, home, () => null, NO_PAST) }), planWithRows: planned };
    const args = { action, file };
    const code = await policy.run({ args, options: { profile: 'live', ...options } }, io, ports);
    return { code, text: io.printed.join('\n').replaceAll(home, 'HOME').replaceAll(folder, 'PROJECT') };
  };
  return { say, path, folder };
}

test('given a draft, then it is written once with private permissions, and its permissions are explained', async () => {
  const { say, path } = await aProject();
  expect(await say('check')).toEqual({
    code: 0,
    text: 'no policy at HOME/policy.yaml: only loopback and service: addresses are published to',
  });
  expect((await say('init')).text).toBe(
    'wrote HOME/policy.yaml\nnext: review each line of it, then slipway policy check, then slipway policy explain PROJECT/slipway.yaml',
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(say('init')).rejects.toMatchObject({ problems: [{ code: 'POLICY_EXISTS' }] });
  expect((await say('init', { print: true })).text).toContain('address: "https://maven.example.invalid/"');
  expect((await say('check')).text).toBe(
    ['ok: HOME/policy.yaml', '  ship-core: kim@example', '  maven https://maven.example.invalid/: after ship (1)'].join(
      '\n',
    ),
  );
  expect(await say('explain')).toEqual({
    code: 0,
    text: [
      'policy HOME/policy.yaml',
      '',
      'central  maven  https://maven.example.invalid/  may be published',
      '  after gate ship: 1 of kim@example (ship-core)',
      '  from any commit',
      '',
      'index  python  service:index  may be published',
      '  it is on this machine: no row is asked for',
    ].join('\n'),
  });
});

test('given a target that is not allowed, then explain prints the reason and exits with 1', async () => {
  const { say, path } = await aProject();
  const without = await say('explain');
  expect(without.code).toBe(1);
  expect(without.text).toContain('central  maven  https://maven.example.invalid/  refused\n  POLICY_MISSING');
  await say('init');
  writeFileSync(path, `${readFileSync(path, 'utf8').replace('ship: {', 'legal: {')}branches: [main]\n`);
  const { code, text } = await say('explain');
  expect(code).toBe(1);
  expect(text).toMatch(/POLICY_GATE_ABSENT {2}HOME\/policy.yaml:\d+ {2}the policy asks for gate legal before central/);
  expect(text).toMatch(/POLICY_BRANCH {2}HOME\/policy.yaml:\d+ {2}.*an sdist, which is on none/);
});

test.each([
  ['an unknown action', 'show', /^policy does not know "show"$/],
  ['no release file, and none here', 'explain', /^there is no file "slipway\.yaml"$/],
])('given %s, then it is refused', async (_, action, message) => {
  const io = fakeIo();
  const ports = {
    ...fakePorts({ policy: openPolicy({}, await newHome(), () => null, NO_PAST) }),
    planWithRows: planned,
  };
  const asked = async () => policy.run({ args: { action }, options: { profile: 'live' } }, io, ports);
  await expect(asked()).rejects.toMatchObject({ problems: [{ message: expect.stringMatching(message) as string }] });
});

test('given references of a profile, then explain says for each name who allows it, and exits with 1 if nobody does', async () => {
  const { say, path, folder } = await aProject();
  const targets = {
    central: "{ kind: maven, address: 'http://127.0.0.1:1/', username: $USER, password: 'command: pass show central' }",
    index: "{ kind: python, address: 'http://127.0.0.1:2/', username: root, password: $TOKEN }",
  };
  const rows = Object.entries(targets).map(([name, row]) => `  ${name}: ${row}\n`);
  writeFileSync(join(folder, 'profiles', 'live.yaml'), `rehearsal: false\ntargets:\n${rows.join('')}`);
  const lines = async (env?: Readonly<Record<string, string>>) => {
    const { code, text } = await say('explain', {}, env);
    const told = text.split('\n').filter((line) => / on (control|build workers) /.test(line));
    return { code, told: told.map((line) => line.trim().replace(/ {2}\(.*\)$/, '')) };
  };
  const without = await lines({ SLIPWAY_BUILD_ENV: 'USER, OTHER' });
  expect(without.code).toBe(1);
  expect(without.told).toEqual(
    expect.arrayContaining([
      '$USER  on control  no policy limits it',
      'command: pass show central  on control  nobody allows it',
      '$TOKEN  on control  no policy limits it',
      '$TOKEN  on build workers  read without it',
      '$USER  on build workers  SLIPWAY_BUILD_ENV',
    ]),
  );
  writeFileSync(path, `policy: 1\nsecrets: [$USER, 'command: pass show central']\n`, { mode: 0o600 });
  const named = await lines();
  expect(named.told).toEqual(
    expect.arrayContaining([
      '$USER  on control  HOME/policy.yaml:2',
      'command: pass show central  on control  HOME/policy.yaml:2',
      '$TOKEN  on control  nobody allows it',
    ]),
  );
});
