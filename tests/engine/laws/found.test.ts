import fc from 'fast-check';
import { rowOf, rowsOf } from './found.js';
import { law } from './law.js';

const pair = law({
  ...{ id: 'pair', says: 'is a pair', runs: 1 },
  worlds: fc.record({ a: fc.nat(9), list: fc.array(fc.boolean(), { maxLength: 2 }) }),
  holds: () => undefined,
});
const read = (text: string) => rowsOf(text, [pair], 'found.jsonl');
const WORLD = { a: 3, list: [true] };

test('given a printed row, when it is read, then law and world are the same and the cause is one line without colours', () => {
  const line = rowOf({
    law: 'pair',
    seed: 1,
    path: '0',
    world: WORLD,
    cause: 'expected \u001b[32m1\u001b[39m\n got 2',
  });
  expect(read(`${line}\n\n`)).toEqual([{ law: pair, found: 'expected 1 got 2', world: WORLD }]);
});

test.each([
  ['{"law": "pair"', 'not a JSON object; paste the whole line that `npm run laws` prints'],
  ['[1]', 'not a JSON object; paste the whole line that `npm run laws` prints'],
  ['null', 'not a JSON object; paste the whole line that `npm run laws` prints'],
  ['{"law": "pair"}', 'no "found", "world"; paste the whole line again'],
  [row({ law: 'trio' }), 'no law "trio" in list.ts; remove the row with its law'],
  [row({ law: null }), 'no law "null" in list.ts; remove the row with its law'],
  [row({ found: 7 }), '"found" is no text; say in it what went wrong'],
  [row({ world: null }), expect.stringMatching(/^no world of pair; give it the shape of \{"a":\d,"list":\[/)],
  [row({ world: { a: 3 } }), expect.stringContaining('no world of pair')],
  [row({ world: { ...WORLD, a: 10 } }), expect.stringContaining('no world of pair')],
  [row({ world: { ...WORLD, a: '3' } }), expect.stringContaining('no world of pair')],
  [row({ world: { ...WORLD, more: 1 } }), expect.stringContaining('no world of pair')],
])('given the row %s, then it is refused with its line and the reason', (line, reason) => {
  const message = refusal(`${row({})}\n${line}`);
  expect(message[0]).toBe('WORLD_ROW_MALFORMED');
  expect(message[1]).toMatch(/^found\.jsonl:2: /);
  expect(message[1]!.slice('found.jsonl:2: '.length)).toEqual(reason);
});

test('given several malformed rows, then all are reported at once', () => {
  expect(refusal(`x\n${row({})}\n[]`).map((line) => line.split(': ')[0])).toEqual([
    'WORLD_ROW_MALFORMED',
    'found.jsonl:1',
    'found.jsonl:3',
  ]);
});

function row(over: object): string {
  return JSON.stringify({ law: 'pair', found: 'was odd', world: WORLD, ...over });
}

function refusal(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  throw new Error('nothing was refused');
}
