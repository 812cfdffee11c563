import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from './committed.mjs';
import { inTurn, middle, timed } from './measure.mjs';
import { atMost, ratioAtMost, row } from './rows.mjs';

const PRESETS = 60;
const AREAS = 25;
const KEYS = 30;

/** A project of TOPSAIL's shape: 60 presets with chains of `extends` over 750 values, and a template of 40 commands. All presets are
 * checked in one process of `slipway config presets`; `slipway why` answers for a value and for a step. */
export async function config({ root, folder, runs }) {
  const project = join(folder, 'config');
  mkdirSync(join(project, 'projects', 'grown', 'testing'), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(project, path), text);
  committed(project);
  const slipway = (...argv) => timed([process.execPath, join(root, 'bin', 'slipway.js'), ...argv], { cwd: project });
  const taken = await inTurn(runs ?? 5, {
    presets: () => slipway('config', 'presets'),
    value: () => slipway('why', 'config.area3.key4', 'slipway.yaml'),
    step: () => slipway('why', 'steps/nothing', 'slipway.yaml'),
  });
  return [
    row(`slipway config presets, ${PRESETS} presets of a TOPSAIL project`, middle(taken.presets), 'ms', {
      goal: atMost(2000),
    }),
    row('slipway why config.PATH, against slipway why STEP', middle(taken.value), 'ms', {
      ...{ reference: middle(taken.step), goal: ratioAtMost(1.2) },
    }),
  ];
}

const numbered = (count, make) => Array.from({ length: count }, (_, no) => make(no)).join('');

const preset = (no) =>
  `  preset${no}:\n${no % 3 === 0 ? '' : `    extends: [preset${no - 1}]\n`}${numbered(
    12,
    (line) => `    area${(no + line) % AREAS}.key${(no * 7 + line) % KEYS}: value ${no} ${line}\n`,
  )}`;

const FILES = {
  'slipway.yaml': `slipway: 1
pipeline: { name: grown, label: date }
source: { git: . }
config: { import: topsail, project: projects/grown, apply: [preset8] }
steps: { nothing: { run: 'true' } }
`,
  'projects/grown/testing/config.yaml': `ci_presets:\n  names: null\n${numbered(PRESETS, preset)}${numbered(
    AREAS,
    (area) => `area${area}:\n${numbered(KEYS, (key) => `  key${key}: value of ${area}\n`)}`,
  )}`,
  'projects/grown/testing/command_args.yml.j2': numbered(
    40,
    (no) =>
      `group command${no}:\n  first: {{ area${no % AREAS}.key1 }}\n  second: {{ area${no % AREAS}.key2 | upper }}\n`,
  ),
};
