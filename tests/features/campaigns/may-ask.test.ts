import { mayAsk } from '../../../src/features/campaigns/pure/comments/messages.js';

test.each([
  ['a blank that is not plain', '\u00a0/test night', true],
  ['a character that nobody sees', 'Hello\n\u200b/test night', true],
  ['a mark of the order of bytes', '\ufeff/test night', true],
  ['a word', 'see a/test', false],
])('given a line that begins with %s, then the comment is read or not', (_, text, isRead) => {
  expect(mayAsk(text)).toBe(isRead);
});
