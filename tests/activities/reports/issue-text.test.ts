import { bodyOf, commentOf, issueMark } from '../../../src/activities/reports/issue-text.js';
import { after } from '../../engine/standings/a-night.js';

/** A name as GitHub tells it from other text, and entities that it reads as `@`. */
const MENTION = /@[A-Za-z0-9]|&#0*64;|&#x0*40;|&commat;/i;
const NAMING = 'a | @crew/all, &#64;kim &#X40;kim &commat;kim';

test('given names of users in the data of a test, then its issue tells nobody', () => {
  const told = after('FF');
  const [night, test] = [told.nights.at(-1)!, told.tests['t']!];
  const naming = { ...told, nights: [{ ...night, label: NAMING }] };
  const move = { ...told.moves[0]!, because: `kim jailed it: ${NAMING}` };
  const body = bodyOf(naming, move, { ...test, title: NAMING });
  expect(body).not.toMatch(MENTION);
  expect(body).toContain('crew/all');
  expect(body).toContain(issueMark(naming, move.test));
});

test('given names of users in the reason of a jail, then its comment tells nobody, and keeps its mark', () => {
  const mark = '<!-- slipway comment run-1 a@b -->';
  const comment = commentOf(`Jailed: ${NAMING}`, mark);
  expect(comment.replace(mark, '')).not.toMatch(MENTION);
  expect(comment).toContain(mark);
});
