import type { Target } from '../target.js';
import { TARGETS, type TargetKind } from '../target-kinds.js';
import type { Plan } from '../plan.js';

/** Kinds of addresses besides targets that get something of ours. A policy has rows for them. */
export const RECEIVER_KINDS = ['jobs', 'ssh', 'github', 'postgres', 'webhook'] as const;

/** An address that gets something of ours: a target, or one of a kind of its own. `read`: an address that gets nothing. */
export interface Receiver extends Omit<Target, 'kind'> {
  readonly kind: TargetKind | (typeof RECEIVER_KINDS)[number] | 'read';
  /** Path of the address in the profile or the release file: `['clusters', 'far', 'address']`. Absent for a target. */
  readonly path?: readonly string[];
  /** ssh: the configuration that says where its hosts are. */
  readonly config?: string | null;
}

/** A receiver's location: this machine, or the address of the profile's `key`. */
export type TargetPlace =
  | { readonly here: true; readonly at: string }
  | {
      readonly here: false;
      readonly key: Key;
      readonly address: string;
      readonly why: string;
    };

/** Keys of a profile's target that name a server. */
type Key = 'address' | 'endpoint' | 'reads' | 'realm';

type Addressed = Pick<Receiver, 'kind' | 'address' | 'username' | 'password' | 'extra'>;

const SERVICE = /^service:[a-z0-9-]+$/;
/** Programs parse odd addresses differently (`http://127.0.0.1\@host/`), so only a plain host and port match. */
const PARTS = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/]+)(?:\/[\w.~%+:=,/-]*)?$/i;
const LOOPBACK = /^(127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\]|localhost)(?::\d{1,5})?$/i;

/** Returns whether all addresses of a receiver are loopback or `service:`, by the rules of docs/publishing.md#rehearsals. Only
 * such a receiver may be part of a rehearsal. */
export function placeOf(target: Addressed): TargetPlace {
  const { kind, address, extra } = target;
  switch (kind) {
    case 'command':
      return ofCommand(target);
    case 's3': {
      const endpoint = extra?.kind === 's3' ? extra.endpoint : null;
      if (endpoint === null) return elsewhere('endpoint', address, 'without an endpoint it is AWS');
      return judged('endpoint', endpoint, WEB);
    }
    case 'simple':
      return withOthers(ofIndex(target), extra);
    case 'postgres':
      return SOCKET.test(address) ? { here: true, at: 'a socket' } : judged('address', address, POSTGRES);
    case 'ssh':
      return elsewhere('address', address, 'the settings of ssh may send a host elsewhere');
    case 'jobs':
    case 'github':
    case 'webhook':
    case 'read':
      return judged('address', address, WEB);
    default:
      return withOthers(judged('address', address, TARGETS[kind].schemes), extra);
  }
}

function ofIndex({ address, extra }: Addressed): TargetPlace {
  const endpoint = extra?.kind === 'simple' ? extra.endpoint : null;
  return endpoint === null ? judged('address', address, WEB) : judged('endpoint', endpoint, WEB);
}

const WEB: readonly string[] = ['http', 'https'];
const POSTGRES: readonly string[] = ['postgres', 'postgresql'];
const SOCKET = /^postgres(ql)?:\/\/%2f/i;

function judged(key: Key, address: string, schemes: readonly string[]): TargetPlace {
  if (SERVICE.test(address)) return { here: true, at: address };
  const [, scheme = '', authority = ''] = PARTS.exec(address) ?? [];
  const [, host] = LOOPBACK.exec(authority) ?? [];
  if (host === undefined) return elsewhere(key, address, 'it is neither a service nor a loopback address');
  if (!schemes.includes(scheme.toLowerCase()))
    return elsewhere(
      key,
      address,
      `only ${schemes.filter((one) => one !== '').join(', ')} addresses are known to stay`,
    );
  return { here: true, at: host.toLowerCase() };
}

/** Whether an http(s) address stays on this machine. */
export const isLoopback = (address: string): boolean => judged('address', address, WEB).here;

const elsewhere = (key: Key, address: string, why: string): TargetPlace => ({
  here: false,
  key,
  address: address.replace(/\/\/[^/]*@/, '//'),
  why,
});

/** Adds the locations of a target's further servers. */
function withOthers(place: TargetPlace, extra: Addressed['extra']): TargetPlace {
  const texts = (extra ?? {}) as Readonly<Partial<Record<Key, string | null>>>;
  const others = OTHERS.flatMap((key) => (typeof texts[key] === 'string' ? [judged(key, texts[key], WEB)] : []));
  return [place, ...others].find(({ here }) => !here) ?? place;
}
const OTHERS = ['endpoint', 'reads', 'realm'] as const;

function ofCommand({ address, username, password, extra }: Addressed): TargetPlace {
  const place = judged('address', address, TARGETS.command.schemes);
  const secrets = extra?.kind === 'command' ? extra.secrets : [];
  if (!place.here || (username === null && password === null && secrets.length === 0)) return place;
  return elsewhere('address', address, 'its program can send anywhere, and it gets a credential of the worker');
}

const known = new WeakMap<object, readonly Target[]>();

/** Returns every target that steps of a plan query, publish to or move names in. Targets that differ in any field are
 * listed separately. */
export function targetsIn(plan: Pick<Plan, 'steps'>): readonly Target[] {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const all = plan.steps.flatMap(({ params }) => ('target' in params ? [params.target] : []));
  const found = [...new Map(all.map((target) => [JSON.stringify(target), target])).values()];
  known.set(plan, found);
  return found;
}
