import { readable } from '../../src/client/schedules.js';
import { fail } from '../../src/model/failure.js';
import { aProblem } from '../engine/a-skeleton.js';

const read = { status: 'fulfilled', value: { pipeline: 'nightly' } } as never;
const gone = { status: 'fulfilled', value: null } as never;
const failed = (reason: unknown) => ({ status: 'rejected', reason }) as const;
const foreign = failed(fail(aProblem({ code: 'CODEC_KEY_UNKNOWN' })));

test('given a schedule of another program that cannot be read, then the others are listed', () => {
  expect(readable([foreign, read, gone])).toEqual([{ pipeline: 'nightly' }]);
  expect(() => readable([foreign, gone].slice(0, 1))).toThrow('CODEC_KEY_UNKNOWN');
});

test('given an outage after such a schedule, then it is told, and no schedule is left out', () => {
  const outage = new Error('14 UNAVAILABLE');
  expect(() => readable([foreign, read, failed(outage)])).toThrow(outage);
});
