import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readLogs as readParts, type ReadLogs } from '../../../src/adapters/access-log/read-logs.js';
import { fetchedWheel, readLine } from '../../../src/adapters/access-log/read-line.js';
import { mergedUse } from '../../../src/engine/index/prune/use.js';
import { boundLogs } from '../../../src/services/bound-logs.js';
import { accessLogFile } from '../../../src/services/folders.js';
import { codesOf } from '../../activities/publish/release.js';

const FILE = 'boat-1.0-cp311-cp311-linux_x86_64.whl';
const KEY = `debian-12/${FILE}`;
const PATH = `/debian-12/files/boat/${FILE}`;
const ours = (at: string, uri = PATH, status = 200, method = 'GET') =>
  `${at} ${method} ${status} "${uri}" 1234 300 0.001 "pip/26.1"`;
const combined = (at: string, uri = PATH, status = 200, method = 'GET') =>
  `192.0.2.7 - - [${at}] "${method} ${uri} HTTP/1.1" ${status} 1234 "-" "pip/26.1"`;

const NOW_MS = Date.parse('2026-11-23T03:00:00Z');
const asked = (more: Partial<ReadLogs> = {}): ReadLogs => ({
  ...{ isKnown: (key) => key === KEY, nowMs: NOW_MS, isLive: false },
  ...more,
});
const readLogs = async (log: string, of: ReadLogs) => mergedUse(await readParts(log, of));
const folder = (): string => mkdtempSync(join(tmpdir(), 'slipway-logs-'));
const write = (path: string, lines: readonly (string | Buffer)[]): string => {
  writeFileSync(
    path,
    Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line as string), Buffer.from('\n')]))),
  );
  return path;
};

describe('given one line of an access log', () => {
  test.each([
    ['our format', ours('2026-11-20T10:00:00+00:00'), '2026-11-20T10:00:00.000Z'],
    ['our format in another zone', ours('2026-11-20T10:00:00+01:00'), '2026-11-20T09:00:00.000Z'],
    ['combined format', combined('20/Nov/2026:10:00:00 +0100'), '2026-11-20T09:00:00.000Z'],
    [
      'common format',
      '192.0.2.7 - ann [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
      '2026-11-20T10:00:00.000Z',
    ],
    [
      'a virtual host in front',
      `example.invalid:443 ${combined('20/Nov/2026:10:00:00 +0000')}`,
      '2026-11-20T10:00:00.000Z',
    ],
    ['a month that does not exist', combined('20/Foo/2026:10:00:00 +0000'), null],
    ['a day that does not exist', ours('2026-11-32T10:00:00+00:00'), null],
    [
      'a user name that imitates a line',
      `192.0.2.7 - x [01/Jan/2020:00:00:00 +0000] \\x22GET / HTTP/1.1\\x22 200 1 ${combined('20/Nov/2026:10:00:00 +0000')}`,
      null,
    ],
    ['a TLS handshake', '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "\\x16\\x03\\x01" 400 150', null],
    ['nothing', '', null],
  ])('when it is %s, then its time is fixed', (_, line, expected) => {
    const read = readLine(line);
    expect(read === null ? null : new Date(read.atMs).toISOString()).toBe(expected);
  });

  test.each([
    ['a wheel', PATH, 200, 'GET', KEY],
    ['a part of a wheel', PATH, 206, 'GET', KEY],
    ['a wheel that the client has', PATH, 304, 'GET', KEY],
    ['a wheel below a prefix', `/wheels${PATH}?x=1`, 200, 'GET', KEY],
    ['an absolute request', `http://example.invalid${PATH}`, 200, 'GET', KEY],
    ['a percent-encoded name', PATH.replace('boat-1.0', 'boat%2d1.0'), 200, 'GET', KEY],
    ['a sidecar', `${PATH}.metadata`, 200, 'GET', null],
    ['a page', '/debian-12/simple/boat/', 200, 'GET', null],
    ['an absent file', PATH, 404, 'GET', null],
    ['a question for the head', PATH, 200, 'HEAD', null],
    ['a path that climbs', `/debian-12/files/../files/boat/${FILE}`, 200, 'GET', null],
    ['an encoded path that climbs', `/debian-12/%2e%2e/files/boat/${FILE}`, 200, 'GET', null],
    ['broken percent-encoding', '/debian-12/files/boat/%E0%A4%A.whl', 200, 'GET', null],
  ])('when it asks for %s, then its fetch is fixed', (_, uri, status, method, expected) => {
    expect(fetchedWheel({ atMs: 0, uri, status, method })).toBe(expected);
  });
});

describe('given an access log with rotated parts', () => {
  const rotated = (): string => {
    const log = join(folder(), 'access.log');
    write(log, [combined('22/Nov/2026:10:00:00 +0000', '/'), combined('23/Nov/2026:02:00:00 +0000', '/')]);
    write(`${log}.1`, [combined('10/Nov/2026:10:00:00 +0000'), combined('22/Nov/2026:09:00:00 +0000', '/')]);
    writeFileSync(
      `${log}.2.gz`,
      gzipSync(`${combined('20/Aug/2026:10:00:00 +0000')}\n${combined('10/Nov/2026:09:00:00 +0000', '/')}\n`),
    );
    write(`${log}-old`, [combined('01/Jan/2020:00:00:00 +0000')]);
    return log;
  };

  test('when it is read, then all parts count, and the last fetch of a wheel is known', async () => {
    expect(await readLogs(rotated(), asked())).toEqual({
      slipway: 1,
      read: [{ from: '2026-08-20T10:00:00.000Z', to: '2026-11-23T02:00:00.000Z' }],
      fetched: { [KEY]: '2026-11-10T10:00:00.000Z' },
    });
  });

  test('when its server runs here, then it covers the time until now', async () => {
    expect((await readLogs(rotated(), asked({ isLive: true }))).read.at(-1)?.to).toBe('2026-11-23T03:00:00.000Z');
  });

  test('when the index does not have the wheel, then the fetch is not remembered', async () => {
    expect((await readLogs(rotated(), asked({ isKnown: () => false }))).fetched).toEqual({});
  });

  test('when a part is cut, then the log is refused: what it would say is not known', async () => {
    const log = rotated();
    writeFileSync(`${log}.3.gz`, gzipSync('x\n'.repeat(10_000)).subarray(0, 20));
    expect(await readLogs(log, asked()).catch(codesOf)).toEqual(['ACCESS_LOG_UNREADABLE']);
  });
});

test('given hostile lines, when a log is read, then sound lines count', async () => {
  const log = write(join(folder(), 'access.log'), [
    `${ours('2026-11-01T10:00:00+00:00')}`,
    `2026-11-02T10:00:00+00:00 GET 200 "/${'a'.repeat(100_000)}/files/boat/${FILE}" 1`,
    Buffer.from([0, 255, 254, 13, 27, 91, 50, 74]),
    `${'"['.repeat(8_000)}`,
    ours('2026-11-03T10:00:00+00:00', `/__proto__/files/boat/${FILE}`),
    ours('2026-12-24T10:00:00+00:00'),
    ours('2026-11-04T10:00:00+00:00', '/'),
  ]);
  expect(await readLogs(log, asked({ isKnown: () => true }))).toEqual({
    slipway: 1,
    read: [{ from: '2026-11-01T10:00:00.000Z', to: '2026-11-04T10:00:00.000Z' }],
    fetched: Object.fromEntries([
      [`__proto__/${FILE}`, '2026-11-03T10:00:00.000Z'],
      [KEY, '2026-11-01T10:00:00.000Z'],
    ]),
  });
});

test('given no such log, when it is read, then the failure names it', async () => {
  const log = join(folder(), 'access.log');
  expect(await readLogs(log, asked()).catch(codesOf)).toEqual(['ACCESS_LOG_ABSENT']);
  mkdirSync(log);
  expect(await readLogs(log, asked()).catch(codesOf)).toEqual(['ACCESS_LOG_ABSENT']);
});

test('given a large access log of our server, then it becomes a part that is read too, and parts of 401 days are removed', async () => {
  const home = folder();
  const log = accessLogFile(home, 'wheels');
  mkdirSync(dirname(log));
  write(log, [ours('2026-11-20T10:00:00+00:00'), Buffer.alloc(65 << 20, 'x')]);
  const old = write(`${log}-20251001000000`, [ours('2025-10-01T00:00:00+00:00')]);
  utimesSync(old, new Date(NOW_MS - 401 * 86_400_000), new Date(NOW_MS - 401 * 86_400_000));
  expect([boundLogs(home, NOW_MS), boundLogs(home, NOW_MS)]).toEqual([true, false]);
  expect((await readLogs(log, asked())).read).toEqual([
    { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T10:00:00.000Z' },
  ]);
});
