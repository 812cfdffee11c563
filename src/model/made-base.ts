import type { Digest } from './digest.js';
import type { RunId } from './ids.js';
import type { Params } from './params.js';
import type { Links } from './python/index-entry.js';

/** Record of a base image that wheels are built in. */
export interface MadeBase {
  readonly digest: Digest;
  /** ISO 8601. */
  readonly at: string;
  readonly run: RunId;
  /** Image or refresh period that it was made for, as `madeForOf` says it. */
  readonly since: string | null;
  /** Null if its libraries could not be read. */
  readonly offers: BaseOffers | null;
}

export interface BaseOffers {
  /** Libraries by soname, with the symbol versions that they define. */
  readonly libraries: Links;
  /** Version of the newest symbols of its C library: `2.36`. Null without glibc. */
  readonly glibc: string | null;
  /** Version of its own Python: `3.11.2`. Null without one. */
  readonly python: string | null;
}

interface BaseStep {
  readonly axes: Readonly<Record<string, string>>;
  readonly params: Pick<Params['makeBase'], 'name' | 'oci'>;
}

/** Names the bases that follow each other: those of one entry of a release file, for one platform or machine. Two
 * distributions are two platforms of one machine.
 * @param release name of the release or pipeline */
export const baseLine = (release: string, { axes, params: { name, oci } }: BaseStep): string =>
  `${release}/${name}/${axes['platform'] ?? oci?.replaceAll('/', '-') ?? 'own'}`;

/** Returns what a base is made for: the first day of its period, or the image that the release file names. Null: it is made once. */
export const madeForOf = (from: Params['makeBase']['from']): string | null =>
  'image' in from ? from.image : (from.since ?? null);

/** Inputs that a wheel was built from. Null: the plan has no such input. */
export interface BuiltFrom {
  readonly source: Digest | null;
  readonly base: Digest | null;
  /** Epoch of the build in the release file. 0: none. */
  readonly epoch: number;
}

/** A build that gave the bytes of a listed wheel again. */
export interface Confirmed extends BuiltFrom {
  readonly run: RunId;
}

/** Name of the record: it says all, so that records are not read. */
export const confirmedAs = ({ source, base, epoch }: BuiltFrom): string =>
  [source?.slice(7) ?? NONE, base?.slice(7) ?? NONE, epoch].join('-');

/** Returns what the name of a record says. Null for any other text. */
export function confirmedIn(name: string): BuiltFrom | null {
  const [, source = '', base = '', epoch = ''] = /^([0-9a-f]{64}|none)-([0-9a-f]{64}|none)-(\d+)$/.exec(name) ?? [];
  if (epoch === '') return null;
  const digest = (text: string): Digest | null => (text === NONE ? null : `sha256:${text}`);
  return { source: digest(source), base: digest(base), epoch: Number(epoch) };
}

const NONE = 'none';

/** The newest base of a line, and what it lacks of a former one. */
export interface NewerBase {
  readonly now: Digest;
  readonly lost: Links;
}

/** Records of earlier runs about wheels that an index lists. */
export interface Rebuilds {
  /** By digest of a former base. */
  readonly bases: Readonly<Record<Digest, NewerBase>>;
  /** Builds that gave the bytes of a wheel again, by digest of the wheel. */
  readonly confirmed: Readonly<Record<Digest, readonly BuiltFrom[]>>;
}
