import { classify, errnoOf } from '../../src/model/classify.js';
import { FAILURE_EXAMPLES } from './failure-examples.js';
import { FAILURE_CLASSES, type FailureClass } from '../../src/model/failure.js';
import {
  FAILURE_PATTERNS,
  FAILURE_SOURCES,
  type FailureEvidence,
  type FailurePattern,
  type FailureSource,
} from '../../src/model/failure-patterns.js';

const SIGNS: readonly FailurePattern[] = FAILURE_PATTERNS;
const sources = Object.keys(FAILURE_SOURCES) as FailureSource[];

describe('the table of failure signs', () => {
  test.each(SIGNS.map((row, at) => [at, row, FAILURE_EXAMPLES[at]!] as const))(
    'given the example of row %i, then that row matches first',
    (at, row, example) => {
      expect(row.of).toContain(example.of);
      expect(classify(example)).toEqual({ sign: row.sign, class: row.class });
      expect(SIGNS.findIndex((other) => alone(other, example))).toBe(at);
    },
  );

  test.each(SIGNS.map((row, at) => [at, row] as const))(
    'given row %i, then it has a criterion, and its expression compiles and does not match an empty text',
    (_, row) => {
      expect(row.errno ?? row.status ?? row.exit ?? row.name ?? row.says).toBeDefined();
      expect(() => new RegExp(row.says ?? '', 'im')).not.toThrow();
      expect(new RegExp(row.says ?? 'x', 'im').test('')).toBe(false);
    },
  );

  test('given one sign in several rows, then it has one class', () => {
    const classes = new Map<string, Set<FailureClass>>();
    for (const { sign, class: one } of SIGNS) classes.set(sign, (classes.get(sign) ?? new Set()).add(one));
    expect([...classes].filter(([, found]) => found.size > 1)).toEqual([]);
  });
});

/** Whether a row fits by itself: the same data, read in the plainest way. */
function alone(row: FailurePattern, { of, errno, status, exit, name, words }: FailureEvidence): boolean {
  if (!row.of.includes(of)) return false;
  const ranges = (row.status ?? []).map((one) => (typeof one === 'number' ? ([one, one] as const) : one));
  return [
    row.errno?.includes(errno ?? ''),
    ranges.some(([from, to]) => status !== undefined && from <= status && status <= to),
    row.exit?.includes(exit ?? -1),
    row.name?.includes(name ?? ''),
    row.says !== undefined && new RegExp(row.says, 'im').test(words ?? ''),
  ].some((fits) => fits === true);
}

test('given each source of failures, then the table has a row for it and a class for unknown failures', () => {
  for (const of of sources) expect(SIGNS.some((row) => row.of.includes(of))).toBe(true);
  expect(sources.map((of) => [of, classify({ of, words: 'what nobody has said before' })])).toEqual(
    sources.map((of) => [of, { sign: null, class: FAILURE_SOURCES[of].unknown }]),
  );
});

test("given an unknown failure, then a command's is of class product, and our own is a bug", () => {
  expect(classify({ of: 'command', exit: 1, words: 'assert 1 == 2' }).class).toBe('product');
  expect(classify({ of: 'test', exit: 1, words: '' }).class).toBe('product');
  expect(classify({ of: 'system', name: 'TypeError', words: 'x is undefined' }).class).toBe('bug');
});

/** These are decided by what happened, not by what was said: each has one place in the code. */
const BY_EVENT: readonly FailureClass[] = ['lost', 'conflict', 'cancelled', 'bug'];

test('given the failure classes, then a row or an event reaches each of them', () => {
  const reached = new Set<string>([...SIGNS.map((row) => row.class), ...BY_EVENT]);
  expect(Object.keys(FAILURE_CLASSES).filter((one) => !reached.has(one))).toEqual([]);
});

describe('output of tools', () => {
  test.each([
    [
      "requests.exceptions.ConnectionError: … (Caused by NewConnectionError('<…>: Failed to establish a new connection'))",
      'network',
    ],
    ["urllib3.exceptions.MaxRetryError: … (Caused by ProxyError('…', NewConnectionError('<…>: …')))", 'network'],
    ['http.client.RemoteDisconnected: Remote end closed connection without response', 'network'],
    ['Temporary failure in name resolution', 'no such host'],
    ["E: Could not resolve 'mirror.invalid'", 'no such host'],
    ['error: Failed to fetch: `http://127.0.0.1/simple/x/`\n  Caused by: error sending request', 'network'],
    ['error: Failed to fetch: `http://127.0.0.1/x`\n  Caused by: HTTP status client error (404 Not Found)', null],
    ['[ERROR] Could not resolve dependencies for project a:b:jar:1: c:d:jar:2 was not found', null],
    ['[ERROR] Could not transfer artifact a:b:1: status code: 401', 'denied'],
    ['curl: (22) The requested URL returned error: 404', null],
    ["fatal: unable to access 'http://x/': The requested URL returned error: 503", 'network'],
    [
      "fatal: unable to access 'https://x/': gnutls_handshake() failed: The TLS connection was non-properly terminated.",
      'network',
    ],
    ['g++: fatal error: Killed signal terminated program cc1plus', 'machine short'],
    ['java.lang.OutOfMemoryError: unable to create native thread', 'machine short'],
    ['npm ERR! code EAI_AGAIN', 'no such host'],
    ['ConnectionRefusedError: [Errno 111] Connection refused', null],
  ])('given the line %s, then its sign is as expected', (words, sign) => {
    expect(classify({ of: 'command', exit: 1, words }).sign).toBe(sign);
  });

  test('given a test that prints network errors, then only its exit status is judged', () => {
    expect(classify({ of: 'test', exit: 1, words: 'curl: (6) Could not resolve host: x' }).sign).toBeNull();
  });
});

test('given an error wrapped by fetch, then the code of its cause is found', () => {
  const inner = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(errnoOf(new TypeError('fetch failed', { cause: inner }))).toBe('ECONNREFUSED');
  expect(errnoOf(new Error('plain'))).toBeUndefined();
});
