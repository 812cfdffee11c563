/** Statuses of a server that cannot answer now. Any other 4xx is about the request. */
const BUSY = '(408|429|5\\d\\d)\\b';
/** Numbers of libcurl: no connection, none in time, or a broken one. */
const CURL = '(5|7|18|28|35|52|55|56|92)';

/** Lines of well-known clients that mean: the server cannot be used now. Each is in the client's own form, so that a test which
 * prints `503` or `connection refused` is not taken for an outage. tests/model/client-outputs has a recorded output of each. */
export const CLIENT_LINES = {
  curl: [`\\bcurl: \\(${CURL}\\)`, `\\bcurl: \\(22\\) The requested URL returned error: ${BUSY}`],
  wget: [
    `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d ERROR ${BUSY}`,
    '^(HTTP request sent, .* (Read error|5\\d\\d)|\\d{4}-\\d\\d-\\d\\d .* Connection closed at byte \\d+\\.).*\\s+Giving up\\.$',
    '^(Connecting to .*)?failed: Connection (refused|timed out)\\.$(?![^]*\\.\\.\\. connected)',
    '^Read error \\(.*\\) in headers\\.$',
  ],
  git: [
    `^fatal: unable to access '[^']*': (?!The requested URL returned error: (?!${BUSY}))`,
    '^fatal: (the remote end hung up|early EOF)',
  ],
  pip: [
    `^ *ERROR: HTTP error ${BUSY} while getting`,
    "^ *WARNING: Retrying .*total=0.* after connection broken by '",
    '^error: (connection-failed|connection-timeout|incomplete-download)$',
  ],
  'requests and urllib3': [
    '\\b(NewConnectionError|ConnectTimeoutError|ReadTimeoutError|ProtocolError|RemoteDisconnected|ChunkedEncodingError)\\b',
    'too many 5\\d\\d error responses',
  ],
  uv: [
    'error: request failed after \\d+ retr',
    'error sending request',
    `failed to fetch: [^]{0,400}\\bHTTP status \\w+ error \\(${BUSY}`,
  ],
  npm: [`^npm (err!|error) +code:? '?(E429|E5\\d\\d|ETIMEDOUT|ECONNRESET|ECONNREFUSED|FETCH_ERROR)\\b`],
  Maven: ['could not transfer (artifact|metadata)(?!.*status(?: code)?: 4(?!08|29))'],
  Gradle: [`Received status code ${BUSY} from server`],
  cargo: [
    `^ *failed to get successful HTTP response from .*, got ${BUSY}`,
    `^ *failed to download from .*\\s+Caused by:\\s+\\[${CURL}\\] `,
  ],
  Go: [
    `^go: .* reading https?://\\S+: ${BUSY}`,
    '^go: .*"https?://[^"]+": .*(unexpected EOF|(connection refused|connection reset by peer|timeout|unreachable)$)',
  ],
  apt: [
    `^E: Failed to fetch \\S+ +(?!4\\d\\d )\\S|^E: Failed to fetch \\S+ +${BUSY}`,
    '^Err:\\d+ .*\\s+(Could not connect|Unable to connect|Connection (failed|timed out))[^]*^E: ',
  ],
  Spack: ['all fetchers failed'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
