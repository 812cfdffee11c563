/** Statuses of a server that cannot answer now. Any other 4xx is about the request. */
const BUSY = '(408|429|5\\d\\d)\\b';
/** Numbers of libcurl: no connection, none in time, or a broken one. */
const CURL = '(5|7|18|28|35|52|55|56|92)';
/** Modules of the exceptions that end a traceback. pip has a copy of each. */
const PYTHON = '^(pip\\._vendor\\.)?(requests|urllib3)\\.exceptions';

/** Lines of well-known clients that mean: the server cannot be used now. Each is in the client's own form, so that a test which
 * prints `503` or `connection refused` is not taken for an outage. tests/model/client-outputs has a recorded output of each. */
export const CLIENT_LINES = {
  curl: [`\\bcurl: \\(${CURL}\\)`, `\\bcurl: \\(22\\) The requested URL returned error: ${BUSY}`],
  wget: [
    `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ERROR ${BUSY}`,
    '^(HTTP request sent, [^.]*\\.\\.\\. (Read error|5\\d\\d).*\\n|\\d{4}-\\d\\d-\\d\\d .* Connection closed at byte \\d+\\. )Giving up\\.$',
    '^(Connecting to .*)?failed: Connection (refused|timed out)\\.$(?![^]*\\.\\.\\. connected)',
    '^Read error \\(.*\\) in headers\\.$',
  ],
  git: [
    `^fatal: unable to access 'https?://[^']*': (?!The requested URL returned error: (?!${BUSY})|.*certificate)`,
    '^fatal: (the remote end hung up|early EOF)',
  ],
  pip: [
    `^ *ERROR: HTTP error ${BUSY} while getting`,
    "^ *WARNING: Retrying .*total=0.* after connection broken by '",
    '^error: (connection-failed|connection-timeout|incomplete-download)$',
  ],
  'requests and urllib3': [
    `^http\\.client\\.RemoteDisconnected: |${PYTHON}\\.(ProtocolError|ChunkedEncodingError|(New)?ConnectionError|(Connect|Read)Timeout(Error)?): `,
    `${PYTHON}\\.\\w+: .*\\b(too many 5\\d\\d error|Caused by .*(NewConnection|ConnectTimeout|ReadTimeout|Protocol)Error\\()`,
  ],
  uv: [
    '^error: request failed after \\d+ retr',
    '^ *(caused by|cause): error sending request',
    `^ *(error|cause): failed to fetch: [^]{0,400}\\bHTTP status \\w+ error \\(${BUSY}`,
  ],
  npm: [`^npm (err!|error) +code:? '?(E429|E5\\d\\d|ETIMEDOUT|ECONNRESET|ECONNREFUSED|FETCH_ERROR)\\b`],
  Maven: [
    'could not transfer (artifact|metadata) \\S+ from/to (?!.*(status(?: code)?: 4(?!08|29)|blocked mirror|PKIX|certificate|checksum))',
  ],
  Gradle: [`Received status code ${BUSY} from server`],
  cargo: [
    `^ *failed to get successful HTTP response from .*, got ${BUSY}`,
    `^ *failed to download from .*\\n\\s{0,9}Caused by:\\s{1,9}\\[${CURL}\\] `,
  ],
  Go: [
    `^go: .* reading https?://\\S+: ${BUSY}`,
    '^go: .*"https?://[^"]+": .*(unexpected EOF|(connection refused|connection reset by peer|timeout|unreachable)$)',
  ],
  apt: [
    `^E: Failed to fetch \\S+ +(?!4\\d\\d )\\S|^E: Failed to fetch \\S+ +${BUSY}`,
    '^Err:\\d+ .*\\n {1,9}(Could not connect|Unable to connect|Connection (failed|timed out))[^]*^E: ',
  ],
  Spack: ['^==> Error: (\\w+: )?all fetchers failed for '],
} as const satisfies Readonly<Record<string, readonly string[]>>;
