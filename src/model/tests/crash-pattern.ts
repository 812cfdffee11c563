import { OUTCOME_LIMITS } from './outcome.js';

const TRACEBACK = 'Traceback (most recent call last)';

/** Returns a text that is the same for the same crash: the last stack trace without digits, folders and indentation. Empty without
 * a stack trace. Same rules as `crash_pattern` of Ray's `release_test_result`: a trace below a line with ERROR is preferred. */
export function crashPattern(lines: readonly string[]): string {
  const traces = tracesIn(lines);
  const last = traces.findLast(({ isError }) => isError) ?? traces.at(-1);
  if (last === undefined) return '';
  return last.lines.flatMap(signature).join('').slice(0, OUTCOME_LIMITS.patternCharacters);
}

interface Trace {
  readonly isError: boolean;
  readonly lines: readonly string[];
}

/** A trace is a line with ERROR or a traceback's head, the indented lines below it, and one line more. */
function tracesIn(lines: readonly string[]): readonly Trace[] {
  const traces: Trace[] = [];
  for (let from = 0; from < lines.length;) {
    const isError = lines[from]!.includes('ERROR');
    if (!isError && !lines[from]!.includes(TRACEBACK)) {
      from += 1;
      continue;
    }
    let to = from + 1;
    if (isError && lines[to]?.includes(TRACEBACK)) to += 1;
    while (/^[ \t]/.test(lines[to] ?? '')) to += 1;
    traces.push({ isError, lines: lines.slice(from, to + 1) });
    from = to + 1;
  }
  return traces;
}

function signature(line: string): readonly string[] {
  const text = line.trim().replace(/\p{Nd}/gu, '');
  if (text === `${TRACEBACK}:`) return [];
  const [, path, rest] = /File "(.*)", (.*)/.exec(text) ?? [];
  return [path === undefined ? text : `${path.slice(path.lastIndexOf('/') + 1)}${rest}`];
}
