import { join } from 'node:path';
import type { Problem } from '../model/failure.js';
import { quoted } from '../model/quoted.js';
import type { Input } from './command.js';

export interface Typed {
  /** Data of a `CommandSpec`. */
  readonly spec: { readonly name: string; readonly arguments?: readonly { readonly name: string }[] };
  readonly input: Input;
}

/** Release file of a command that names none. */
const DEFAULT_FILE = 'slipway.yaml';

/** Names the typed command in the next line of RELEASE_FILE_ABSENT, with FILE for the absent path. Code that reads files does not know the command. */
export function withTypedCommand(problem: Problem, { spec, input }: Typed): Problem {
  const absent = problem.details?.['file'];
  if (problem.code !== 'RELEASE_FILE_ABSENT' || typeof absent !== 'string') return problem;
  const given = wordsOf(spec, input);
  const at = given.findIndex((word) => word === absent || join(word, DEFAULT_FILE) === absent);
  if (at === -1 && absent !== DEFAULT_FILE) return problem;
  const words = at === -1 ? [...given.map(shell), 'FILE'] : given.map((word, i) => (i === at ? 'FILE' : shell(word)));
  const line = ['slipway', spec.name, ...words].join(' ');
  return {
    ...problem,
    next: `Name a release file or its folder: \`${line}\`. \`slipway init\` writes one in the checkout of a project.`,
  };
}

/** The arguments of a command line, without options. */
const wordsOf = ({ arguments: known = [] }: Typed['spec'], { args, rest = [] }: Input): readonly string[] => [
  ...known.flatMap(({ name }) => (name.includes('...') ? [] : (args[name.replace(/[^\w-]/g, '')] ?? []))),
  ...rest,
];

const shell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
