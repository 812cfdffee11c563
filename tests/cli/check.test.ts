import { check } from '../../src/cli/commands/check.js';
import type { Finding } from '../../src/model/finding.js';
import type { Plan } from '../../src/model/plan.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const finding = (level: Finding['level'], code: string): Finding => ({
  ...{ level, code, subject: 'master:uc.txt:2', why: 'it is wrong', next: 'Correct the line.' },
});

async function checked(...notices: readonly Finding[]) {
  const plan = {
    ...{ release: { name: 'boats', version: 'X1' }, steps: [], dropped: [] },
    imports: { of: [{ id: 'wheels/constraints', from: 'wheel-list', entries: 0, counts: {}, notices }] },
  } as unknown as Plan;
  const io = fakeIo();
  const ports = fakePorts({ plan: { plan, digest: `sha256:${'ab'.repeat(32)}` } });
  return { code: await check.run({ args: {}, options: { profile: 'local' } }, io, ports), printed: io.printed };
}

test('given errors in a file that is imported, each is printed with its next step, and the exit code is 2', async () => {
  const found = [finding('error', 'LIST_LINE'), finding('warning', 'PIN_YANKED'), finding('error', 'BINDEP_LINE')];
  expect(await checked(...found)).toEqual({
    code: 2,
    printed: [
      ...['  error LIST_LINE master:uc.txt:2: it is wrong', '    Correct the line.'],
      ...['  error BINDEP_LINE master:uc.txt:2: it is wrong', '    Correct the line.'],
      '2 errors in what it imports: boats X1, 0 steps',
    ],
  });
});

test('given warnings alone, the file is ok', async () => {
  expect(await checked(finding('warning', 'PIN_YANKED'))).toEqual({ code: 0, printed: ['ok: boats X1, 0 steps'] });
});
