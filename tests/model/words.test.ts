import { fc } from '../support/fixed-seed.js';
import { isProblem, readWord } from '../../src/model/words.js';

test.each([
  ['an object', 'retry', { step: 'a', by: 'kim' }, { word: 'retry', step: 'a', by: 'kim' }],
  ['a step alone', 'retry', 'a', { word: 'retry', step: 'a' }],
  ['a text alone, for a note', 'note', 'seen', { word: 'note', reason: 'seen' }],
  ['nothing, where nothing is needed', 'pause', undefined, { word: 'pause' }],
  ['a whole word', 'say', { word: 'skip', step: 'a', reason: 'no' }, { word: 'skip', step: 'a', reason: 'no' }],
  ['what is more than asked', 'resume', { colour: 'red' }, { word: 'resume' }],
])('%s is read', (_, name, payload, word) => expect(readWord(name, payload)).toEqual(word));

test('whatever is sent is read as a word or refused with a code, never thrown', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('say', 'retry', 'skip', 'cancel', 'note', '__proto__', 'toString'),
      fc.anything(),
      (name, payload) => {
        const read = readWord(name, payload);
        if (isProblem(read)) expect(['NOT_A_WORD', 'WORD_NOT_UNDERSTOOD']).toContain(read.code);
        else expect(Object.values(read).every((value) => typeof value === 'string')).toBe(true);
      },
    ),
  );
});
