import type { Digest } from '../../model/digest.js';
import type { Plan } from '../../model/plan.js';
import type { Published } from '../../model/report.js';
import type { Message } from '../notify/deliver.js';

export interface Announcement extends Message {
  readonly event: 'announce';
  readonly profile: string;
  readonly run: string;
  readonly manifest: Digest;
  readonly published: readonly (Published & { readonly target: string })[];
  readonly pointers: readonly { readonly target: string; readonly name: string }[];
  /** True if an earlier attempt with the same id may have arrived. */
  readonly mayBeRepeated: boolean;
}

const MOST_NAMED = 12;

export function textOf(
  { name, version }: Plan['release'],
  published: Announcement['published'],
  pointers: Announcement['pointers'],
): string {
  const lines = published.slice(0, MOST_NAMED).map((one) => `• ${one.target}: ${one.url === '' ? one.name : one.url}`);
  const more = published.length - lines.length;
  return [
    `${name} ${version} is released`,
    ...lines,
    ...(more > 0 ? [`• … and ${more} more`] : []),
    ...pointers.map((pointer) => `• ${pointer.target}: ${pointer.name} now at ${version}`),
  ].join('\n');
}
