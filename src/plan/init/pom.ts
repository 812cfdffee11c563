/** The part of a POM that init reads. */
export interface Pom {
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  /** `groupId:artifactId` of the parent. Null without one. */
  readonly parent: string | null;
  readonly modules: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Artifact ids of plugins that every build runs: not of profiles, not of pluginManagement. */
  readonly plugins: readonly string[];
}

const TAG = /<(\/?)([A-Za-z_][\w.-]*)[^<>]*?(\/?)>([^<]*)/g;

/** Reads a POM in one pass. Null if it is no POM. */
export function readPom(text: string): Pom | null {
  const found = new Map<string, string[]>();
  const path: string[] = [];
  for (const [, closing, name, empty, value] of withoutComments(text).matchAll(TAG)) {
    if (closing === '/') {
      const open = path.lastIndexOf(name!);
      if (open >= 0) path.length = open;
      continue;
    }
    const here = [...path, name!].join('/');
    const values = found.get(here);
    if (values === undefined) found.set(here, [value!.trim()]);
    else values.push(value!.trim());
    if (empty !== '/' && path.length < DEEPEST) path.push(name!);
  }
  if (!found.has('project')) return null;
  const one = (key: string): string | null => found.get(`project/${key}`)?.[0] || null;
  const parent = one('parent/artifactId');
  return {
    groupId: one('groupId') ?? one('parent/groupId'),
    artifactId: one('artifactId'),
    version: one('version') ?? one('parent/version'),
    parent: parent === null ? null : `${one('parent/groupId')}:${parent}`,
    modules: found.get('project/modules/module') ?? [],
    properties: Object.fromEntries(
      [...found].flatMap(([key, [value]]) => {
        const name = /^project\/properties\/([^/]+)$/.exec(key)?.[1];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    ),
    plugins: found.get('project/build/plugins/plugin/artifactId') ?? [],
  };
}

/** A POM is less deep; what is deeper is read as if it were at this depth. */
const DEEPEST = 40;

/** In one pass: an expression would try each `<!--` that is never closed to the end of the text. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const begin = text.indexOf('<!--', from);
    if (begin < 0) return [...parts, text.slice(from)].join('');
    parts.push(text.slice(from, begin));
    const end = text.indexOf('-->', begin + 4);
    if (end < 0) break;
    from = end + 3;
  }
  return parts.join('');
}
