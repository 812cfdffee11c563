import { changes } from '../../src/cli/render/changes.js';
import { liveLines } from '../../src/cli/render/live.js';
import { clip, colours, plain } from '../../src/cli/render/paint.js';
import { plainLine } from '../../src/cli/render/plain-line.js';
import { createScreen } from '../../src/cli/render/screen.js';
import { againLines, failedLines } from '../../src/cli/screens/failures.js';
import { endingLines } from '../../src/cli/screens/ending.js';
import type { Finding } from '../../src/model/finding.js';
import { expectGolden } from '../support/golden.js';
import { aReport, aRun, aStep, compileError, inTheMiddle, rehearsed, START } from './a-run.js';

const paint = colours(false);
const NEXT = { again: 'slipway run here', moved: false };
const frame = { now: START + 20_000, columns: 100, rows: 40, paint };
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

test('given a run, then the live tree shows stages, and steps that run or failed', () => {
  expectGolden('cli/live.txt', text(liveLines(inTheMiddle(), frame)));
});

test.each([
  [{ queue: 'linux-x86_64' }, 'waits for a free slot of linux-x86_64  20.0 s'],
  [{}, 'waits for a free slot  20.0 s'],
])('given a step that no worker has taken, with %j, then the tree says that it waits', (told, line) => {
  const steps = [aStep('prove/linux-x86_64', 'proveQueue', 'running', { at: 0, queued: true, ...told })];
  expect(liveLines(aRun({ steps }), frame).at(-1)).toBe(`    › prove/linux-x86_64  ${line}`);
});

test('given a run of 300 steps, then the tree fits the terminal, failures first', () => {
  const steps = Array.from({ length: 300 }, (_, at) =>
    aStep(`wheels/p${at}/cp312/linux-x86_64`, 'buildWheel', at % 7 === 0 ? 'running' : at === 299 ? 'failed' : 'done', {
      at,
      ms: 1000,
      ...(at === 299 ? { problems: [compileError] } : {}),
    }),
  );
  const lines = liveLines(aRun({ steps }), { ...frame, columns: 60, rows: 24 });
  expect(lines.length).toBeLessThan(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expectGolden('cli/live-300.txt', text(lines));
});

test('given many failures, then half of the rows show running steps', () => {
  const steps = Array.from({ length: 300 }, (_, at) =>
    aStep(`steps/s${at}`, 'runCommand', at < 200 ? 'failed' : 'running', { at, problems: [compileError] }),
  );
  const lines = liveLines(aRun({ steps }), { ...frame, rows: 14 });
  const count = (mark: string): number => lines.filter((line) => line.startsWith(`    ${mark}`)).length;
  expect([count('✗'), count('›')]).toEqual([5, 4]);
  expect(lines.at(-1)).toBe('    … 291 more');
});

test.each([
  ['one held step', 'infra', 1, 'Wait, then type `slipway retry steps/s/cp310 --run rehearsal/skiff/1.2.0`.'],
  ['two held steps', 'infra', 2, 'Wait, then type `slipway retry --all-failed --run rehearsal/skiff/1.2.0`.'],
  [
    'a step that needs another release file',
    'config',
    1,
    'Wait, then type `slipway run here --supersede`, or type `slipway retry steps/s/cp310 --run rehearsal/skiff/1.2.0` where the cause was outside.',
  ],
] as const)('given %s, then its next step fits: a run that waits is not started again', (_, which, count, next) => {
  const problem = { ...compileError, class: which, next: 'Wait, then run the release again.' };
  const steps = Array.from({ length: count }, (_, at) =>
    aStep(`steps/s/cp31${at}`, 'runCommand', 'held', { at, problems: [problem] }),
  );
  expect(failedLines(aRun({ steps }), NEXT, paint).join('\n')).toContain(next);
});

test('given thirty failed steps, then twenty are printed in full and the rest counted', () => {
  const steps = Array.from({ length: 30 }, (_, at) =>
    aStep(`steps/s${at}`, 'runCommand', 'failed', { at, problems: [compileError] }),
  );
  const told = failedLines(aRun({ steps }), NEXT, paint);
  expect(told.filter((line) => line.startsWith('✗'))).toHaveLength(20);
  expect(told.at(-1)).toBe('… and 10 more failed steps: slipway status --json');
});

test('given steps with equal problems, then they are printed together, and an equal next step once', () => {
  const conflict = (name: string) => ({
    ...compileError,
    ...{ code: 'OTHER_BYTES', class: 'conflict' as const, message: `index already holds ${name}`, evidence: [] },
    ...{ firstError: [], next: 'Raise `release.version`.' },
  });
  const problems = [conflict('a.whl'), conflict('b.whl')];
  const steps = [
    ...['a', 'b'].map((name) => aStep(`publish/index/${name}`, 'publishArtifacts', 'held', { problems, ms: 1000 })),
    aStep('steps/c', 'runCommand', 'failed', { problems: [conflict('a.whl')], ms: 1000 }),
  ];
  expect(failedLines(aRun({ steps }), NEXT, paint)).toEqual([
    '',
    '2 steps failed with one cause:',
    '✗ publish/index/a failed and is held after 1.0 s',
    '✗ publish/index/b failed and is held after 1.0 s',
    '  OTHER_BYTES (conflict) index already holds a.whl',
    '  OTHER_BYTES (conflict) index already holds b.whl',
    '  next: Raise `release.version`.',
    '',
    '✗ steps/c failed after 1.0 s',
    '  OTHER_BYTES (conflict) index already holds a.whl',
    '  next: Raise `release.version`.',
  ]);
});

test('given one failure of four Pythons, then it is told once, with the count and each id', () => {
  const steps = ['310', '311', '312', '313'].map((tag) => {
    const id = `wheels/skiff/cp${tag}`;
    const lines = [`/build/cp${tag}/hull.c:12:3: error: no hull`];
    return aStep(id, 'buildWheel', 'failed', {
      problems: [{ ...compileError, message: `${id} ended with status 1`, firstError: lines, evidence: lines }],
    });
  });
  const other = aStep('wheels/skiff/cp314', 'buildWheel', 'failed', {
    problems: [{ ...compileError, message: 'wheels/skiff/cp314 ended with status 1', evidence: ['error: no sail'] }],
  });
  const lines = failedLines(aRun({ steps: [...steps, other] }), NEXT, paint);
  expect(lines[1]).toBe('4 steps failed with one cause:');
  expect(lines.slice(2, 6)).toEqual(steps.map(({ id }) => `✗ ${id} failed`));
  expect(lines.filter((line) => line.includes('COMMAND_FAILED'))).toHaveLength(2);
  expect(lines).toContain('✗ wheels/skiff/cp314 failed');
});

test('given a first error, then status shows it before the last lines, and watch after the problem', () => {
  const problem = { ...compileError, evidence: ['last line'], firstError: ['src/skiff.c:12:3: error: no hull'] };
  const run = aRun({ steps: [aStep('steps/a', 'runCommand', 'failed', { problems: [problem] })] });
  expect(failedLines(run, NEXT, paint).slice(3, 6)).toEqual([
    '  | src/skiff.c:12:3: error: no hull',
    '  | …',
    '  | last line',
  ]);
  expect(liveLines(run, { ...frame, columns: 200 }).join('\n')).toMatch(/✗ steps\/a  COMMAND_FAILED: .*error: no hull/);
  expect(changes(null, run, START).map(plainLine)[0]).toContain('first error: src/skiff.c:12:3: error: no hull');
});

test('given no terminal, then each change is one line, and no change is printed twice', () => {
  const before = aRun({ steps: inTheMiddle().steps.slice(0, 4) });
  const first = changes(null, before, START + 20_000);
  const second = changes(before, inTheMiddle(), START + 21_000);
  expectGolden('cli/changes.txt', text([...first, ...second].map(plainLine)));
  expect(changes(inTheMiddle(), inTheMiddle(), START)).toEqual([]);
});

test('when a rehearsal ends, then the screen shows what was published where, and how to run live', () => {
  const path = {
    ms: 66_345,
    steps: [
      { id: 'wheels/skiff/cp312/linux-x86_64', ms: 62_345 },
      { id: 'publish/index', ms: 4000 },
    ],
    recoverable: 0.284,
    next: { id: 'source', slackMs: 61_945 },
  };
  const page = 'http://127.0.0.1:8233/namespaces/default/workflows/rehearsal%2Fskiff%2F1.2.0/0195e7aa';
  expectGolden(
    'cli/rehearsed.txt',
    text(
      endingLines(
        {
          status: rehearsed(),
          report: aReport(),
          path,
          page,
          file: 'a/slipway.yaml',
          next: { again: 'slipway run a/slipway.yaml', moved: false },
          standings: null,
          attempts: [],
          notices: [],
          findingsAfter: [],
        },
        paint,
      ),
    ),
  );
});

/** A last screen without what most runs lack. */
const BARE = {
  ...{ report: null, path: null, page: null, file: null, standings: null, next: NEXT },
  ...{ attempts: [], notices: [], findingsAfter: [] },
};

test('when a run fails, then the screen shows the first error, the last lines and skipped steps', () => {
  const status = {
    ...inTheMiddle(),
    state: 'ended',
    endedAt: START + 20_000,
    verdict: { verdict: 'failed', reasons: ['1 step failed'] },
  } as const;
  expectGolden('cli/failed.txt', text(endingLines({ ...BARE, status }, paint)));
});

test('given findings of planning, then the last screen has them with the next step, without notes, and counts the rest', () => {
  const failed = { level: 'warning', code: 'FAILED_BEFORE', subject: 'keel==3', why: 'no compiler', next: 'Mend it.' };
  const notices = [{ ...failed, level: 'note' }, ...Array<object>(12).fill(failed)] as Finding[];
  const status = aRun({ steps: [] });
  const lines = endingLines({ ...BARE, status, notices }, paint);
  const at = lines.indexOf('Found while planning');
  expect(lines.slice(at + 1, at + 3)).toEqual(['  warning FAILED_BEFORE keel==3: no compiler', '    Mend it.']);
  expect(lines[at + 21]).toBe('  and 2 more: slipway plan');
});

test('given an index that drew no status, then the last screen has the finding with the next step', () => {
  const late = {
    level: 'warning',
    code: 'INDEX_STATUS_LATE',
    subject: 'cache',
    why: 'no page',
    next: 'Look.',
  } as const;
  const lines = endingLines({ ...BARE, status: aRun({ steps: [] }), findingsAfter: [late] }, paint);
  const at = lines.indexOf('Found after the verdict');
  expect(lines.slice(at + 1, at + 3)).toEqual(['  warning INDEX_STATUS_LATE cache: no page', '    Look.']);
});

test.each([
  ['nothing to build', { hasWheelList: true }, ['slipway cache status here', 'slipway status --json']],
  ['no list and no steps', {}, ['slipway status --json']],
])('given a run that is done with %s, then each next command works as it is typed', (_, more, commands) => {
  const status = { ...aRun({ steps: [] }), verdict: { verdict: 'done', reasons: [] } } as const;
  const lines = endingLines({ ...BARE, status, file: 'here', ...more }, paint);
  const next = lines.slice(lines.indexOf('Next') + 1).map((line) => line.trim());
  expect(next.slice(0, -1)).toEqual(commands);
  expect(next.at(-1)).toMatch(/^slipway run here   # again: /);
});

test.each([
  [{}, 'everything is reused'],
  [{ hasUncached: true }, 'everything is reused, but entries with `cache: false` run'],
  [{ hasWheelList: true, hasUncached: true }, 'only what is new is built, but entries with `cache: false` run'],
])('given a run that is done and a plan with %j, then the last line says what another run does', (more, says) => {
  const status = { ...aRun({ steps: [] }), verdict: { verdict: 'done', reasons: [] } } as const;
  expect(endingLines({ ...BARE, status, file: 'here', ...more }, paint).at(-1)).toBe(
    `  slipway run here   # again: ${says}`,
  );
});

test.each([
  ['short', 'abc', 5, 'abc'],
  ['exact', 'abcde', 5, 'abcde'],
  ['long', 'abcdef', 5, 'abcd…'],
  ['coloured, colours not counted', '\u001b[31mabcde\u001b[39m', 5, '\u001b[31mabcde\u001b[39m'],
  ['coloured and cut', '\u001b[31mabcdef\u001b[39m', 5, '\u001b[31mabcd…\u001b[0m'],
])('given a line that is %s, then it is cut to the terminal', (_, line, columns, expected) => {
  expect(clip(line, columns)).toBe(expected);
});

test('given control characters in output, then they are escaped', () => {
  expect(plain('a\u001b[2Jb\u001b]0;title\u0007\tc\r\n')).toBe('a\\u001b[2Jb\\u001b]0;title\\u0007    c⏎');
});

test('when the screen is redrawn and closed, then it overwrites its lines and shows the cursor again', () => {
  const written: string[] = [];
  const screen = createScreen((piece) => written.push(piece));
  screen.draw(['a', 'b']);
  screen.draw(['c']);
  screen.close();
  expect(written).toEqual(['\u001b[?25l\r\u001b[Ja\nb\n', '\u001b[2A\r\u001b[Jc\n', '\u001b[?25h']);
});

test('given steps that try again after one cause, then status has its code once, and a next command that names the run', () => {
  const next = 'Free space on that disk. Once it is held, type `slipway retry --all-failed`.';
  const problems = [{ ...compileError, code: 'DISK_FULL', class: 'infra' as const, next }];
  const steps = [0, 1].map((at) => aStep(`steps/s/cp31${at}`, 'runCommand', 'backing off', { at, problems }));
  const lines = againLines(aRun({ steps }), paint);
  expect(lines.slice(1, 3)).toEqual(['steps/s/cp310 tries again', 'steps/s/cp311 tries again']);
  expect(lines.filter((line) => line.startsWith('  DISK_FULL (infra) '))).toHaveLength(1);
  expect(lines.at(-1)).toContain('type `slipway retry --all-failed --run rehearsal/skiff/1.2.0`.');
});
