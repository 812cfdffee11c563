import { fc } from '../support/fixed-seed.js';
import { isProblem, readAction } from '../../src/model/actions.js';

test.each([
  ['an object', 'retry', { step: 'a', by: 'kim' }, { action: 'retry', step: 'a', by: 'kim' }],
  ['a step alone', 'retry', 'a', { action: 'retry', step: 'a' }],
  ['a text alone, for a note', 'note', 'seen', { action: 'note', reason: 'seen' }],
  ['nothing, where nothing is needed', 'pause', undefined, { action: 'pause' }],
  ['a whole action', 'send', { action: 'skip', step: 'a', reason: 'no' }, { action: 'skip', step: 'a', reason: 'no' }],
  ['an object with unknown keys', 'resume', { colour: 'red' }, { action: 'resume' }],
])('given %s, then the action is read', (_, name, payload, action) =>
  expect(readAction(name, payload)).toEqual(action),
);

test('given any payload, then it is read as an action or refused with a code, never thrown', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('send', 'retry', 'skip', 'cancel', 'note', '__proto__', 'toString'),
      fc.anything(),
      (name, payload) => {
        const read = readAction(name, payload);
        if (isProblem(read)) expect(['UNKNOWN_ACTION', 'ACTION_NOT_UNDERSTOOD']).toContain(read.code);
        else expect(Object.values(read).every((value) => typeof value === 'string')).toBe(true);
      },
    ),
  );
});
