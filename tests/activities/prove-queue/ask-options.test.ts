/** @needs tools */
import type { LockOptions } from '../../../src/model/params.js';
import { aStep, runBody } from '../../support/run-body.js';
import { bodies } from '../wheels/fixture.js';

const asking = (...options: readonly LockOptions[]) =>
  runBody(
    bodies.proveQueue,
    aStep('proveQueue', { queue: 'control', tools: ['uv', 'pip-compile'], pythons: [], can: [], diskMiB: 1, options }),
  );

test('given lock options, then the tools themselves confirm that they know them', async () => {
  const { made } = await asking(
    {
      tool: 'uv',
      options: ['--no-strip-markers', '--index-strategy unsafe-best-match', '--unsafe-package ray'],
      of: ['a'],
    },
    { tool: 'pip-tools', options: ['--strip-extras', '--resolver=backtracking'], of: ['b'] },
  );
  expect(made.facts).toMatchObject({ tools: { uv: expect.any(String) } });
});

test("given several refused options, then all are reported at once, with entries, the tool's message and a fix", async () => {
  const asked = asking(
    { tool: 'uv', options: ['--no-strip-markerz', '--no-header requirements.txt', '--quiet'], of: ['base', 'extra'] },
    { tool: 'pip-tools', options: ['--universal'], of: ['old'] },
  );
  await expect(asked).rejects.toMatchObject({
    problems: [
      {
        code: 'LOCK_OPTION_UNKNOWN',
        message:
          "uv refuses --no-strip-markerz of deps.base, deps.extra: unexpected argument '--no-strip-markerz' found",
        next: expect.stringContaining('`uv pip compile --help`'),
        path: 'deps.base.options',
      },
      {
        code: 'LOCK_OPTION_UNKNOWN',
        message: expect.stringContaining("unexpected value 'requirements.txt' for '--no-header'"),
      },
      { code: 'LOCK_OPTION_UNKNOWN', message: expect.stringContaining('pip-tools refuses --universal of deps.old') },
    ],
  });
});

test('given options that are refused only together, then they are reported together', async () => {
  const asked = asking({
    tool: 'uv',
    options: ['--index-strategy first-index', '--index-strategy unsafe-best-match'],
    of: ['base'],
  });
  await expect(asked).rejects.toMatchObject({
    problems: [{ code: 'LOCK_OPTION_UNKNOWN', message: expect.stringContaining('cannot be used multiple times') }],
  });
});
