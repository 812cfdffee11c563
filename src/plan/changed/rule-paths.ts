/** What is left for all rules files of a source. */
export interface Room {
  globs: number;
  /** Characters of globs times characters of paths. */
  work: number;
}

/** Paths, folders and globs of rules, which have numbers. */
export interface RulePaths {
  /** Returns false without room for a glob. */
  add(line: string, rule: number): boolean;
  /** Returns the numbers of the rules that are the first to match a path; Infinity where none does. Null without room for the work. */
  firstOf(paths: readonly string[]): ReadonlySet<number> | null;
}

/** The first rule of a path as a file and as a folder, and what is below it. */
interface Folder {
  file: number;
  folder: number;
  readonly below: Map<string, Folder>;
}
const aFolder = (): Folder => ({ file: Infinity, folder: Infinity, below: new Map() });

export const isGlob = (line: string): boolean => /[*?]/.test(line);

/** Files and folders are in a tree: their number does not slow a path down. */
export function openRulePaths(room: Room): RulePaths {
  const top = aFolder();
  const globs: { readonly rule: number; readonly glob: string; readonly begin: string }[] = [];
  const firstGlob = (path: string, before: number): number => {
    for (const { rule, glob, begin } of globs) {
      if (rule >= before || room.work < 0) break;
      const isNear = path.startsWith(begin);
      room.work -= isNear ? glob.length * path.length : 1;
      if (isNear && matches(glob, path)) return rule;
    }
    return before;
  };
  return {
    add(line, rule) {
      if (!isGlob(line)) addLiteral(top, line, rule);
      else if ((room.globs -= 1) < 0) return false;
      else globs.push({ rule, glob: line, begin: /^[^*?]*/.exec(line)![0] });
      return true;
    },
    firstOf(paths) {
      const rules = new Set(paths.map((path) => firstGlob(path, firstLiteral(top, path))));
      return room.work < 0 ? null : rules;
    },
  };
}

/** A line that ends with `/` is a folder and all below it, and matches a file of that name too. */
function addLiteral(top: Folder, line: string, rule: number): void {
  let at = top;
  for (const part of line.replace(/\/$/, '').split('/')) {
    if (!at.below.has(part)) at.below.set(part, aFolder());
    at = at.below.get(part)!;
  }
  const kind = line.endsWith('/') ? 'folder' : 'file';
  at[kind] = Math.min(at[kind], rule);
}

function firstLiteral(top: Folder, path: string): number {
  let first = Infinity;
  let at: Folder | undefined = top;
  for (const part of path.split('/')) {
    at = at.below.get(part);
    if (at === undefined) return first;
    first = Math.min(first, at.folder);
  }
  return Math.min(first, at.file);
}

/** In a glob of a rule `*` is any text, `/` too, and `?` any character. Expressions would take seconds to compile 2,000 of them. */
function matches(glob: string, path: string): boolean {
  let [at, inPath, star, from] = [0, 0, -1, 0];
  while (inPath < path.length)
    if (glob[at] === '*') {
      star = at;
      from = inPath;
      at += 1;
    } else if (glob[at] === '?') {
      at += 1;
      inPath += path.codePointAt(inPath)! > 0xffff ? 2 : 1;
    } else if (glob[at] === path[inPath]) {
      at += 1;
      inPath += 1;
    } else if (star === -1) return false;
    else {
      // The last * takes one more. An earlier one would find nothing else.
      from += 1;
      inPath = from;
      at = star + 1;
    }
  return /^\**$/.test(glob.slice(at));
}
