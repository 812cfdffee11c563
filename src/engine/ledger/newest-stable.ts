import type { PointerWhen } from '../../model/params.js';
import { compareVersions, isStable, parseVersion, type Version } from '../../model/python/version.js';

const MAVEN_WORDS: Readonly<Record<string, string>> = { m: 'b', milestone: 'b', cr: 'rc', snapshot: 'dev' };

/** Parses PEP 440 versions and Maven's equivalents: `1.0-SNAPSHOT` becomes `1.0.dev0`, `1.0-M2` becomes `1.0b2`. Null
 * for any other text. */
export function readVersion(text: string): Version | null {
  const [main = '', ...local] = text.split('+');
  const python = main.replace(
    /(?<=\d[-_.]?)(milestone|m|cr|snapshot)(?![a-z])/gi,
    (word) => MAVEN_WORDS[word.toLowerCase()] ?? word,
  );
  const version = parseVersion([python, ...local].join('+'));
  return version && { ...version, text };
}

/** Returns the highest stable version of these texts. Null without one. It is not the newest by time: 2.53.1 is made
 * after 2.54.0 and must not take its `latest`. */
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
  /** Reason for display: `4.3.2 is the newest stable version`. */
  readonly because: string;
  readonly version: string | null;
}

/** Returns the versions in tags of the same form as ours. With our tag `4.3.2-py311` for 4.3.2, `4.2.0-py311` is 4.2.0.
 * Our commit in a tag matches any commit.
 * @param own tags of this release. If none contains the version, tags are bare versions.
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

/** Returns a pattern of a text, in which our commit or its abbreviation matches any commit. */
function anyCommit(text: string, commit: string | null): string {
  const short = commit?.slice(0, 6);
  if (!commit || !short || !text.includes(short)) return text.replace(/[.+*?^${}()|[\]\\-]/g, '\\$&');
  const found = text.includes(commit) ? commit : short;
  return text
    .split(found)
    .map((part) => anyCommit(part, null))
    .join(`[0-9a-f]{${found.length}}`);
}

/** Decides whether a pointer moves to `version`, given the target's versions.
 * @param existing tags or versions; other texts are ignored */
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
