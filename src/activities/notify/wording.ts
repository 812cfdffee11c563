import { clock } from '../../model/counted.js';
import type { NoticeEvent } from '../../model/listener.js';
import type { Notice, Notification } from '../../model/notice.js';
import type { Plan } from '../../model/plan.js';
import { onRun, withRun } from '../../model/run-next.js';
import { shownInChat } from '../../model/shown.js';
import type { Message } from './deliver.js';

/** Most reasons of a verdict in a message; the report has all. */
const MOST_REASONS = 5;

export interface RunMessage extends Message {
  readonly event: NoticeEvent;
  readonly profile: { readonly name: string; readonly rehearsal: boolean };
  readonly workflow: string;
  readonly run: string;
  readonly notices: readonly Notice[];
  /** Number of notices that are not listed. */
  readonly more: number;
  readonly verdict?: string;
  readonly reasons?: readonly string[];
}

export function messageOf(
  notification: Notification,
  plan: Pick<Plan, 'release' | 'profile' | 'pipeline'>,
): RunMessage {
  const { id, run, workflowId, more, verdict } = notification;
  // When a failure is read, the run may have ended, and a newer one may have its workflow id.
  const on = ({ event }: Notice): string => onRun({ state: event === 'failed' ? 'ended' : 'running', workflowId, run });
  const notices = notification.notices.map((one): Notice => ({
    ...one,
    next: withRun(one.next, on(one), 'step' in one ? one.step : undefined),
  }));
  const { name, version } = plan.release;
  const about = `${name} ${version}${plan.pipeline ? '' : plan.profile.rehearsal ? ' (rehearsal)' : ''}`;
  const lines = verdict
    ? [
        `${about}: ${verdict.verdict}`,
        ...verdict.reasons.slice(0, MOST_REASONS).map((reason) => `• ${shownInChat(reason)}`),
      ]
    : [`${about}: ${headline(notices, more)}`, ...notices.map(lineOf), ...(more > 0 ? [`• … and ${more} more`] : [])];
  return {
    text: [...lines, verdict ? `slipway status ${workflowId}` : ''].filter((line) => line !== '').join('\n'),
    id,
    event: verdict ? 'verdict' : (notices[0]?.event ?? 'held'),
    release: plan.release,
    profile: plan.profile,
    workflow: workflowId,
    run,
    notices,
    more,
    ...(verdict && { verdict: verdict.verdict, reasons: verdict.reasons }),
  };
}

function headline(notices: readonly Notice[], more: number): string {
  const outages = notices.filter(({ event }) => event === 'outage');
  const failed = notices.filter(({ event }) => event === 'failed');
  const count = notices.length - outages.length + more;
  if (failed.length > 0 && failed.length + outages.length === notices.length)
    return count === 1 ? 'a step failed' : `${count} steps failed`;
  if (failed.length > 0) return `${count} steps failed or wait for an action`;
  if (count > 1) return `${count} steps wait for an action`;
  if (count === 0) return outages.length === 1 ? 'news of a service' : `news of ${outages.length} services`;
  return notices.some(({ event }) => event === 'reminder')
    ? 'a step still waits for an action'
    : 'a step waits for an action';
}

function lineOf(notice: Notice): string {
  const { sinceMs } = notice;
  const [because, next] = [shownInChat(notice.because), shownInChat(notice.next)];
  if (notice.event === 'outage') {
    const { service, untilMs, steps } = notice;
    const waited = steps === 1 ? '1 step' : `${steps} steps`;
    if (untilMs !== undefined)
      return `• ${service} answers again since ${clock(untilMs)}; it did not since ${clock(sinceMs)}`;
    return `• ${service} does not answer since ${clock(sinceMs)}, and ${waited} wait: ${because}\n  ${next}`;
  }
  const { event, step, code, firstError } = notice;
  const what = code === undefined ? because : `${code}: ${because}`;
  return `• ${step}${event === 'reminder' ? `, since ${clock(sinceMs)}` : ''}: ${what}\n${firstError === undefined ? '' : `  first error: ${shownInChat(firstError)}\n`}  ${next}`;
}
