import type { PointerWhen } from '../../model/params.js';
import { compareVersions, isStable, parseVersion, type Version } from './versions.js';

/** The highest stable version among texts, of which some are no versions at all; null where none is.
 * Not the newest by time: 2.53.1 is made after 2.54.0 and must not take its `latest`. */
export function newestStable(texts: readonly string[]): string | null {
  let best: Version | null = null;
  for (const text of texts) {
    const version = parseVersion(text);
    if (version && isStable(version) && (best === null || compareVersions(version, best) > 0)) best = version;
  }
  return best?.text ?? null;
}

export interface PointerRule {
  readonly moves: boolean;
  /** Why, for people: `4.3.2 is the newest stable version`. */
  readonly because: string;
  /** Version the pointer belongs to by the rule. */
  readonly version: string | null;
}

/** Versions among tags that are written like our own: with own tag `4.3.2-py311` of 4.3.2, `4.2.0-py311` is 4.2.0.
 * @param own tags that this release published; where none holds the version, tags are taken to be bare versions */
export function versionsAmong(tags: readonly string[], own: readonly string[], version: string): readonly string[] {
  const shapes = own.filter((tag) => tag.includes(version)).map((tag) => around(tag, version));
  const [before, after] = shapes[0] ?? ['', ''];
  return tags
    .filter((tag) => tag.length > before.length + after.length && tag.startsWith(before) && tag.endsWith(after))
    .map((tag) => tag.slice(before.length, tag.length - after.length));
}

const around = (tag: string, version: string): readonly [string, string] => {
  const at = tag.indexOf(version);
  return [tag.slice(0, at), tag.slice(at + version.length)];
};

/** Whether a pointer moves to `version`, given all versions that the target has.
 * @param existing texts of tags or versions; what is no version is passed over */
export function pointerRule(
  version: string,
  existing: readonly string[],
  when: Exclude<PointerWhen, 'newest commit'>,
): PointerRule {
  if (when === 'always') return { moves: true, because: 'it always follows this release', version };
  const own = parseVersion(version);
  const newest = newestStable([...existing.filter((text) => text !== version), version]);
  if (!own) return { moves: false, because: `${version} is not a version that can be compared`, version: newest };
  if (!isStable(own)) return { moves: false, because: `${version} is not a stable version`, version: newest };
  const ahead = newest === null ? null : parseVersion(newest);
  if (ahead && compareVersions(own, ahead) < 0)
    return { moves: false, because: `${ahead.text} is newer than ${version}`, version: ahead.text };
  return { moves: true, because: `${version} is the newest stable version`, version };
}
