import { isMachine } from '../../src/model/worker.js';

test.each([
  ['linux-x86_64', true],
  ['macos-arm64', true],
  ['windows-x86_64', true],
  ['linux-large', false],
  ['linux-x86_64-large', false],
  ['gpu', false],
  ['control', false],
])('given the queue %s, then it is named after a kind of machine: %s', (queue, is) =>
  expect(isMachine(queue)).toBe(is),
);
