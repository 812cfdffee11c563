import type { Digest } from '../digest.js';

/** Symbol versions by the soname of their library: `{ "libc.so.6": ["GLIBC_2.17"] }`. */
export type Links = Readonly<Record<string, readonly string[]>>;

/** A wheel of a static index. Publishing writes the record once; all pages are drawn from such records. */
export interface IndexEntry {
  readonly slipway: 1;
  /** File name of the wheel. */
  readonly file: string;
  readonly digest: Digest;
  readonly size: number;
  /** The wheel's Requires-Python. Null if it has none. */
  readonly requiresPython: string | null;
  /** Digest of the wheel's METADATA, which is beside it as `FILE.metadata`. */
  readonly metadata: Digest;
  /** Digest of the in-toto statement, which is beside it as `FILE.intoto.json`. */
  readonly statement: Digest;
  /** ISO 8601 with microseconds, in UTC. */
  readonly uploadTime: string;
  /** Inputs of the wheel's build. Null if the plan has no such input. */
  readonly from: { readonly source: Digest | null; readonly lock: Digest | null; readonly base: Digest | null };
  /** Libraries that the wheel needs and does not have, with the symbol versions that it needs of each. Absent: not known. */
  readonly links?: Links;
  /** Epoch of its build in the release file. Absent: none. */
  readonly epoch?: number;
  /** Name of the release or pipeline that published it first. Null: not known. Others may want it too: `IndexRefresh` says who does. */
  readonly publisher: string | null;
}

/** A record that takes a wheel from its page. The entry stays, so its name never gets other bytes. */
export interface Gone {
  readonly slipway: 1;
  readonly file: string;
  /** `yanked`: listed as yanked. `removed`: no longer listed. */
  readonly state: 'yanked' | 'removed';
  readonly by: string;
  readonly because: string;
  /** Digest of the review that decided it. Null if a person did. A wheel that a review removed is listed again once it
   * is published again. */
  readonly review: Digest | null;
  /** Time from which the bytes may be removed, as `dueStamp` writes it. Absent: they stay. */
  readonly due?: string;
  /** The yank before the removal. It counts again once the wheel is listed again. */
  readonly yanked?: { readonly by: string; readonly because: string };
}

/** Paths of one platform's index below the target's address. `project` is a normal name. */
export const indexPaths = {
  entries: (platform: string, project?: string): string => below(platform, 'entries', project),
  gone: (platform: string, project?: string): string => below(platform, 'gone', project),
  goneFile: (platform: string, project: string, file: string): string => `${platform}/gone/${project}/${file}.json`,
  /** Marks of files whose bytes are to be removed, by time. */
  due: (platform: string): string => below(platform, 'due'),
  dueFile: (platform: string, due: string, project: string, file: string): string =>
    `${platform}/due/${due}/${project}/${file}`,
  /** Records of the last run of each pipeline. */
  refreshes: (platform: string): string => below(platform, 'refreshes'),
  refresh: (platform: string, pipeline: string): string => `${platform}/refreshes/${encodeURIComponent(pipeline)}.json`,
  files: (platform: string, project?: string): string => below(platform, 'files', project),
  file: (platform: string, project: string, file: string): string => `${platform}/files/${project}/${file}`,
  entry: (platform: string, project: string, file: string): string => `${platform}/entries/${project}/${file}.json`,
  page: (platform: string, project: string, format: 'html' | 'json'): string =>
    `${platform}/simple/${project}/index.${format}`,
  root: (platform: string, format: 'html' | 'json'): string => `${platform}/simple/index.${format}`,
  status: (platform: string, format: 'html' | 'json'): string => `${platform}/simple/status.${format}`,
  rollup: (platform: string): string => `${platform}/simple/rollup.json`,
} as const;

const below = (platform: string, folder: string, project?: string): string =>
  `${platform}/${folder}/${project === undefined ? '' : `${project}/`}`;

/** `20261130T024000Z`: a file name whose order is that of time. */
export const dueStamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

export const SIDECAR = '.metadata';
export const STATEMENT = '.intoto.json';

/** Element of our HTML pages. Planning takes such a page for none of upstream. */
export const OWN_MARK = '<meta name="generator" content="Slipway">';

/** Most bytes of a page or roll-up that are read. */
export const MOST_PAGE_BYTES = 256 * 2 ** 20;
/** Most bytes of an entry or tombstone that are read. Ours have less than 1000. */
export const MOST_RECORD_BYTES = 2 ** 20;
