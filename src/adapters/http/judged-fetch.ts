import type { LookupFunction } from 'node:net';
import { SlipwayFailure } from '../../model/failure.js';
import { judgedLookup } from './link-local.js';

/** Node keeps the agent of its fetch at this symbol, and exports its class nowhere. */
const AGENT = Symbol.for('undici.globalDispatcher.1');
type AgentClass = new (how: { readonly connect: { readonly lookup: LookupFunction } }) => object;

const agents = new WeakMap<LookupFunction, object>();
const ofServers = judgedLookup('a server');

/** Node's fetch, which connects to the addresses that were judged: a server of names may answer the second question differently.
 * Follows no redirect. A Node without an agent at that symbol looks names up again, after the caller's own look-up. */
export async function judgedFetch(url: string, how: RequestInit, lookup = ofServers): Promise<Response> {
  const headers = new Headers(how.headers);
  try {
    return await fetch(url, { ...how, headers, redirect: 'manual', ...dispatcher(lookup) } as RequestInit);
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    throw cause instanceof SlipwayFailure ? cause : error;
  }
}

function dispatcher(lookup: LookupFunction): { readonly dispatcher?: object } {
  const found = (globalThis as { readonly [AGENT]?: { readonly constructor: unknown } })[AGENT];
  if (found === undefined) return {};
  const agent = agents.get(lookup) ?? new (found.constructor as AgentClass)({ connect: { lookup } });
  agents.set(lookup, agent);
  return { dispatcher: agent };
}
