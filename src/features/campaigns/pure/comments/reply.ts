import { type Problem, sentence } from '../../../../model/failure.js';
import { shownLines } from '../../../../model/first-error.js';
import { grouped } from '../../../../model/grouped.js';
import type { RunStatus, StepStatus } from '../../../../model/messages.js';
import { fenced } from '../../../../model/shown.js';
import type { Hooks } from '../../schemas/hooks.js';
import { placeText } from '../config/why.js';
import { code, line, list, prose } from './quiet.js';
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
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  readonly steps: number;
  /** Commit of the base of the pull request that decides what counts as changed. Absent: no entry asks what changed. */
  readonly base?: string;
  /** The clone lacks the base, so that everything counts as changed. */
  readonly lacksBase?: boolean;
}

const REFUSALS = {
  stranger: 'may not start runs of this repository. Its owners can allow it in hooks.yaml.',
  fork: 'asked in a pull request of another repository. hooks.yaml has `forks: refuse`.',
  pushed: 'asked before commits were pushed. Nothing has started: comment again.',
  edited: 'edited a comment. That starts nothing: write a new one.',
  closed: 'asked in a closed pull request. Nothing has started.',
};
/** Why a comment starts nothing. */
export type Refusal = keyof typeof REFUSALS;

/** Content of a reply. */
export type ReplyContent =
  /** `problems`: what planning found. `codes`: those of problems that only the operator of this machine can solve. */
  | {
      readonly kind: 'mistakes';
      readonly mistakes: readonly Mistake[];
      readonly problems?: readonly Problem[];
      readonly codes?: readonly string[];
    }
  | { readonly kind: 'help'; readonly hooks: Hooks }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly by: string }
  /** Runs that are asked to end. */
  | { readonly kind: 'cancelled'; readonly runs: readonly string[]; readonly by: string }
  | { readonly kind: 'plan'; readonly planned: Planned }
  /** `status` null: it has not started. `isLost`: nobody edits the reply any more. */
  | { readonly kind: 'run'; readonly planned: Planned; readonly status: RunStatus | null; readonly isLost?: boolean };
/** `mark`: what the marker names, so that the reply is found again. */
export type ReplyState = ReplyContent & { readonly mark: string };

/** First line of a reply. A reply is ours if we wrote it and it begins with this line: a quoted one does not. */
export const markerOf = (mark: string): string =>
  `<!-- slipway ${encodeURI(mark.slice(0, 500).replace(/\p{Cs}/gu, '?'))} -->`;

/** A reply in Markdown, of at most 65,536 characters. It begins with its marker, names nobody and links nothing. */
export const renderReply = (state: ReplyState): string =>
  [markerOf(state.mark), '', ...LINES[state.kind](state as never)].join('\n');

const LINES: { readonly [K in ReplyContent['kind']]: (said: Extract<ReplyContent, { kind: K }>) => readonly string[] } =
  {
    mistakes: ({ mistakes, problems = [], codes = [] }) => [
      'Nothing has started.',
      '',
      ...list(mistakes, mistake),
      ...list(problems, problem),
      ...list(codes, (one) => `the operator must look: ${code(one)}. Then write a new comment.`),
    ],
    help: ({ hooks }) => help(hooks),
    refused: ({ by, why }) => [`${code(by)} ${REFUSALS[why]}`],
    cancelled: ({ by, runs }) => [
      `${code(by)} ends ${runs.length || 'no'} open runs.`,
      '',
      ...list(runs, (one) => code(one)),
    ],
    plan: ({ planned }) => [`**${prose(planned.job)}**: what it would do. Nothing has started.`, '', ...head(planned)],
    run,
  };

const mistake = (one: Mistake): string =>
  `${one.in === 'body' ? 'description, ' : ''}line ${one.line}: ${code(one.text)} ${prose(one.message)} ${prose(one.next)}`;

const problem = ({ code: name, message, next, place }: Problem): string =>
  `${code(name)} ${place ? `${code(placeText(place))} ` : ''}${sentence(prose(message))} ${prose(next)}`;

const help = ({ jobs, allow }: Hooks): readonly string[] => [
  'One comment starts one run. A line of it may be:',
  '',
  '- `/test JOB …`: starts a job. `/plan JOB …` shows what that would do. `/cancel [JOB]` ends it',
  '- `/var PATH: VALUE`: a setting. `/project NAME`, `/cluster NAME`: those that the job names',
  '- `/skip STEP…`, `/only STEP…`: steps of the release file',
  '',
  `Jobs, for ${Array.isArray(allow) ? 'those whom hooks.yaml lists' : `those with permission ${allow.permission}`}:`,
  '',
  ...list(Object.entries(jobs), ([name, { args, presets }]) =>
    [`/test ${name} ${args === 'none' ? '' : args.toUpperCase()}`, ...presets.slice(0, 5)]
      .map((one) => code(one))
      .join(' with '),
  ),
];

const head = ({ by, commit, presets, settings, leftOut, steps, base, lacksBase }: Planned): readonly string[] => [
  `- ${steps} steps at commit ${code(commit)}, for ${code(by)}`,
  ...list(base === undefined ? [] : [base], (one) =>
    lacksBase
      ? `everything counts as changed: the clone lacks a merge base with ${code(one)}`
      : `changes count since ${code(one)}, the base of this pull request when the comment was read`,
  ),
  ...list(presets, (one) => `preset ${code(one)}`),
  ...list(settings, ({ path, value, from }) => `${code(path)} is ${code(value)}: ${code(from)}`),
  ...list(leftOut, ({ id, because }) => `${code(id)} is left out: ${prose(because)}`),
];

/** Characters of a reply of a run, of 65,536 that GitHub takes. */
const ROOM = 60_000;
const MOST_FAILURES = 50;

const LOST = 'the run is not followed any more, and may not have started. The operator must look.';

function run({ planned, status, isLost }: Extract<ReplyContent, { kind: 'run' }>): readonly string[] {
  const steps = status?.steps ?? [];
  const summary = [
    `**${prose(planned.job)}**: ${isLost ? LOST : prose(status?.verdict?.verdict ?? status?.state ?? 'to start')}`,
    '',
    ...head(planned),
    ...list(stages(steps), (one) => `stage ${prose(one)}`),
    ...list(status?.verdict?.reasons ?? [], (one) => `verdict: ${prose(one)}`),
    `- type ${code(`slipway status ${planned.run}`)}`,
    '',
  ];
  const failed = [
    ...(status?.problems.slice(0, 1).map((one) => ({ id: planned.run, problems: [one] })) ?? []),
    ...steps.filter(({ state }) => state === 'failed' || state === 'held'),
  ];
  let room = ROOM - summary.join('\n').length;
  const told = failed.slice(0, MOST_FAILURES).map(({ id, problems }) => failure(id, problems?.[0]));
  const fits = told.filter((one) => (room -= one.length + 1) > 0);
  const more = failed.length - fits.length;
  return [...summary, ...fits, ...(more > 0 ? [`${more} more failed.`] : [])];
}

/** `steps: 2 done, 1 running`, in the order of the plan. */
const stages = (steps: readonly StepStatus[]): readonly string[] =>
  [...grouped(steps, ({ stage }) => stage ?? 'other')].map(([stage, of]) => {
    const counts = [...grouped(of, ({ state }) => state)].map(([state, some]) => `${some.length} ${state}`);
    return `${stage}: ${counts.join(', ')}`;
  });

function failure(id: string, first: Problem | undefined): string {
  if (first === undefined) return `${code(id)} failed.\n`;
  const lines = shownLines(first, 10).slice(-15);
  const told = `${code(id)} failed. ${problem(first)}\n`;
  return lines.length === 0 ? told : `${told}\n${fenced(lines.map((one) => line(one, 200)).join('\n'))}\n`;
}
