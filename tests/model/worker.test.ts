import { isMachine } from '../../src/model/worker.js';

test.each([
  ['linux-x86_64', true],
  ['macos-arm64', true],
  ['windows-x86_64', true],
  ['linux-large', false],
  ['linux-x86_64-large', false],
  ['gpu', false],
  ['control', false],
])('that the queue %s is named after a kind of machine is %s', (queue, is) => expect(isMachine(queue)).toBe(is));
