import type { PointerWhen } from '../../model/params.js';
import { compareVersions, isStable, parseVersion, type Version } from '../../model/python/version.js';

const MAVEN_WORDS: Readonly<Record<string, string>> = { m: 'b', milestone: 'b', cr: 'rc', snapshot: 'dev' };

/** Reads PEP 440 and Maven's words for the same: `1.0-SNAPSHOT` is `1.0.dev0`, `1.0-M2` is `1.0b2`. Null for any other text. */
export function readVersion(text: string): Version | null {
  const [main = '', ...local] = text.split('+');
  const python = main.replace(
    /(?<=\d[-_.]?)(milestone|m|cr|snapshot)(?![a-z])/gi,
    (word) => MAVEN_WORDS[word.toLowerCase()] ?? word,
  );
  const version = parseVersion([python, ...local].join('+'));
  return version && { ...version, text };
}

/** Returns the highest stable version among these texts. Null if none is a stable version.
 * Not the newest by time: 2.53.1 is made after 2.54.0 and must not take its `latest`. */
export function newestStable(texts: readonly string[]): string | null {
  let best: Version | null = null;
  for (const text of texts) {
    const version = readVersion(text);
    if (version && isStable(version) && (best === null || compareVersions(version, best) > 0)) best = version;
  }
  return best?.text ?? null;
}

export interface PointerRule {
  readonly moves: boolean;
  /** The reason for people: `4.3.2 is the newest stable version`. */
  readonly because: string;
  /** Version the pointer belongs to by the rule. */
  readonly version: string | null;
}

/** Versions among tags that are written like our own: with own tag `4.3.2-py311` of 4.3.2, `4.2.0-py311` is 4.2.0. Where ours holds its
 * commit, theirs hold another one.
 * @param own tags that this release published; where none holds the version, tags are taken to be bare versions
 * @param commit 40 hex digits, or null */
export function versionsAmong(
  tags: readonly string[],
  own: readonly string[],
  version: string,
  commit: string | null,
): readonly string[] {
  const [before = '', ...after] = (own.find((tag) => tag.includes(version)) ?? version).split(version);
  const shape = new RegExp(`^${anyCommit(before, commit)}(.+)${anyCommit(after.join(version), commit)}$`);
  return tags.flatMap((tag) => shape.exec(tag)?.[1] ?? []);
}

/** A pattern of a text, in which our commit, whole or its beginning, stands for any. */
function anyCommit(text: string, commit: string | null): string {
  const short = commit?.slice(0, 6);
  if (!commit || !short || !text.includes(short)) return text.replace(/[.+*?^${}()|[\]\\-]/g, '\\$&');
  const found = text.includes(commit) ? commit : short;
  return text
    .split(found)
    .map((part) => anyCommit(part, null))
    .join(`[0-9a-f]{${found.length}}`);
}

/** Whether a pointer moves to `version`, given all versions that the target has.
 * @param existing texts of tags or versions; what is no version is passed over */
export function pointerRule(
  version: string,
  existing: readonly string[],
  when: Exclude<PointerWhen, 'newest commit'>,
): PointerRule {
  if (when === 'always') return { moves: true, because: 'it always follows this release', version };
  const own = readVersion(version);
  const newest = newestStable([...existing.filter((text) => text !== version), version]);
  if (!own) return { moves: false, because: `${version} is not a version that can be compared`, version: newest };
  if (!isStable(own)) return { moves: false, because: `${version} is not a stable version`, version: newest };
  const ahead = newest === null ? null : readVersion(newest);
  if (ahead && compareVersions(own, ahead) < 0)
    return { moves: false, because: `${ahead.text} is newer than ${version}`, version: ahead.text };
  return { moves: true, because: `${version} is the newest stable version`, version };
}
