import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_LINES } from '../../src/model/client-lines.js';
import { classify } from '../../src/model/classify.js';
import { judgedEnd } from '../../src/activities/step/ends.js';
import { commandFailed } from '../../src/activities/step/errors.js';
import { classifyBuildError } from '../../src/adapters/docker/classify.js';

/** `client-outputs/record.mjs` recorded them: CLIENT.txt has a section for each trouble of the server. */
const FOLDER = join(__dirname, 'client-outputs');
const OUTPUTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) =>
    readFileSync(join(FOLDER, name), 'utf8')
      .split(/^=== /m)
      .slice(1)
      .map((section) => section.trimEnd().split('\n'))
      .map(([trouble = '', ...lines]) => ({ client: name.replace('.txt', ''), trouble, lines })),
  );

/** pip does not print what an index answered, quiet wget prints nothing where it tries again, and Go waits for ever. */
const MUTE = /^(pip (429|50\d)|wget-quiet (504|cut)|go silent)$/;
const REFUSED = ['401', '404'];

const ended = (lines: readonly string[]) => judgedEnd(commandFailed('steps/x', 1, lines.slice(-20)), lines, {});

test.each(OUTPUTS)(
  'given the recorded output of $client, $trouble, then it is an outage unless the server refused',
  ({ client, trouble, lines }) => {
    const { class: found } = ended(lines);
    if (REFUSED.includes(trouble)) expect(['product', 'denied']).toContain(found);
    else expect(found).toBe(MUTE.test(`${client} ${trouble}`) ? 'product' : 'infra');
  },
);

/** Clients that this machine does not have. */
const UNRECORDED = [
  "> Could not GET 'https://hull.example/mast.pom'. Received status code 503 from server: Service Unavailable",
  '==> Error: FetchError: All fetchers failed for mast-1.0',
  'fatal: the remote end hung up unexpectedly',
];

test.each(Object.entries(CLIENT_LINES).flatMap(([client, all]) => all.map((says) => [client, says] as const)))(
  'given the lines of %s, %s, then an output has one',
  (_, says) => {
    const expression = new RegExp(says, 'im');
    const failing = OUTPUTS.filter(({ trouble }) => !REFUSED.includes(trouble)).map(({ lines }) =>
      lines.slice(-20).join('\n'),
    );
    expect([...failing, ...UNRECORDED].some((text) => expression.test(text))).toBe(true);
  },
);

test.each([
  ["a test's own words", 'FAIL mast: expected 200, got 503 Service Unavailable'],
  ['a refused connection of the product', 'connect: connection refused to http://127.0.0.1:3000/'],
  ['a product in Go', 'main.go:7: Get "http://127.0.0.1:3000": dial tcp 127.0.0.1:3000: connect: connection refused'],
  ['a page that is not there, by curl', 'curl: (22) The requested URL returned error: 410'],
  [
    'a page that is not there, by apt',
    'E: Failed to fetch http://hull.example/mast.deb  404  Not Found [IP: 127.0.0.1 8080]',
  ],
  [
    'a page that is not there, by git',
    "fatal: unable to access 'http://hull.example/': The requested URL returned error: 404",
  ],
  ['a file of git that it may not read', "fatal: unable to access '/hull/.config/git/config': Permission denied"],
  ...[
    'SSL certificate problem: unable to get local issuer certificate',
    'server certificate verification failed. CAfile: none CRLfile: none',
  ].map((why) => ['a certificate that git does not trust', `fatal: unable to access 'https://hull.example/': ${why}`]),
  ...[
    'Blocked mirror for repositories: [old (http://hull.example/maven, default, releases)]',
    'PKIX path building failed: unable to find valid certification path to requested target',
    'Checksum validation failed, expected 1 but is 2',
  ].map((why) => [
    'what Maven refuses itself',
    `[ERROR] Could not transfer artifact org.mast:mast:pom:1 from/to hull (http://hull.example/maven): ${why}`,
  ]),
  ...[
    'AssertionError: ProtocolError not raised',
    'E   requests.exceptions.ReadTimeout: was expected',
    'expected "RemoteDisconnected", got "ok"',
    'FAIL given error sending request, then it tries again',
    'not ok 3 - all fetchers failed',
    'could not transfer artifact to the fake mirror',
  ].map((words) => ["a test's words for what a client says", words]),
  [
    'a proxy that wget left behind',
    'Connecting to ::1... failed: Connection refused.\nConnecting to 127.0.0.1... connected.\n',
  ],
])('given %s, then it is the fault of the product', (_, words) => {
  expect(classify({ of: 'command', exit: 1, words })).toEqual({ sign: null, class: 'product' });
});

test.each([
  ['apt', 'Err:1 '],
  ['cargo', 'failed to download from '],
  ['wget', 'HTTP request sent, awaiting response... 503 '],
])('given lines of %s with thousands of blanks, then their end is judged at once', (client, start) => {
  const lines = Array.from({ length: 20 }, () => `${start}${' '.repeat(20_000)}`).join('\n');
  const before = process.cpuUsage();
  expect(CLIENT_LINES[client as 'apt'].some((says) => new RegExp(says, 'im').test(lines))).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000); // µs; in steps by the square it takes a minute
});

test('given a line of curl deep in the output of a failed test, then it is the fault of the product', () => {
  const output = [
    'curl: (22) The requested URL returned error: 503',
    ...Array.from({ length: 20 }, (_, at) => `case ${at}`),
  ];
  expect(ended(output).class).toBe('product');
  expect(ended(output.slice(0, 20)).class).toBe('infra');
});

test.each([
  ['The command returned a non-zero code: 22', 'curl: (22) The requested URL returned error: 503', 'infra'],
  [
    'process did not complete successfully: exit code: 22',
    'curl: (22) The requested URL returned error: 404',
    'product',
  ],
])('given the RUN line of a Dockerfile, %s, %s, then it is judged as a command', (why, line, wanted) => {
  const problem = classifyBuildError(why, ['Step 2/3', line]);
  expect(judgedEnd(problem, [line], {}).class).toBe(wanted);
});
