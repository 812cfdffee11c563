// What a suite needs besides Node, git and this repository stands in its first comment: `/** @needs temporal docker */`.
// tests/needs.json says what each word means, and how it is known to be there.
// The same comment says how long it takes: `@slow` for more than some seconds, `@long` for more than half a minute of `npm run test:all`.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** All suites with what they need, as `{file, needs, pace}`; `file` is relative to the root, `pace` is `slow`, `long` or null. */
export function suitesOf(root) {
  return readdirSync(join(root, 'tests'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('tests', name))
    .sort()
    .map((file) => [file, readFileSync(join(root, file), 'utf8')])
    .map(([file, text]) => ({ file, needs: needsOf(text), pace: paceOf(text) }));
}

export const paceOf = (text) => /^\/\*\*[^/]*?@(slow|long)\b/.exec(text)?.[1] ?? null;

export function needsOf(text) {
  const [, words = ''] = /^\/\*\*[^/]*?@needs ([^*\n@]*)/.exec(text) ?? [];
  return words.trim().split(/\s+/).filter(Boolean);
}

/** What is not there, as `{need: why}`. @param findings of `slipway doctor --json` */
export function unmet(root, findings) {
  const table = JSON.parse(readFileSync(join(root, 'tests', 'needs.json'), 'utf8'));
  const ill = new Map(
    findings.filter(({ ok }) => !ok).map((one) => [one.name, `${one.name} ${one.detail}; ${one.mend}`]),
  );
  const rows = Object.entries(table).map(([need, { doctor, programs, variables = [], commands = [] }]) => [
    need,
    doctor.flatMap((name) => ill.get(name) ?? [])[0] ??
      programs.filter((one) => !isThere(one)).map((one) => `no ${one}`)[0] ??
      variables.filter((one) => !process.env[one]).map((one) => `${one} is not set`)[0] ??
      commands.map(failureOf).find((why) => why !== undefined),
  ]);
  return Object.fromEntries(rows.filter(([, why]) => why !== undefined));
}

/** Why a command fails, with its last line; undefined where it succeeds. */
function failureOf([program, ...argv]) {
  const { status, stderr, error } = spawnSync(program, argv, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status === 0) return undefined;
  return `${program} fails: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
}

function isThere(program) {
  const places = isAbsolute(program) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return places.some((place) => {
    try {
      accessSync(place === '' ? program : join(place, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
