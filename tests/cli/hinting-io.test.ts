import { hintingIo } from '../../src/cli/hinting-io.js';
import { fakeIo } from './fake-ports.js';

test.each([
  ['a line to type', 'run', 'Next\n  slipway status', true],
  ['a command in code marks', 'up', 'next: Type `slipway up`.', true],
  ['the name in a sentence', 'run', 'This is a defect of slipway itself', false],
  ['data for programs', 'run', '{"next":"Type `slipway up`."}', false],
  ['a command for another day', 'down', 'open, and goes on at the next `slipway up`:', false],
])('given %s, then it counts as a hint or not', (_, command, text, expected) => {
  const { io, hinted } = hintingIo(fakeIo(), command);
  expect(hinted()).toBe(false);
  io.err(text);
  expect(hinted()).toBe(expected);
});
