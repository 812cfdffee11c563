import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ToolFile, ToolServer } from '../../activities/tools/ports.js';
import { fail, type Problem, SlipwayFailure } from '../../model/failure.js';
import { isInside, outsideLookup } from '../http/inside.js';
import { reasonOf, send, shown } from '../http/request.js';
import { toolFileAbsent, toolRedirected, toolServerInside, toolServerSilent, toolTooLarge } from './errors.js';

/** Servers of tools. Each address is judged as those of targets. No name and no redirect leads into this machine or its network: only
 * an `at` that is itself a number, or localhost, does. */
export const createToolServer = (mostBytes = 2 ** 30): ToolServer => ({
  download: async (from, to, signal) => {
    const first = hostOf(new URL(from.url));
    const redirected = (at: URL, next: URL): void => {
      if (next.origin !== at.origin && isInside(hostOf(next)))
        throw fail(toolRedirected(from, `${shown(next.href)}: ${why(hostOf(next), hostOf(next))}`));
    };
    const lookup = outsideLookup(first, (host, address) =>
      fail(host === first ? toolServerInside(from, why(host, address)) : toolRedirected(from, why(host, address))),
    );
    const peer = {
      target: 'the server of the tool',
      username: null,
      password: null,
      origin: null,
      signal,
      redirected,
      lookup,
    };
    try {
      const { ok, status, body } = await send(peer, from.url, { headers: { 'accept-encoding': 'identity' } });
      if (!ok) await body?.cancel();
      if (!ok) throw fail(refusal(from, status));
      await pipeline(limited(body ?? [], from, mostBytes), createWriteStream(to), { signal });
    } catch (error) {
      throw signal.aborted || (error as NodeJS.ErrnoException).syscall === 'write' ? error : judged(from, error);
    }
  },
});

async function* limited(body: unknown, from: ToolFile, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw fail(toolTooLarge(from, mostBytes));
    yield piece;
  }
}

const refusal = (from: ToolFile, status: number): Problem =>
  status >= 500 || status === 429 ? toolServerSilent(from, `HTTP ${status}`) : toolFileAbsent(from, status);

/** A connection that breaks is tried again; a redirect without an end is not. */
function judged(from: ToolFile, error: unknown): unknown {
  const { code, message } = error instanceof SlipwayFailure ? error.first : { code: null, message: '' };
  if (code !== null && code !== 'TARGET_UNREACHABLE') return error;
  if (message.includes('redirect count exceeded'))
    return fail(toolRedirected(from, 'no file, or another protocol'), error);
  return fail(toolServerSilent(from, reasonOf((error as Error).cause ?? error)), error);
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
const why = (host: string, address: string): string =>
  `${host} is ${address}, an address of this machine or of a private network`;
