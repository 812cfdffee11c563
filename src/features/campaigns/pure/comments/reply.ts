import type { Problem } from '../../../../model/failure.js';
import { shownLines } from '../../../../model/first-error.js';
import type { RunStatus, StepStatus } from '../../../../model/messages.js';
import { fenced, shown } from '../../../../model/shown.js';
import type { Hooks } from '../../schemas/hooks.js';
import type { Mistake } from './words.js';

/** What was planned for a comment. All texts may be anything. */
export interface Planned {
  readonly job: string;
  /** Workflow id of the run: `pipeline/NAME/pr-N-cID`. */
  readonly run: string;
  /** Login of who wrote the comment. */
  readonly by: string;
  /** Hash of the commit of the source. */
  readonly commit: string;
  readonly presets: readonly string[];
  /** Settings that differ from the file, each with its last source in words: `preset nightly, config.yaml:12`. */
  readonly settings: readonly { readonly path: string; readonly value: string; readonly from: string }[];
  /** Entries that are left out, with the reason. */
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  /** Number of steps. */
  readonly steps: number;
}

/** Why a comment starts nothing. */
export type Refusal = 'stranger' | 'fork' | 'pushed' | 'edited' | 'closed';

/** What a reply tells. `mark`: what the marker names, so that the reply is found again. */
export type ReplyState = { readonly mark: string } &
  /** `problems`: what planning found. */
  (
    | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[]; readonly problems?: readonly Problem[] }
    | { readonly kind: 'help'; readonly hooks: Hooks }
    | { readonly kind: 'refused'; readonly why: Refusal; readonly by: string }
    /** Answer of /plan. */
    | { readonly kind: 'plan'; readonly planned: Planned }
    /** `status` null: it has not started. */
    | { readonly kind: 'run'; readonly planned: Planned; readonly status: RunStatus | null }
    | { readonly kind: 'cancelled'; readonly runs: readonly string[]; readonly by: string }
  );

/** First line of a reply. A reply is ours if its author is us and it begins with this line: a quoted one does not. */
export const markerOf = (mark: string): string => `<!-- slipway ${encodeURI(mark.replace(/\p{Cs}/gu, '?'))} -->`;

/** The reply in Markdown. It begins with its marker, names nobody, links nothing, and has at most 65,536 characters: each list and each
 * text in it has a limit. */
export const renderReply = (state: ReplyState): string => [markerOf(state.mark), '', ...linesOf(state)].join('\n');

function linesOf(state: ReplyState): readonly string[] {
  switch (state.kind) {
    case 'mistakes':
      return mistakes(state.mistakes, state.problems ?? []);
    case 'help':
      return help(state.hooks);
    case 'refused':
      return [REFUSALS[state.why](code(state.by))];
    case 'plan':
      return [`**${prose(state.planned.job)}** would do this. Nothing has started.`, '', ...head(state.planned)];
    case 'run':
      return run(state.planned, state.status);
    case 'cancelled':
      return state.runs.length === 0
        ? ['No run of this pull request is open.']
        : [`${code(state.by)} cancels:`, ...list(state.runs, (one) => code(one))];
    default:
      return state satisfies never;
  }
}

const REFUSALS: Readonly<Record<Refusal, (by: string) => string>> = {
  stranger: (by) => `${by} may not start runs of this repository. Ask who may, or see \`allow\` in hooks.yaml.`,
  fork: () => 'This pull request is of another repository, and `forks` in hooks.yaml refuses these.',
  pushed: () => 'Commits were pushed after the comment. Nothing has started: comment again.',
  edited: () => 'An edited comment starts nothing. Write a new one.',
  closed: () => 'This pull request is closed. Nothing has started.',
};

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
/** The marker stands in a reply once, whatever texts hold. */
const line = (text: string, most: number): string =>
  cut(shown(text.slice(0, 2 * most)), most).replaceAll('<!--', '<! --');

/** Outside text in one line of code. GitHub looks for no user, issue or link in code. */
const code = (text: string, most = 200): string => `\`${line(text, most).replaceAll('`', "'").trim() || ' '}\``;

const MARKDOWN = /[\\`*_[\]<>~|!]/g;
const TOLD = /@|#(?=\d)|&(?=[#a-z])|:(?=\/\/)|\b(?:GH(?=-)|www(?=\.))/gi;
/** Outside text in a sentence. A joiner of no width keeps GitHub from telling users and issues that it names, and from links. */
const prose = (text: string, most = 300): string =>
  line(text, most).replace(MARKDOWN, '\\$&').replace(TOLD, '$&\u200d').trim();

const MOST = 20;
const list = <T>(all: readonly T[], told: (one: T) => string, most = MOST): readonly string[] => [
  ...all.slice(0, most).map((one) => `- ${told(one)}`),
  ...(all.length > most ? [`- and ${all.length - most} more`] : []),
];

function mistakes(found: readonly Mistake[], problems: readonly Problem[]): readonly string[] {
  const count = found.length + problems.length;
  return [
    `Nothing has started: ${count === 1 ? 'there is a mistake' : `there are ${count} mistakes`}.`,
    '',
    ...list(found, (one) => {
      const place = one.in === 'comment' ? `line ${one.line}` : `line ${one.line} of the description`;
      return `${place}, ${code(one.text)}: ${prose(one.message)} ${prose(one.next)}`;
    }),
    ...list(problems, ({ code: name, message, next, place }) => {
      const at =
        place === undefined ? '' : ` at ${code([place.file, place.line, place.column].filter(Boolean).join(':'))}`;
      return `${code(name)}${at}: ${prose(message)}. ${prose(next)}`;
    }),
  ];
}

const help = ({ jobs, allow, forks }: Hooks): readonly string[] => [
  'Each line of a comment may be one of these. One comment starts one run.',
  '',
  '- `/test JOB …` starts a job, `/plan JOB …` shows what it would do, `/cancel [JOB]` ends its run',
  '- `/var PATH: VALUE` sets a value, `/skip STEP…` and `/only STEP…` choose steps',
  '- `/project NAME`, `/cluster NAME`',
  '',
  'Jobs:',
  '',
  ...list(
    Object.entries(jobs),
    ([name, { args, presets }]) => {
      const fixed =
        presets.length === 0
          ? ''
          : `, with ${presets
              .slice(0, MOST)
              .map((one) => code(one))
              .join(' ')}`;
      return `${code(`/test ${name}${args === 'none' ? '' : ` ${args.toUpperCase()}`}`)}${fixed}`;
    },
    100,
  ),
  '',
  `They start for ${Array.isArray(allow) ? 'the people that hooks.yaml lists' : `those who have permission ${allow.permission}`}${forks === 'refuse' ? ', and not for pull requests of other repositories' : ''}.`,
];

function head({ by, commit, presets, settings, leftOut, steps }: Planned): readonly string[] {
  const words =
    presets
      .slice(0, MOST)
      .map((one) => code(one))
      .join(' ') || 'none';
  return [
    `- asked by ${code(by)}, of commit ${code(commit, 40)}, ${steps} steps`,
    `- presets: ${words}`,
    ...list(settings, ({ path, value, from }) => `${code(path)} is ${code(value)}, by ${code(from)}`),
    ...list(leftOut, ({ id, because }) => `${code(id)} is left out: ${prose(because)}`),
  ];
}

const FAILURES = 8;
const FAILED: readonly StepStatus['state'][] = ['failed', 'held'];

function run(planned: Planned, status: RunStatus | null): readonly string[] {
  const told = status === null ? 'is to start' : (status.verdict?.verdict ?? status.state);
  const failed = (status?.steps ?? []).filter(({ state, problems }) => FAILED.includes(state) && problems?.length);
  const shownOf = [
    ...failed.slice(0, FAILURES),
    ...(status?.problems.length ? [{ id: planned.run, problems: status.problems }] : []),
  ];
  const more = failed.length - FAILURES;
  return [
    `**${prose(planned.job)}**: ${told}`,
    '',
    ...head(planned),
    '',
    ...stages(status?.steps ?? []),
    '',
    ...shownOf.flatMap(({ id, problems }) => failure(id, problems![0]!)),
    ...(more > 0 ? [`And ${more} more steps.`, ''] : []),
    ...list(status?.verdict?.reasons ?? [], (one) => prose(one)),
    `- \`slipway status ${code(planned.run).slice(1)}`,
  ];
}

/** `- steps: 2 done, 1 running, 1 waiting`, in the order of the plan. */
function stages(steps: readonly StepStatus[]): readonly string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { stage, state } of steps) {
    const of = counts.get(stage ?? 'other') ?? new Map<string, number>();
    counts.set(stage ?? 'other', of.set(state, (of.get(state) ?? 0) + 1));
  }
  return list(
    [...counts],
    ([stage, of]) => `${prose(stage)}: ${[...of].map(([state, count]) => `${count} ${state}`).join(', ')}`,
    40,
  );
}

function failure(id: string, problem: Problem): readonly string[] {
  const lines = shownLines(problem, 10)
    .slice(0, 15)
    .map((one) => line(one, 200));
  return [
    `${code(id)}: ${code(problem.code)} ${prose(problem.message)}. ${prose(problem.next)}`,
    '',
    ...(lines.length === 0 ? [] : [fenced(lines.join('\n')), '']),
  ];
}
