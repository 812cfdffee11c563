import { hintingIo } from '../../src/cli/hinting-io.js';
import { fakeIo } from './fake-ports.js';

test.each([
  ['a line to type', 'Next\n  slipway status', true],
  ['a command in code marks', 'next: Type `slipway up`.', true],
  ['the name in a sentence', 'This is a defect of slipway itself', false],
  ['data for programs', '{"next":"Type `slipway up`."}', false],
])('given %s, then it counts as a hint or not', (_, text, expected) => {
  const { io, hinted } = hintingIo(fakeIo());
  expect(hinted()).toBe(false);
  io.err(text);
  expect(hinted()).toBe(expected);
});
