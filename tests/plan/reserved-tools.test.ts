import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TARGETS } from '../../src/model/target-kinds.js';
import { isReserved, RESERVED } from '../../src/plan/tools/reserved.js';
import { ROOT } from '../support/pages.js';

/** Calls and names before the list of a program and its arguments, and calls that take the program alone. */
const LISTED =
  /(?:(?:exec|must|capture|run)\(\s*(?:\w+,\s*)?|\b(?:argv|line|command|tools)\b[^=:\n[]{0,40}[:=]\s*(?:\w+ \? )?)\[\s*'([A-Za-z][\w.+-]*)'/g;
const ALONE = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*'([A-Za-z][\w.+-]*)'/g;
/** Words that these expressions take for programs: a key, a kind of stdio, paths of a release file, a module of our own. */
const WORDS = ['init', 'operator', 'pipe', 'prepare'];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const calledIn = (text: string): readonly string[] =>
  [LISTED, ALONE].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!));

const files = execFileSync('git', ['ls-files', 'src/**/*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const called = new Set([
  ...files.flatMap((file) => calledIn(read(file))),
  ...Object.values(TARGETS).flatMap(({ publishes, verifies }) => [...publishes, ...verifies]),
  // Programs that a proof says how to install.
  ...[
    ...read('src/activities/prove-queue/errors.ts')
      .split('export ')[0]!
      .matchAll(/^ {2}'?([a-z][\w-]*)'?(?:,|:)/gm),
  ].map(([, one]) => one!),
]);

test.each([
  ["await work.must(['uv', 'build']);", ['uv']],
  ["const argv = ['gcc', path];", ['gcc']],
  ["tools: isHost ? ['docker', x] : [],", ['docker']],
  ["spawnSync('ps', all)", ['ps']],
  ["repository.ask('rev-parse', name)", []],
])('given %s, then it calls %j', (text, programs) => expect(calledIn(text)).toEqual(programs));

test('given the sources, then the name of every program that they call is reserved', () => {
  const free = [...called].filter((name) => !isReserved(name) && !WORDS.includes(name));
  expect(free).toEqual([]);
  expect([...called].filter((name) => RESERVED.has(name)).length).toBeGreaterThan(25);
});

test.each(['raymake', 'rayci', 'protoc', 'bazel', 'gitleaks', 'uvloop'])('given %s, then it is free', (name) => {
  expect(isReserved(name)).toBe(false);
});
