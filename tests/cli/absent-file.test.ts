import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandGroups } from '../../src/cli/commands.js';
import { openPorts } from '../../src/cli/open-ports.js';
import { buildProgram } from '../../src/cli/program.js';
import { tellFailure } from '../../src/cli/tell-failure.js';
import { FEATURE_CLIS } from '../../src/features/cli.js';
import { fakeClient, fakeIo } from './fake-ports.js';

const ROOT = join(__dirname, '..', '..');
const HOME = process.env['SLIPWAY_HOME'];
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-absent-'));
  mkdirSync(join(root, 'empty'));
  process.env['SLIPWAY_HOME'] = join(root, 'home');
  process.chdir(root);
});
afterAll(() => {
  process.chdir(ROOT);
  if (HOME === undefined) delete process.env['SLIPWAY_HOME'];
  else process.env['SLIPWAY_HOME'] = HOME;
  rmSync(root, { recursive: true });
});

/** Runs a command line in a folder without a release file. Returns what it tells. */
async function told(line: string): Promise<string> {
  const io = fakeIo();
  const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const ports = { ...openPorts(), env, client: () => Promise.resolve(fakeClient([])) };
  const program = buildProgram(commandGroups(FEATURE_CLIS), '0', async (spec, input) => {
    await spec.run(input, io, ports).catch((error: unknown) => tellFailure(error, { spec, input }, io, false));
  });
  await program.parseAsync(['node', 'slipway', ...line.split(' ')]);
  return io.chatter.join('\n');
}

test.each([
  ['check', 'check FILE'],
  ['check nowhere.yaml', 'check FILE'],
  ['check empty', 'check FILE'],
  ['check ./empty/', 'check FILE'],
  ['plan', 'plan FILE'],
  ['plan --profile live', 'plan FILE'],
  ['run', 'run FILE'],
  ['schedule --every 1d', 'schedule FILE'],
  ['simulate empty --workers 4', 'simulate FILE'],
  ['bisect sail', 'bisect sail FILE'],
  ['bisect sail[cp311]', "bisect 'sail[cp311]' FILE"],
  ['tests', 'tests FILE'],
  ['tests shwo sail', 'tests FILE sail'],
  ['tests show sail', 'tests show sail FILE'],
  ['tests jail sail empty', 'tests jail sail FILE'],
  ['why sail nowhere.yaml', 'why sail FILE'],
  ['deps check', 'deps check FILE'],
  ['deps write', 'deps write FILE'],
  ['policy explain', 'policy explain FILE'],
  ['policy init', 'policy init FILE'],
  ['cache status', 'cache status FILE'],
  ['cache check', 'cache check FILE'],
  ['cache prune', 'cache prune FILE'],
  ['cache prune --folder empty', 'cache prune FILE'],
  ['cache rebuild --all', 'cache rebuild FILE'],
  ['cache rebuild nowhere.yaml attrs pbr==6.1.0', 'cache rebuild FILE attrs pbr==6.1.0'],
])('given no release file, when `slipway %s` is typed, then the next line is `slipway %s`', async (line, next) => {
  const lines = (await told(line)).split('\n');
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining('RELEASE_FILE_ABSENT (config) there is no file "'),
    `  next: Name a release file or its folder: \`slipway ${next}\`. \`slipway init\` writes one in the checkout of a project.`,
  ]);
});

test('given no plan, when `slipway simulate` is typed, then the next line names simulate with a plan', async () => {
  expect(await told('simulate --workers 4')).toContain('`slipway simulate FILE`');
});
