/** An instruction with its continued lines joined. */
export interface Instruction {
  readonly line: number;
  readonly name: string;
  readonly rest: string;
  /** Why Docker's versions may read it in different ways. */
  readonly unclear: string | null;
}

const BLANK = /^[ \t\v\f\r]*(?:#|$)/;
/** Docker trims and separates by some spaces outside ASCII in some places; here they always separate. */
const SPACE = /[\s\u0085]+/;

export const wordsOf = (text: string): readonly string[] => text.split(SPACE).filter((word) => word !== '');

export const linesOf = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));

/** Reads a Dockerfile as Docker's parsers do, and marks what they read in different ways.
 * @param heredocs false for engines before Docker 23, to which the lines of `RUN <<EOF` are instructions */
export function readDockerfile(text: string, heredocs: boolean): readonly Instruction[] {
  const lines = linesOf(text);
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length;) {
    const { end, joined, unclear } = joinFrom(lines, at);
    const first = at;
    at = end;
    if (joined.trim() === '') continue;
    const [, name, rest] = /^[ \t\v\f\r]*([^ \t\v\f\r]*)([^]*)$/.exec(joined)!;
    const documents = heredocs ? heredocsOf(name!, rest!) : { ends: [], unclear: null };
    for (const isEnd of documents.ends) {
      while (at < lines.length && !isEnd(lines[at]!)) at += 1;
      at += 1;
    }
    const open = at > lines.length ? 'a heredoc does not end' : null;
    found.push({
      line: first + 1,
      name: name!.toUpperCase(),
      rest: rest!,
      unclear: unclear ?? documents.unclear ?? open,
    });
  }
  return found;
}

export const INSTRUCTION =
  /^(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)$/;

/** Returns the ways of reading a Dockerfile: with heredocs, and as an engine without them does, unless that engine refuses an
 * unknown instruction. */
export function readings(text: string): readonly (readonly Instruction[])[] {
  const old = text.includes('<<') ? readDockerfile(text, false) : [];
  return [readDockerfile(text, true), old.every(({ name }) => INSTRUCTION.test(name)) ? old : []];
}

/** Joins lines to one instruction. Blank lines and comments between them count for nothing. */
function joinFrom(lines: readonly string[], from: number) {
  let joined = '';
  let unclear: string | null = null;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (BLANK.test(line)) {
      if (at === from) return { end: at + 1, joined, unclear };
      continue;
    }
    if (/\r/.test(line)) unclear = 'a line has a carriage return inside';
    if (/^[ \t\v\f\r]*[^\0-\x7f]/.test(line)) unclear = 'a line begins with a character that is not ASCII';
    if (/\\\\[ \t]*$/.test(line)) unclear = 'a line ends with two backslashes';
    const piece = line.replace(/\\[ \t]*$/, '');
    joined += piece;
    if (piece === line) return { end: at + 1, joined, unclear };
  }
  return { end: lines.length, joined, unclear };
}

const HEREDOC = /^\d*<<(-?)(["']?)([\w.]+)\2$/;

/** Finds where the heredocs of an instruction end. Quotes before one may hide it, so they are unclear. */
function heredocsOf(name: string, rest: string) {
  const words = /^onbuild$/i.test(name) ? wordsOf(rest) : [name, ...wordsOf(rest)];
  const ends: ((line: string) => boolean)[] = [];
  let unclear: string | null = null;
  let plain = /^(?:add|copy|run)$/i.test(words[0] ?? '');
  if (!plain) return { ends, unclear };
  for (const word of words) {
    const [, tabs, , end] = HEREDOC.exec(word) ?? [];
    if (end !== undefined && plain) ends.push((line) => (tabs ? line.replace(/^\t+/, '') : line) === end);
    else if (/^\d*<<-?[^<]/.test(word)) unclear = `${word} may begin a heredoc or be quoted`;
    else plain &&= !/["'\\\u0080-\uffff]|\$\{/.test(word);
  }
  return { ends, unclear };
}
