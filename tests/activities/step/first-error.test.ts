import { failureOf, world } from './a-world.js';
import { fail } from '../../../src/model/failure.js';

const NOISE = 'i=0; while [ $i -lt 300 ]; do echo "noise $i"; i=$((i + 1)); done';

describe('the first error of a failed step', () => {
  test('given an error 300 lines above the end, then both it and the last lines are reported', async () => {
    const { perform } = await world();
    const { details } = await failureOf(
      perform(async (work) => {
        await work.must(
          `echo 'CMake Error at CMakeLists.txt:5 (message):'; echo '  no ANT_EXECUTABLE'; ${NOISE}; exit 1`,
        );
        throw new Error('not reached');
      }),
    );
    const [problem] = details.problems;
    expect(problem!.firstError).toEqual(['CMake Error at CMakeLists.txt:5 (message):', '  no ANT_EXECUTABLE']);
    expect(problem!.evidence).toHaveLength(20);
    expect(problem!.evidence!.at(-1)).toBe('noise 299');
  });

  test('given a program that printed an error and succeeded, then only the error of the failed program is reported', async () => {
    const { perform } = await world();
    const { details } = await failureOf(
      perform(async (work) => {
        await work.must('echo "error: tolerated"');
        await work.must('echo "error: real"; exit 1');
        throw new Error('not reached');
      }),
    );
    expect(details.problems[0]!.firstError).toEqual(['error: real']);
  });

  test('given a program that succeeds after the failed one, then the error of the failed one stays', async () => {
    const { perform } = await world();
    const { details } = await failureOf(
      perform(async (work) => {
        const { code } = await work.exec('echo "error: real"; exit 3');
        await work.must('echo "error: while tidying up"');
        throw fail({ code: 'X_FAILED', class: 'product', message: `ended with ${code}`, next: 'y' });
      }),
    );
    expect(details.problems[0]!.firstError).toEqual(['error: real']);
  });

  test('given no line with an error, then there is no first error', async () => {
    const { perform } = await world();
    const { details } = await failureOf(
      perform(async (work) => {
        await work.must('echo "0 errors"; exit 1');
        throw new Error('not reached');
      }),
    );
    expect(details.problems[0]).not.toHaveProperty('firstError');
  });

  test('given a secret in the error line, then its name is shown instead', async () => {
    const { perform } = await world(undefined, { around: { env: { ...process.env, TOKEN: 'swordfish-123' } } });
    const { details } = await failureOf(
      perform(async (work) => {
        await work.secret('$TOKEN');
        await work.must('echo "error: swordfish-123 is refused"; exit 1');
        throw new Error('not reached');
      }),
    );
    expect(details.problems[0]!.firstError).toEqual(['error: $TOKEN is refused']);
  });
});
