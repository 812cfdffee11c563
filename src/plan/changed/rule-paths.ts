/** The remaining room of all rules files of a source. */
export interface Room {
  globs: number;
  /** Characters of globs and folders times characters of paths. */
  work: number;
}

/** Paths of rules, which have numbers. */
export interface RulePaths {
  /** Takes a line, and its room from `globs`. */
  add(line: string, rule: number): void;
  /** Returns the numbers of the rules that are the first to match a path; Infinity where none does. Null without room for the work. */
  firstOf(paths: readonly string[]): ReadonlySet<number> | null;
}

export const isGlob = (line: string): boolean => /[*?]/.test(line);

export function openRulePaths(room: Room): RulePaths {
  /** A folder ends with `/`. */
  const literals = new Map<string, number>();
  const globs: { readonly rule: number; readonly glob: string; readonly begin: string }[] = [];
  const firstOf = (path: string): number => {
    let first = literals.get(path) ?? Infinity;
    for (const { index } of `${path}/`.matchAll(/\//g)) {
      first = Math.min(first, literals.get(`${path}/`.slice(0, index + 1)) ?? Infinity);
      if ((room.work -= index) < 0) return first;
    }
    for (const { rule, glob, begin } of globs) {
      if (rule >= first || room.work < 0) break;
      const isNear = path.startsWith(begin);
      room.work -= isNear ? glob.length * path.length : 1;
      if (isNear && matches(glob, path)) return rule;
    }
    return first;
  };
  return {
    add(line, rule) {
      if (!isGlob(line)) literals.set(line, literals.get(line) ?? rule);
      else if ((room.globs -= 1) >= 0) globs.push({ rule, glob: line, begin: /^[^*?]*/.exec(line)![0] });
    },
    firstOf(paths) {
      const rules = new Set(paths.map(firstOf));
      return room.work < 0 ? null : rules;
    },
  };
}

/** In a glob of a rule `*` is any text, `/` too, and `?` any character. To compile 2,000 expressions would take seconds. */
function matches(glob: string, path: string): boolean {
  let [at, inPath, star, from] = [0, 0, -1, 0];
  while (inPath < path.length)
    if (glob[at] === '*') [star, from, at] = [at, inPath, at + 1];
    else if (glob[at] === '?' || glob[at] === path[inPath]) {
      inPath += glob[at] === '?' && path.codePointAt(inPath)! > 0xffff ? 2 : 1;
      at += 1;
    } else if (star === -1) return false;
    // The last * takes one more. An earlier one would find nothing else.
    else [from, inPath, at] = [from + 1, from + 1, star + 1];
  return /^\**$/.test(glob.slice(at));
}
