import { createWriteStream } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ToolFile, ToolServer } from '../../activities/tools/ports.js';
import { fail, type Problem, SlipwayFailure } from '../../model/failure.js';
import { reasonOf, send, shown } from '../http/request.js';
import { toolFileAbsent, toolRedirected, toolServerSilent, toolTooLarge } from './errors.js';

/** Servers of tools. Each address is judged as those of targets, and no redirect leads into this machine or its network. */
export const createToolServer = (mostBytes = 2 ** 30): ToolServer => ({
  download: async (from, to, signal) => {
    const redirected = async (at: URL, next: URL): Promise<void> => {
      const why = next.origin === at.origin ? null : await insideOf(next);
      if (why !== null) throw fail(toolRedirected(from, `${shown(next.href)}: ${why}`));
    };
    const peer = { target: 'the server of the tool', username: null, password: null, origin: null, signal, redirected };
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

const INSIDE = new BlockList();
for (const net of `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16
  ::/127 64:ff9b::/96 fc00::/7 fe80::/10`.split(/\s+/)) {
  const [address = '', bits] = net.split('/');
  INSIDE.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns why an address is of this machine or a private network. Null if it is not. */
async function insideOf({ hostname }: URL): Promise<string | null> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  const bad = found.find((address) => INSIDE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
  return bad === undefined ? null : `${host} is ${bad}, an address of this machine or of a private network`;
}
