import { waitingSentences } from '../engine/outages/unserved-queues.js';
import { outageSentences } from '../engine/outages/sentences.js';
import { KINDS } from '../model/kinds.js';
import { shownLines } from '../model/first-error.js';
import type { RunStatus, StepState, StepStatus } from '../model/messages.js';
import { isOpenOutage } from '../model/outage.js';
import { fenced, shown, shownInline } from '../model/shown.js';
import { STAGE_IDS } from '../model/stages.js';

const FAILED_TOLD = 10;
const RUNNING_TOLD = 10;
const LINES_TOLD = 15;
const STATES: readonly StepState[] = [
  'done',
  'cached',
  'running',
  'waiting',
  'backing off',
  'held',
  'at gate',
  'failed',
  'skipped',
  'cancelled',
];

/** Returns the run for the Temporal UI, as Markdown: stages, running steps, then the first error and last lines of each failed step. */
export function details(status: RunStatus): string {
  const { name, version, state, verdict, plan, engine, problems, steps } = status;
  const failed = steps.filter((step) => step.state === 'failed' || step.state === 'held');
  const reasons = (verdict?.reasons ?? []).filter((reason) => !isTold(reason, status));
  return [
    `**${`${name} ${version}`.trim()}**: ${verdict?.verdict ?? state}${plan ? `, plan \`${plan.slice(7, 19)}\`` : ''}${engine === undefined ? '' : `, rules ${engine}`}`,
    ...reasons.slice(0, FAILED_TOLD).map((reason) => `- ${shownInline(reason)}`),
    ...problems.map(
      (problem) => `- \`${problem.code}\` ${shownInline(problem.message)}\n  ${shownInline(problem.next)}`,
    ),
    ...(status.paused === undefined ? [] : [`- **paused**: ${shownInline(status.paused)}`]),
    ...held(steps),
    ...shut(steps),
    ...(status.refused ?? []).map(
      ({ code, message, next }) => `- refused: \`${code}\` ${shownInline(`${message}. ${next}`)}`,
    ),
    ...(status.failedNotifications ?? []).map(
      ({ code, message, next }) => `- not told: \`${code}\` ${shownInline(`${message}. ${next}`)}`,
    ),
    ...(status.waiting ?? []).map((queue) => `- **waiting**: ${shownInline(waitingSentences(queue).join('; '))}`),
    ...away(status),
    steps.length > 0 ? `\n${fenced(table(steps))}` : '',
    ...running(steps),
    ...failed.slice(0, FAILED_TOLD).map(failure),
    failed.length > FAILED_TOLD ? `\n… and ${failed.length - FAILED_TOLD} more failed steps` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Lists services that do not answer, without durations: the clock of a workflow stops at its last event. */
const away = ({ outages = [], verdict }: RunStatus): readonly string[] =>
  verdict
    ? []
    : outages
        .filter(isOpenOutage)
        .map((outage) => `- **waits**: ${shownInline(outageSentences(outage, null).join('; '))}`);

/** Leaves out reasons that repeat the sentence of a problem. */
const isTold = (reason: string, { problems, steps }: RunStatus): boolean =>
  [...problems, ...steps.flatMap((step) => step.problems ?? [])].some(({ message }) => reason.endsWith(message));

/** Counts steps by stage and state, in one pass. There may be thousands. */
function table(steps: readonly StepStatus[]): string {
  const counts = new Map<string, number>();
  const add = (key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { stage, state } of steps) [`${stage}`, `${stage}/${state}`].forEach(add);
  return STAGE_IDS.filter((stage) => counts.has(stage))
    .map((stage) => {
      const told = STATES.filter((state) => counts.has(`${stage}/${state}`));
      return `${stage.padEnd(8)} ${told.map((state) => `${counts.get(`${stage}/${state}`)} ${state === 'cached' ? 'reused' : state}`).join(', ')}`;
    })
    .join('\n');
}

/** Lists the next steps, as signals that the UI can send. */
function held(steps: readonly StepStatus[]): readonly string[] {
  const first = steps.find(({ state }) => state === 'held');
  if (first === undefined) return [];
  return [
    `- **held**: waits for an action. Send the signal \`retry\` with \`{"step": "${first.id}"}\`, or \`skip\` with \`{"step": "${first.id}", "reason": "…"}\`; or \`slipway retry ${first.id}\``,
  ];
}

/** Lists waiting gates: for whom, for which manifest, and which command to send. */
const shut = (steps: readonly StepStatus[]): readonly string[] =>
  steps.flatMap(({ id, gate, because }) =>
    gate === undefined
      ? []
      : [
          `- **at gate**: \`${id}\` stands before manifest \`${gate.manifest}\`: ${shownInline(because ?? '')}. ${gate.approvers.length > 0 ? `May approve: ${shownInline(gate.approvers.join('; '))}. ` : ''}${gate.next}${gate.signed === 'optional' ? `; or the signal \`approve\` with \`{"gate": "${gate.name}", "manifest": "${gate.manifest}", "by": "…"}\`` : ''}`,
        ],
  );

function running(steps: readonly StepStatus[]): readonly string[] {
  const all = steps.filter(({ state }) => state === 'running');
  const rest = all.length - RUNNING_TOLD;
  return [
    ...(all.length > 0 ? ['\nNow:'] : []),
    ...all.slice(0, RUNNING_TOLD).map(({ id, kind }) => `- \`${id}\` ${kind ? KINDS[kind].doing : ''}`),
    ...(rest > 0 ? [`- … and ${rest} more`] : []),
  ];
}

function failure({ id, problems }: StepStatus): string {
  const first = problems?.[0];
  const lines = shownLines(first ?? {}, LINES_TOLD);
  const message = first?.message.startsWith(`${id} `) ? first.message.slice(id.length + 1) : first?.message;
  const told = first
    ? `\`${first.code}\` ${shownInline(message ?? '')}\n${shownInline(first.next)}`
    : 'no reason known';
  return `\n**${id}** ${told}${lines.length > 0 ? `\n${fenced(lines.map(shown).join('\n'))}` : ''}`;
}
