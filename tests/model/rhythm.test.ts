import { everyText, parseCron, parseEvery } from '../../src/model/rhythm.js';

test.each([
  ['1m', 60_000],
  ['60s', 60_000],
  ['15m', 900_000],
  ['36h', 129_600_000],
  ['365d', 31_536_000_000],
])('given the interval %s, then it is taken', (text, everyMs) => {
  expect(parseEvery(text)).toEqual({ rhythm: { everyMs } });
});

test.each(['59s', '0m', '366d', '99999999d', '15', '15 m', '-15m', '1.5h', '15min', '', '1w'])(
  'given the interval "%s", then it is refused',
  (text) => {
    expect(parseEvery(text)).toEqual({ faults: [expect.any(String)] });
  },
);

test.each(['1m', '90s', '15m', '36h', '7d'])(
  'given %s, when it is written again, then the text is the same',
  (text) => {
    const { rhythm } = parseEvery(text) as { rhythm: { everyMs: number } };
    expect(everyText(rhythm.everyMs)).toBe(text);
  },
);

test.each([
  '* * * * *',
  '0 2 * * *',
  '*/15 * * * *',
  '5/20 1-5 1,15 JAN-mar,12 MON-FRI',
  '0 0 29 2 *',
  '30 4 31 1-12/2 7',
  '  0   2 * * *  ',
])('given the cron line "%s", then it is taken', (text) => {
  expect(parseCron(text)).toEqual({ rhythm: { cron: text.trim().split(/\s+/).join(' ') } });
});

test.each([
  ['', ['it has 1 field, not 5']],
  ['@daily', ['it has 1 field, not 5']],
  ['0 0 2 * * *', ['it has 6 fields, not 5']],
  ['60 24 0 13 8', ['minute "60"', 'hour "24"', 'day of the month "0"', 'month "13"', 'day of the week "8"']],
  ['*/0 2 * * *', ['minute "*/0" has the step 0']],
  ['0 5-2 * * *', ['hour "5-2" ends before it begins']],
  ['0 2 * FOO MAY', ['month "FOO"', 'day of the week "MAY"']],
  ['1,,2 2 * * *', ['minute "" is no value']],
  ['0 2 30 FEB *', ['no month of "FEB" has the day "30"']],
  ['0 2 31 4,6,9,11 *', ['no month of "4,6,9,11" has the day "31"']],
  ['* * * * #', ['day of the week "#" is no value']],
  [`${'1,'.repeat(200)}1 * * * *`, ['it has more than 200 characters']],
])('given the cron line "%s", then it is refused with every fault', (text, faults) => {
  const found = parseCron(text);
  expect(found).toEqual({ faults: faults.map((fault) => expect.stringContaining(fault)) });
});
