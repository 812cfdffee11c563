import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Rooms as they must not be built: each row breaks one fence. */
const BREACHES = {
  'src/plan/clock.ts': 'export const now = (): number => Date.now();',
  'src/engine/chance.ts': 'export const chance = (): number => Math.random();',
  'src/plan/file.ts': "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;",
  'src/plan/effect.ts': "import { home } from '../adapters/home.js';\nexport const at = home;",
  'src/importers/fact.ts': "import { home } from '../adapters/home.js';\nexport const at = home;",
  'src/workflows/effect.ts': "import { body } from '../activities/body.js';\nexport const at = body;",
  'src/activities/program.ts': "import { spawn } from 'node:child_process';\nexport const run = spawn;",
  'src/activities/body.ts': "export function body(): void {\n  throw new Error('oops');\n}",
  'src/newroom/alone.ts': 'export const alone = 1;',
  'src/newroom/imports.ts': "import { home } from '../adapters/home.js';\nexport const at = home;",
  'src/loose.ts': 'export const loose = 1;',
  'src/plan/new-room.ts': "import { alone } from '../newroom/alone.js';\nexport const at = alone;",
  'src/client/program.ts': "import { execFile } from 'node:child_process';\nexport const run = execFile;",
  'src/activities/pasted.ts':
    'export const run = (work: { exec(line: string): void }, branch: string) => work.exec(`echo ${branch}`);',
  'src/activities/pasted-argv.ts': "export const argv = (out: string) => ['sh', '-eu', '-c', 'rm -rf ' + out];",
  'src/adapters/commit.ts':
    "import { spawnSync } from 'node:child_process';\nexport const head = () => spawnSync('git', ['rev-parse', 'HEAD']);",
  'src/activities/commit.ts': "export const argv = ['git', 'rev-parse', 'HEAD'];",
  'src/features/one/kinds.ts': "import { row } from '../../model/kind-row.js';\nexport const one = row;",
  'src/features/one/cli.ts':
    "import { home } from '../../adapters/home.js';\nimport { two } from './node/two.js';\nexport const one = [home, two];",
  'src/features/one/node/other.ts': "import { two } from '../../two/kinds.js';\nexport const one = two;",
  'src/features/one/schemas.ts': "import { unit } from '../../plan/durations.js';\nexport const one = unit;",
  'src/features/one/plan.ts': "import { readFileSync } from 'node:fs';\nexport const one = readFileSync;",
  'src/features/one/pure/clock.ts': 'export const now = (): number => Date.now();',
  'src/features/one/pure/effect.ts': "import { two } from '../node/two.js';\nexport const one = two;",
  'src/features/one/workflows.ts':
    "import { z } from 'zod';\nimport { body } from '../../activities/body.js';\nexport const one = [z, body];",
  'src/features/one/node.ts': "import { release } from '../../workflows/release.js';\nexport const one = release;",
  'src/features/one/node/commit.ts': "export const argv = ['git', 'rev-parse', 'HEAD'];",
  'src/features/one/node/listed.ts':
    "import { FEATURE_NODES } from '../../node.js';\nexport const one = FEATURE_NODES;",
  'src/features/one/helpers.ts': 'export const one = 1;',
  'src/features/plan.ts': "import { one } from './one/pure/clock.js';\nexport const FEATURE_PLANS = one;",
  'src/features/campaigns/plan.ts':
    "import { of } from '../clusters/pure/of.js';\nimport { at } from '../clusters/node/at.js';\nexport const one = [of, at];",
  'src/activities/listed.ts': "import { FEATURE_NODES } from '../features/node.js';\nexport const one = FEATURE_NODES;",
  'src/cli/screens/listed.ts':
    "import { FEATURE_CLIS } from '../../features/cli.js';\nexport const one = FEATURE_CLIS;",
  'src/engine/by-name.ts': "import { one } from '../features/one/kinds.js';\nexport const at = one;",
  'src/cli/commands/client.ts': "import { Client } from '@temporalio/client';\nexport const client = Client;",
};

let folder: string;
let said: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-fences-'));
  for (const file of ['.oxlintrc.json', 'tools/lint', 'src/adapters/home.ts', 'tsconfig.base.json', 'tsconfig.json'])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(BREACHES)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  said = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['-f', 'unix', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['src/plan/clock.ts', "'Date.now' is restricted"],
  ['src/engine/chance.ts', "'Math.random' is restricted"],
  ['src/plan/file.ts', 'src/plan may not import node:fs'],
  ['src/plan/effect.ts', 'src/plan is pure: it decides and never acts'],
  ['src/importers/fact.ts', 'src/importers turn text and facts into entries'],
  ['src/workflows/effect.ts', 'src/workflows are thin'],
  ['src/activities/program.ts', 'SDKs and programs belong in src/adapters'],
  ['src/activities/body.ts', 'Throw a coded failure'],
  ['src/newroom/alone.ts', 'This file belongs to no room'],
  ['src/newroom/alone.ts', 'does not belong to any known element'],
  ['src/newroom/imports.ts', 'This file belongs to no room'],
  ['src/loose.ts', 'This file belongs to no room'],
  ['src/plan/new-room.ts', 'Dependencies to unknown elements'],
  ['src/activities/pasted.ts', 'A value in the text of a shell line can run commands'],
  ['src/activities/pasted-argv.ts', 'A value in the text of a shell line can run commands'],
  ['src/adapters/commit.ts', 'Run git by src/adapters/git'],
  ['src/activities/commit.ts', 'Run git by src/adapters/git'],
  ['src/client/program.ts', 'src/client may not import node:child_process'],
  ['src/features/one/kinds.ts', 'src/features/one/kinds.ts loads model/kind-row.ts: the tables of the core load it'],
  ['src/features/one/cli.ts', 'src/features/one/cli.ts loads adapters/home.ts: each `slipway --help` would load it'],
  ['src/features/one/cli.ts', 'src/features/one/cli.ts loads features/one/node/two.ts'],
  ['src/features/one/schemas.ts', 'one/schemas.ts loads plan/durations.ts: schemas of the core load it'],
  ['src/features/one/plan.ts', 'src/features/one/plan.ts may not import node:fs: it is pure'],
  ['src/features/one/pure/clock.ts', "'Date.now' is restricted"],
  ['src/features/one/pure/effect.ts', 'one/pure/effect.ts loads features/one/node/two.ts: it is pure'],
  ['src/features/one/workflows.ts', 'one/workflows.ts may not import zod: it is bundled and replayed'],
  ['src/features/one/workflows.ts', 'one/workflows.ts loads activities/body.ts: it is bundled and replayed'],
  ['src/features/one/node.ts', 'one/node.ts loads workflows/release.ts: workflows are bundled by path'],
  ['src/features/one/node/commit.ts', 'Run git by src/adapters/git'],
  [
    'src/features/one/node/listed.ts',
    'node/listed.ts loads the list features/node.ts: take the features as an argument',
  ],
  ['src/features/one/helpers.ts', 'This file is in no place of a feature'],
  ['src/features/plan.ts', 'src/features/plan.ts loads features/one/pure/clock.ts: this list loads the `plan.ts`'],
  ['src/features/campaigns/plan.ts', 'campaigns/plan.ts loads features/clusters/node/at.ts: it is pure'],
  ['src/activities/listed.ts', 'src/activities/listed.ts loads the list features/node.ts'],
  ['src/cli/screens/listed.ts', 'src/cli/screens/listed.ts loads the list features/cli.ts'],
  ['src/features/one/node/other.ts', 'of feature "one" imports features/two/kinds.ts of feature "two"'],
  ['src/engine/by-name.ts', 'src/engine/by-name.ts of the core imports features/one/kinds.ts of feature "one"'],
  ['src/cli/commands/client.ts', 'compose packages in src/cli/open-ports.ts'],
])('given %s, then the linter reports: %s', (file, advice) => {
  expect(
    said
      .split('\n')
      .filter((line) => line.includes(file))
      .join('\n'),
  ).toContain(advice);
});

test('given a feature that builds on the clusters, then the linter takes what is pure there', () => {
  expect(said).not.toContain('clusters/pure/of.ts');
});
