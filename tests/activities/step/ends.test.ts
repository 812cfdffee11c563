/** @slow */
import { judgedEnd } from '../../../src/activities/step/ends.js';
import { problemsOf } from '../../../src/activities/step/failures.js';
import { commandFailed } from '../../../src/activities/step/errors.js';
import { testFailed } from '../../../src/activities/tests/errors.js';
import { fail } from '../../../src/model/failure.js';
import type { FailureRules } from '../../../src/model/plan.js';
import { aStep } from '../../support/run-body.js';
import { withMoreTime } from '../../support/more-time.js';
import { failureOf, world } from './a-world.js';

const ended = (exit: number, words: string, rules: FailureRules = {}) =>
  judgedEnd(commandFailed('make', exit, words.split('\n')), words.split('\n'), rules);

describe('a failed command', () => {
  test.each([
    [2, 'main.c:3: error: expected ;', 'COMMAND_FAILED', 'product'],
    [1, 'cp: cannot create x: No space left on device', 'DISK_FULL', 'infra'],
    [1, 'Temporary failure in name resolution', 'NETWORK_DOWN', 'infra'],
    [137, 'compiling', 'PROGRAM_KILLED', 'infra'],
    [1, 'OutOfMemoryError: Java heap space', 'HEAP_FULL', 'product'],
    [1, 'ERROR: HTTP error 403 Forbidden while getting x', 'FETCH_DENIED', 'denied'],
    [1, 'Cannot connect to the Docker daemon at unix:///x', 'ENGINE_GONE', 'infra'],
  ])('given status %i and %j, then the problem is %s of class %s', (exit, words, code, cls) => {
    expect(ended(exit, words)).toMatchObject({ code, class: cls, evidence: [words], details: { exitCode: exit } });
  });

  test('given a signal, then the problem names it', () => {
    expect(ended(139, 'boom').details).toEqual({ exitCode: 139, signal: 'SIGSEGV' });
  });

  test('given a test that prints network errors, then it is a failure of the test', () => {
    const problem = testFailed('tests/a', 1, ['curl: (6) Could not resolve host: x'], { exitCode: 1 });
    expect(judgedEnd(problem, [], {})).toMatchObject({ code: 'TEST_FAILED', class: 'product' });
  });

  test('given a more specific code, then the problem keeps the original code in its details', () => {
    expect(ended(1, 'No space left on device')).toMatchObject({ details: { was: 'COMMAND_FAILED' } });
  });
});

describe('rules in the release file', () => {
  test('given an exit status, then its rule sets the class', () => {
    const problem = ended(75, 'cluster busy', { exit: { 75: 'infra' } });
    expect(problem).toMatchObject({ code: 'COMMAND_FAILED', class: 'infra', details: { ruledBy: 'retry.exit 75' } });
    expect(problem.message).toContain('(retry.exit 75: infra)');
  });

  test('given lines, then the first rule that matches sets the class', () => {
    const rules: FailureRules = {
      lines: [
        { match: '^flaky mirror', class: 'infra' },
        { match: 'mirror', class: 'config' },
      ],
    };
    expect(ended(1, 'x\nflaky mirror 3').class).toBe('product');
    expect(ended(1, 'flaky mirror 3\ngiving up', rules).class).toBe('infra');
    expect(ended(1, 'no mirror', rules).class).toBe('config');
    expect(ended(1, 'assert', rules).class).toBe('product');
  });

  test('given a rule and a row of the table, then the rule wins', () => {
    expect(ended(137, 'x', { exit: { 137: 'product' } })).toMatchObject({ code: 'COMMAND_FAILED', class: 'product' });
  });
});

test('given a system error, then it is recognised by its code, also inside another error', () => {
  const full = Object.assign(new Error('write failed'), { code: 'ENOSPC' });
  const wire = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) });
  const codes = [full, wire, new TypeError('x of undefined')].map((error) => problemsOf(error, null, '/')[0]);
  expect(codes).toMatchObject([
    { code: 'DISK_FULL', class: 'infra' },
    { code: 'NETWORK_DOWN', class: 'infra', message: expect.stringContaining('ECONNREFUSED') },
    { code: 'UNEXPECTED', class: 'bug' },
  ]);
});

/** What a person needs of it stands in the problem that the server gets: code, where, last lines. */
describe('the evidence of a problem', () => {
  const step = aStep('takeSdist', { project: 'skiff' });
  const ruled = { ...step, retry: { ...step.retry, exit: { 75: 'infra' as const } } };
  const told = async (line: string, limitMs = step.limitMs) => {
    const { perform, around } = await world({ ...ruled, limitMs });
    const run = perform(async (work) => work.must(line).then(() => Promise.reject(new Error('passed'))));
    return { problems: (await failureOf(run)).details.problems, worker: around.worker };
  };

  test.each([
    ['an exit status', 'echo last words; exit 3', 'COMMAND_FAILED', { exitCode: 3 }],
    ['a signal', 'echo last words; kill -SEGV $$', 'COMMAND_FAILED', { exitCode: 139, signal: 'SIGSEGV' }],
    ['a SIGKILL of others', 'echo last words; kill -KILL $$', 'PROGRAM_KILLED', { exitCode: 137, signal: 'SIGKILL' }],
    ['a class of the release file', 'echo last words; exit 75', 'COMMAND_FAILED', { ruledBy: 'retry.exit 75' }],
  ])('given %s, then it has the last lines', async (_, line, code, details) => {
    const { problems, worker } = await told(line);
    expect(problems).toMatchObject([{ code, evidence: ['last words'], details: { ...details, worker } }]);
  });

  test('given a time limit, then it has the last lines', async () => {
    const { problems, worker } = await withMoreTime(700, async (limitMs) => {
      const end = await told('echo last words; sleep 600', limitMs);
      expect(end.problems).toMatchObject([{ code: 'LIMIT_REACHED' }]);
      return end.problems[0]!.evidence?.length ? end : null;
    });
    expect(problems).toMatchObject([{ evidence: ['last words'], details: { worker } }]);
  });

  test("given an exception, then it has its stack; before a coded failure, it has the program's output", async () => {
    const { perform } = await world();
    const thrown = await failureOf(perform(() => Promise.reject(new RangeError('too far'))));
    expect(thrown.details.problems).toMatchObject([
      {
        code: 'UNEXPECTED',
        class: 'bug',
        evidence: [expect.stringMatching(/^at /), ...Array(4).fill(expect.anything())],
      },
    ]);
    const coded = { code: 'X_REFUSED', class: 'config', message: 'x', next: 'y' } as const;
    const after = await failureOf(
      perform(async (work) => {
        await work.must('echo seen before');
        throw fail(coded);
      }, 'run-0002'),
    );
    expect(after.details.problems).toMatchObject([{ ...coded, evidence: ['seen before'] }]);
  });
});
