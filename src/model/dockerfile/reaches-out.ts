import { jsonIn } from '../json.js';
import { INSTRUCTION, linesOf, readings, wordsOf, type Instruction } from './read.js';
import { flagsOf, Stages, type Known } from './stages.js';

/** A line by which the engine itself asks the network, whatever its RUN lines may do. */
export interface Reach {
  readonly line: number;
  readonly what: string;
  readonly instead: string;
}

const FROM_BASE = 'Begin from `base:` by ARG BASE and FROM ${BASE}, or from another stage';
const PLAINLY = 'Write the line so that it is plain what it takes';

/** Finds the lines that make the engine fetch an address or an image. Lines that cannot be understood for certain are
 * among them. */
export function reachesOut(text: string, known: Known): readonly Reach[] {
  const { BUILDKIT_SYNTAX: syntax } = known.args;
  const reaches = [
    ...(syntax === undefined ? [] : [reader(1, `the argument BUILDKIT_SYNTAX=${syntax}`)]),
    ...directives(text),
    ...readings(text).flatMap((instructions) => judged(instructions, known)),
  ];
  return [...new Map(reaches.map((reach) => [`${reach.line} ${reach.what}`, reach])).values()];
}

function directives(text: string): readonly Reach[] {
  const reaches: Reach[] = [];
  for (const [at, line] of linesOf(text).entries()) {
    const [, name, value] = /^[ \t\v\f\r]*(?:#|\/\/)[ \t\v\f\r]*([A-Za-z]\w*)[ \t\v\f\r]*=([^]*)$/.exec(line) ?? [];
    if (name === undefined && !(at === 0 && line.startsWith('#!'))) break;
    if (/^syntax$/i.test(name ?? '')) reaches.push(reader(at + 1, `# syntax=${value!.trim()}`));
    if (/^escape$/i.test(name ?? '') && value!.trim() !== '\\')
      reaches.push(unclear(at + 1, `escape=${value!.trim()}`));
  }
  return reaches;
}

function judged(instructions: readonly Instruction[], known: Known): readonly Reach[] {
  const stages = new Stages(known);
  return instructions.flatMap((one) => [
    ...(one.unclear === null ? [] : [unclear(one.line, one.unclear)]),
    ...reachesOf(one, stages),
  ]);
}

function reachesOf({ line, name, rest }: Instruction, stages: Stages): readonly Reach[] {
  const words = wordsOf(rest);
  switch (name) {
    case 'ARG':
      stages.declare(rest);
      return [];
    case 'FROM': {
      const image = stages.begin(rest);
      return image === null ? [] : [fetches(line, `FROM ${image}`)];
    }
    case 'ADD':
      return sourcesOf(rest)
        .filter((source) => !isLocal(source))
        .map((source) => ({
          line,
          what: `ADD ${source} fetches an address, or may`,
          instead: 'Keep the file in the build context',
        }));
    case 'COPY':
      return words.filter((word) => word.startsWith('--')).flatMap((flag) => copied(line, flag, stages));
    case 'RUN':
      return flagsOf(words).flatMap((flag) => mounted(line, flag, stages));
    case 'ONBUILD':
      if (/^onbuild$/i.test(words[0] ?? '')) return [unclear(line, 'ONBUILD ONBUILD')];
      return reachesOf(
        { line, name: (words[0] ?? '').toUpperCase(), rest: rest.trim().slice(words[0]?.length ?? 0), unclear: null },
        stages,
      );
    default:
      return INSTRUCTION.test(name) ? [] : [unclear(line, `${name} is no instruction`)];
  }
}

const fetches = (line: number, what: string): Reach => ({
  ...{ line, what: `${what} takes an image from a registry`, instead: FROM_BASE },
});
const reader = (line: number, what: string): Reach => ({
  ...fetches(line, what),
  instead: 'Remove it: the engine reads Dockerfiles itself',
});
const unclear = (line: number, why: string): Reach => ({
  line,
  what: `it is unclear what is read: ${why}`,
  instead: PLAINLY,
});

function copied(line: number, flag: string, stages: Stages): readonly Reach[] {
  const [, name, value] = /^([^=]*)=?([^]*)$/.exec(flag)!;
  if (/["'\\]/.test(name!)) return [unclear(line, flag)];
  return name!.toLowerCase() !== '--from' || stages.has(value!) ? [] : [fetches(line, `COPY ${flag}`)];
}

function mounted(line: number, flag: string, stages: Stages): readonly Reach[] {
  if (/["'\\]/.test(flag)) return [unclear(line, flag)];
  const images = [...flag.matchAll(/[=,]from=([^,]*)/gi)].map((match) => match[1]!);
  return images.filter((image) => !stages.has(image)).map((image) => fetches(line, `RUN --mount with from=${image}`));
}

/** All words but the last, in either form. */
function sourcesOf(rest: string): readonly string[] {
  const words = wordsOf(rest);
  const json = jsonWords(rest.replace(/^(?:\s*--\S+)*/, ''));
  const paths = json ?? words.slice(flagsOf(words).length);
  return paths.slice(0, -1).filter((word) => !/^\d*<<-?(["']?)[\w.]+\1$/.test(word));
}

function jsonWords(text: string): readonly string[] | null {
  const words = jsonIn(text);
  return Array.isArray(words) ? words.map(String) : null;
}

/** True if it can only be a path of the context: its first folder is plain, or all of it. */
const isLocal = (source: string): boolean =>
  !/^github\.com\//i.test(source) && (/^[\w.*?+~%,=-]*\//.test(source) || /^[^$:@"'\\]*$/.test(source));
