import { fail, type Problem } from '../../model/failure.js';
import { answerCodedTwice, answerNotJson, answerTooLarge } from './errors.js';

const MIB = 2 ** 20;

export interface Expected {
  /** Name in messages: `a page of an index`. */
  readonly what: string;
  /** Bytes after content decoding. */
  readonly mostBytes: number;
}

/** Limits for answers that are read into memory. Files are hashed while they stream and have no limit here. */
export const EXPECTED = {
  page: { what: 'a page of an index', mostBytes: 32 * MIB },
  record: { what: 'a record of an index', mostBytes: MIB },
  token: { what: 'a token', mostBytes: MIB },
  manifest: { what: 'an image manifest', mostBytes: 8 * MIB },
  configuration: { what: 'the configuration of an image', mostBytes: 8 * MIB },
  tags: { what: 'a list of tags', mostBytes: 8 * MIB },
  metadata: { what: 'maven-metadata.xml or a checksum', mostBytes: 16 * MIB },
  api: { what: 'an answer of an API', mostBytes: 8 * MIB },
  refusal: { what: 'the reason of a refusal', mostBytes: MIB },
} as const satisfies Record<string, Expected>;

/** Reads an answer into memory up to its limit. The request's deadline still applies. Throws ANSWER_TOO_LARGE, also for
 * the decoded size, and ANSWER_CODED_TWICE for stacked codings.
 * @param from name of the server in messages
 * @param url address without user, password and query */
export async function readBody(from: string, url: string, response: Response, expected: Expected): Promise<Buffer> {
  const refusal = refusalOf(from, url, response.headers, expected);
  if (refusal !== null) {
    await response.body?.cancel();
    throw fail(refusal);
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += (piece as Uint8Array).length;
    // Leaving the loop by a throw cancels the body.
    if (bytes > expected.mostBytes) throw fail(tooLarge(from, url, expected, response.headers));
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces);
}

/** Parses the JSON of an answer. Untrusted: any shape, or null. Throws ANSWER_NOT_JSON. */
export function parseAnswer(from: string, url: string, body: Buffer, { what }: Expected): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch (error) {
    throw fail(answerNotJson(from, url, what), error);
  }
}

/** Returns the problem if the headers alone justify a refusal. Null otherwise. */
function refusalOf(from: string, url: string, headers: Headers, expected: Expected): Problem | null {
  const codings = headers.get('content-encoding') ?? '';
  if (codings.includes(',')) return answerCodedTwice(from, url, expected.what, codings);
  const declared = Number(headers.get('content-length') ?? 0);
  return declared > expected.mostBytes ? tooLarge(from, url, expected, headers) : null;
}

function tooLarge(from: string, url: string, { what, mostBytes }: Expected, headers: Headers): Problem {
  const coding = headers.get('content-encoding');
  const limit = `${mostBytes / MIB} MiB`;
  return answerTooLarge(from, url, what, coding === null ? limit : `${limit}, decoded from ${coding}`);
}
