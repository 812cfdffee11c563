import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classifyBuildError, classifyEngineError } from '../../../src/adapters/docker/classify.js';
import { whyNotEmulated } from '../../../src/adapters/docker/emulation.js';

const row = (first: string, flags: string): string =>
  `${first}\ninterpreter /usr/bin/qemu\nflags: ${flags}\noffset 0\n`;

test.each([
  ['enabled, with the emulator held open', row('enabled', 'PF'), null],
  ['without the flag F', row('enabled', 'P'), 'without the flag F'],
  ['disabled', row('disabled', 'PF'), 'disabled'],
  ['not registered', null, 'not registered'],
])('given an emulator (%s), then the answer says whether and why it cannot be used', async (_, text, expected) => {
  const table = mkdtempSync(join(tmpdir(), 'slipway-binfmt-'));
  if (text !== null) writeFileSync(join(table, 'qemu-aarch64'), text);
  const why = await whyNotEmulated('linux/arm64', table);
  if (expected === null) expect(why).toBeNull();
  else expect(why).toContain(expected);
});

test('given a program that the kernel refuses to run, then the problem is of class infra', () => {
  const said = 'exec /bin/sh: exec format error';
  const problems = [classifyBuildError('exit code: 1', [said]), classifyEngineError('running x', said, 400)];
  for (const problem of problems) expect(problem).toMatchObject({ code: 'EMULATION_ABSENT', class: 'infra' });
});
