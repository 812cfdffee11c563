import { startPatience } from '../../../src/adapters/http/patience.js';
import { digestOfBody, request, textOf, type Peer } from '../../../src/adapters/http/request.js';
import { withMoreTime } from '../../support/more-time.js';
import { aPeer, problemOf, startServer, type OwnServer } from './a-server.js';

const never = new AbortController().signal;

/** Time of the test's own: nothing here waits. */
describe('the timeout of a request', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const abortedAfter = (signal: AbortSignal, ms: number): boolean => (jest.advanceTimersByTime(ms), signal.aborted);

  test('when its time is over, then it aborts and reports the time', () => {
    const { signal } = startPatience(never, 1500);
    expect(abortedAfter(signal, 1499)).toBe(false);
    expect(abortedAfter(signal, 1)).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'no answer within 1500 ms' });
  });

  test('given no other value, then it is a minute', () => {
    const { signal } = startPatience(never);
    expect(abortedAfter(signal, 59_999)).toBe(false);
    expect(abortedAfter(signal, 1)).toBe(true);
  });

  test('given a body, then it is a second longer for each 32 KiB', () => {
    const { signal } = startPatience(never, 1000, 10 * 32 * 1024);
    expect(abortedAfter(signal, 10_999)).toBe(false);
    expect(abortedAfter(signal, 1)).toBe(true);
  });

  test("when the answer begins, then it starts again, by the answer's length", () => {
    const { signal, again } = startPatience(never, 1000);
    expect(abortedAfter(signal, 999)).toBe(false);
    again(32 * 1024);
    expect(abortedAfter(signal, 1999)).toBe(false);
    expect(abortedAfter(signal, 1)).toBe(true);
  });

  test("when the peer's own signal aborts, then it ends with that reason", () => {
    const own = new AbortController();
    const { signal } = startPatience(own.signal, 1000);
    own.abort('cancelled');
    expect([signal.aborted, signal.reason]).toEqual([true, 'cancelled']);
  });

  test('given more bytes than a timer can count, then it is the longest time of a timer', () => {
    const { signal } = startPatience(never, 1000, Number.MAX_SAFE_INTEGER);
    expect(abortedAfter(signal, 2 ** 31 - 2)).toBe(false);
    expect(abortedAfter(signal, 1)).toBe(true);
  });
});

/** The servers here never end what they began: only patience does. */
describe('a slow server', () => {
  let server: OwnServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.stop());
  const impatient = (patienceMs: number): Peer => aPeer({ patienceMs });
  const lost = (ms: number) => ({
    ...{ code: 'TARGET_UNREACHABLE', class: 'infra', service: 'target:shelf' },
    message: `shelf does not answer at ${server.address}/: no answer within ${ms} ms`,
  });
  /** Reads an answer whose head came in time, and answers why that ended, with the patience that there was. */
  const reading = (read: (peer: Peer, response: Response) => Promise<unknown>) =>
    withMoreTime(200, async (patienceMs) => {
      const response = await request(impatient(patienceMs), server.address).catch(() => null);
      return response && { patienceMs, problem: await problemOf(read(impatient(patienceMs), response)) };
    });

  test('when it does not answer, then the request times out', async () => {
    server.answers = () => undefined;
    expect(await problemOf(request(impatient(200), server.address))).toMatchObject(lost(200));
  });

  test('when it receives a body, then it has a second for each 32 KiB', async () => {
    server.answers = () => undefined;
    const headers = { 'content-length': String(16 * 1024) };
    const body = 'x'.repeat(16 * 1024);
    const problem = await problemOf(request(impatient(200), server.address, { method: 'PUT', headers, body }));
    expect(problem).toMatchObject(lost(700));
  });

  test.each([
    ['text', textOf],
    ['digest', digestOfBody],
  ])('when it sends a byte now and then, then reading times out: %s', async (_, read) => {
    server.answers = (_asked, answer) => {
      answer.writeHead(200);
      answer.write('.');
      const drip = setInterval(() => answer.write('.'), 20);
      answer.on('close', () => clearInterval(drip));
    };
    const { problem, patienceMs } = await reading(read);
    expect(problem).toMatchObject(lost(patienceMs));
  });

  test('when it announces the length of its answer, then it has time for that', async () => {
    server.answers = (_asked, answer) => {
      answer.writeHead(200, { 'content-length': String(16 * 1024) });
      answer.write('.');
    };
    const { problem, patienceMs } = await reading(textOf);
    expect(problem).toMatchObject(lost(patienceMs + 500));
  });
});
