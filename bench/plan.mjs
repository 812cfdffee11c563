import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { committed } from './committed.mjs';
import { manySteps } from './many-steps.mjs';
import { costOf, inTurn, mean, middle, timed } from './measure.mjs';
import { atMost, ratioAtMost, row } from './rows.mjs';

export async function plan({ root, folder, runs }) {
  const file = join(folder, 'plan', 'slipway.yaml'); // what lies beside a release file travels with it
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, manySteps(1000));
  const slipway = (...argv) => costOf([process.execPath, join(root, 'bin', 'slipway.js'), ...argv]);
  const { planned, help } = await inTurn(runs ?? 5, {
    planned: () => slipway('plan', file),
    help: () => slipway('--help'),
  });
  const wall = (all) => middle(all.map((one) => one.wall));
  const cpu = (all) => mean(all.map((one) => one.cpu));
  const named = 'slipway plan, 1,000 steps';
  return [
    row(`${named}, against slipway --help`, wall(planned), 'ms', { reference: wall(help), goal: atMost(300) }),
    row(`${named}, CPU, against slipway --help`, cpu(planned), 'ms', { reference: cpu(help) }),
    ...(await sinceOneFile({ root, folder, runs })),
    ...(await planRay(root)),
  ];
}

/** `examples/ray` as a repository of its own whose last commit touches one file of Java: its plan with `--since HEAD~1` and without. */
async function sinceOneFile({ root, folder, runs }) {
  const top = join(folder, 'since');
  const project = join(top, 'examples', 'ray');
  cpSync(join(root, 'examples', 'ray'), project, { recursive: true });
  committed(top);
  appendFileSync(join(project, 'java/api/src/main/java/io/ray/api/Ray.java'), '// one more line\n');
  committed(top);
  const planned = (...more) => [process.execPath, join(root, 'bin', 'slipway.js'), 'plan', 'slipway.yaml', ...more];
  const { since, whole } = await inTurn(runs ?? 5, {
    since: () => timed(planned('--since', 'HEAD~1'), { cwd: project }),
    whole: () => timed(planned(), { cwd: project }),
  });
  const options = { reference: middle(whole), goal: ratioAtMost(1.2) };
  return [row('slipway plan --since HEAD~1 of examples/ray, against plan', middle(since), 'ms', options)];
}

/** Text and facts of `examples/ray-whole` → its plan, in this process: the first time, and when the code is warm. */
async function planRay(root) {
  const require = createRequire(import.meta.url);
  const { gatherFacts, NO_PAST } = require(join(root, 'dist', 'adapters', 'facts', 'index.js'));
  const { FEATURE_PLANS: features } = require(join(root, 'dist', 'features', 'plan.js'));
  const { plan: makePlan } = require(join(root, 'dist', 'plan', 'plan.js'));
  const { readReleaseFile } = require(join(root, 'dist', 'plan', 'read', 'release-file.js'));
  const path = join(root, 'examples', 'ray-whole', 'slipway.yaml');
  const { facts } = await gatherFacts(path, 'local', undefined, {}, { ...NO_PAST, features });
  const text = readFileSync(path, 'utf8');
  const times = Array.from({ length: 16 }, () => {
    const start = performance.now();
    makePlan(readReleaseFile(text, path), facts);
    return performance.now() - start;
  });
  return [
    row('planning examples/ray, first in a process', times[0], 'ms'),
    row('planning examples/ray, warm', middle(times.slice(1)), 'ms', { goal: atMost(100) }),
  ];
}
