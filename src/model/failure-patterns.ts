import { CLIENT_LINES } from './client-lines.js';
import type { FailureClass } from './failure.js';

/** Sources of a failure. The same text has another meaning from another source. `unknown` is the class if no pattern
 * matches. */
export const FAILURE_SOURCES = {
  system: { means: 'an exception of Node or of the operating system', unknown: 'bug' },
  start: { means: 'a program that could not be started', unknown: 'config' },
  store: { means: 'the file system of the store', unknown: 'bug' },
  http: { means: 'a registry or index, by HTTP', unknown: 'config' },
  bucket: { means: 'an S3 server', unknown: 'bug' },
  git: { means: 'git, speaking to another repository', unknown: 'config' },
  command: { means: 'a tool, or a line of the release file', unknown: 'product' },
  test: { means: 'a test: what it prints is about what it tests', unknown: 'product' },
  socket: { means: 'the connection to the Docker engine, before it has answered', unknown: 'product' },
  engine: { means: 'the Docker engine', unknown: 'product' },
  build: { means: 'an image build inside the engine', unknown: 'product' },
} as const satisfies Record<string, { means: string; unknown: FailureClass }>;
export type FailureSource = keyof typeof FAILURE_SOURCES;

export interface FailureEvidence {
  readonly of: FailureSource;
  /** Code of an exception: `ECONNREFUSED`. */
  readonly errno?: string;
  readonly status?: number;
  /** Exit status of a program. 128 + signal number if a signal ended it. */
  readonly exit?: number;
  /** Name of an exception: `AccessDenied`. */
  readonly name?: string;
  /** A message, or the last lines of output. */
  readonly words?: string;
}

/** One pattern. Any of its criteria suffices. */
export interface FailurePattern {
  readonly sign: string;
  readonly class: FailureClass;
  readonly of: readonly FailureSource[];
  readonly errno?: readonly string[];
  /** Statuses, or ranges by first and last. */
  readonly status?: readonly (number | readonly [number, number])[];
  readonly exit?: readonly number[];
  readonly name?: readonly string[];
  /** A case-insensitive regular expression. */
  readonly says?: string;
}

const any = (...ways: readonly string[]): string => ways.join('|');

/** Patterns that classify a failure; the first match wins. They are part of the program, so that all workers of a build
 * judge alike. A release file adds rules for its own commands. */
export const FAILURE_PATTERNS = [
  {
    sign: 'disk full',
    class: 'infra',
    of: ['system', 'start', 'store', 'http', 'bucket', 'git', 'command', 'test', 'socket', 'engine', 'build'],
    errno: ['ENOSPC', 'EDQUOT'],
    status: [507],
    says: any('no space left on device', 'disk quota exceeded', '\\bENOSPC\\b'),
  },
  {
    sign: 'heap full',
    class: 'product',
    of: ['command', 'test'],
    says: any(
      'OutOfMemoryError: (java heap space|gc overhead|metaspace|requested array)',
      'javascript heap out of memory',
    ),
  },
  {
    sign: 'machine short',
    class: 'infra',
    of: ['system', 'start', 'command', 'test', 'build'],
    errno: ['ENOMEM', 'EAGAIN', 'EMFILE', 'ENFILE'],
    says: any(
      'cannot allocate memory',
      'insufficient memory for the java runtime',
      'unable to create (new )?native thread',
      "can't start new thread",
      'fork: (retry: )?resource temporarily unavailable',
      'too many open files',
      'killed signal terminated program',
    ),
  },
  { sign: 'killed', class: 'infra', of: ['command', 'test'], exit: [137] },
  { sign: 'not writable', class: 'infra', of: ['system', 'store'], errno: ['EACCES', 'EPERM', 'EROFS'] },
  { sign: 'foreign program', class: 'infra', of: ['socket', 'engine', 'build'], says: 'exec format error' },
  { sign: 'busy', class: 'infra', of: ['socket', 'engine'], says: 'cannot overwrite digest' },
  {
    sign: 'its command failed',
    class: 'product',
    of: ['build'],
    says: any('returned a non-zero code', 'did not complete successfully', 'exit code: \\d+'),
  },
  { sign: 'no such bucket', class: 'config', of: ['bucket'], name: ['NoSuchBucket'] },
  {
    sign: 'denied',
    class: 'denied',
    of: ['http', 'bucket'],
    status: [401, 403],
    name: [
      'CredentialsProviderError',
      'ExpiredToken',
      'InvalidAccessKeyId',
      'XAdminUserNotFound',
      'SignatureDoesNotMatch',
      'AccessDenied',
    ],
  },
  {
    sign: 'denied',
    class: 'denied',
    of: ['git', 'command'],
    says: any(
      'authentication failed',
      'could not read (username|password)',
      'permission denied \\(publickey',
      '(requested url returned )?error:? 40[13]\\b',
      '\\b(401 unauthorized|403 forbidden)\\b',
      'http basic: access denied',
      'status code: 40[13]\\b',
    ),
  },
  { sign: 'denied', class: 'denied', of: ['git'], says: any('permission denied', 'not authori[sz]ed') },
  { sign: 'too large', class: 'config', of: ['http'], status: [413] },
  { sign: 'broken', class: 'infra', of: ['http', 'bucket'], status: [408, 429, [500, 599]] },
  { sign: 'taken meanwhile', class: 'infra', of: ['bucket'], status: [409] },
  {
    sign: 'cut off',
    class: 'infra',
    of: ['bucket'],
    name: [
      'BadDigest',
      'IncompleteBody',
      'RequestTimeout',
      'XAmzContentSHA256Mismatch',
      'XAmzContentChecksumMismatch',
      'TimeoutError',
      'NetworkingError',
    ],
    says: any('socket hang up', 'aborted'),
  },
  {
    sign: 'unreachable',
    class: 'infra',
    of: ['system', 'http', 'bucket'],
    errno: [
      'ECONNREFUSED',
      'ECONNRESET',
      'ECONNABORTED',
      'EPIPE',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'UND_ERR_CONNECT_TIMEOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'UND_ERR_BODY_TIMEOUT',
      'UND_ERR_SOCKET',
    ],
    says: '\\b(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|connect ENOENT)',
  },
  { sign: 'refused', class: 'config', of: ['bucket'], status: [[300, 499]], says: 'region is missing' },
  {
    sign: 'engine gone',
    class: 'infra',
    of: ['command', 'test'],
    says: any('cannot connect to the docker daemon', 'error during connect: .*docker'),
  },
  {
    sign: 'engine gone',
    class: 'infra',
    of: ['socket'],
    says: any(
      'ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENOENT|EPIPE|EACCES',
      'socket hang up',
      'unexpected EOF',
      'cannot connect',
      'context canceled',
    ),
  },
  {
    sign: 'engine gone',
    class: 'infra',
    of: ['engine', 'build'],
    says: any('^status 5\\d\\d$', 'transport is closing'),
  },
  { sign: 'engine gone', class: 'infra', of: ['build'], says: 'context canceled' },
  {
    sign: 'registry trouble',
    class: 'infra',
    of: ['socket', 'engine', 'build'],
    says: any(
      'connection refused',
      'connection reset',
      'i/o timeout',
      'tls handshake',
      'no such host',
      'server misbehaving',
      'received unexpected http status: 5\\d\\d',
      'too ?many ?requests',
      '\\bEOF\\b',
    ),
  },
  {
    sign: 'no such host',
    class: 'infra',
    of: ['git', 'command'],
    says: any(
      'temporary failure in name resolution',
      'temporary failure resolving',
      "could not resolve (host|proxy|')",
      'name or service not known',
      'nodename nor servname',
      'unable to (look up|resolve host)',
      'dns error',
      'UnknownHostException',
      'no such host',
      '\\bEAI_AGAIN\\b',
      '\\bENOTFOUND\\b',
    ),
  },
  {
    sign: 'network',
    class: 'infra',
    of: ['git'],
    says: any(
      "couldn't connect",
      'connection (refused|reset|closed|timed out)',
      'timed out',
      'early EOF',
      'hung up',
      'error: (429|5\\d\\d)',
    ),
  },
  { sign: 'network', class: 'infra', of: ['command'], says: any(...Object.values(CLIENT_LINES).flat()) },
] as const satisfies readonly FailurePattern[];
export type FailurePatternName = (typeof FAILURE_PATTERNS)[number]['sign'];
