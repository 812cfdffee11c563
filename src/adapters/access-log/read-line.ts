/** A request that a web server logged. */
export interface LoggedRequest {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly method: string;
  readonly status: number;
  /** As the client sent it. */
  readonly uri: string;
}

/** `slipway up`: `2026-11-23T02:40:00+00:00 GET 200 "/debian-12/…" …` */
const OURS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)) ([A-Z]+) (\d{3}) "([^"]*)"/;
/** Common and combined format, also with a virtual host in front. A user name with a bracket or a quote is refused: it
 * could imitate the rest of the line. */
const COMMON =
  /^[^\s"[\]]+ [^\s"[\]]+ [^"[\]]{1,300}\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\] "([A-Z]+) (\S+)(?: [^"]*)?" (\d{3}) /;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Reads one line of an access log. Null for any other line. */
export function readLine(line: string): LoggedRequest | null {
  const request = ourLine(line) ?? commonLine(line);
  return request === null || Number.isNaN(request.atMs) ? null : request;
}

function ourLine(line: string): LoggedRequest | null {
  const [, at, method, status, uri] = OURS.exec(line) ?? [];
  return at === undefined ? null : { atMs: Date.parse(at), method: method!, status: Number(status), uri: uri! };
}

function commonLine(line: string): LoggedRequest | null {
  const [, day, month = '', year, time, hours, minutes, method, uri, status] = COMMON.exec(line) ?? [];
  if (day === undefined) return null;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const at = `${year}-${number}-${day}T${time}${hours}:${minutes}`;
  return { atMs: Date.parse(at), method: method!, status: Number(status), uri: uri! };
}

/** Statuses that hand a wheel out: whole, in part, or from the client's own cache. */
const SERVED: readonly number[] = [200, 206, 304];

/** Returns `PLATFORM/FILE` if a request fetched a file of an index, below any prefix. Null for others. A sidecar is no
 * fetch: resolvers read those of wheels that they do not install. */
export function fetchedWheel({ method, status, uri }: LoggedRequest): string | null {
  if (method !== 'GET' || !SERVED.includes(status)) return null;
  const parts = decoded(uri.split(/[?#]/, 1)[0]!)?.split('/') ?? [];
  const [platform = '', files, project = '', file = ''] = parts.slice(-4);
  const isWheel = files === 'files' && file.endsWith('.whl') && project !== '';
  return isWheel && !parts.some((part) => part === '.' || part === '..') ? `${platform}/${file}` : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
