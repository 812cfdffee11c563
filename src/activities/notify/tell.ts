import { join } from 'node:path';
import { namedFiles } from '../../model/named-files.js';
import { fail } from '../../model/failure.js';
import { CONTROL } from '../../model/ids.js';
import type { Notification } from '../../model/notice.js';
import type { Plan } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import { problemsOf } from '../step/failures.js';
import type { StepContext } from '../step/ports.js';
import { hideSecrets } from '../step/secrets.js';
import { createMeans } from '../step/work.js';
import { OWN_PATHS, type Confine, createConfine, Reached } from '../step/confine.js';
import { makeWorkspace, unpackFiles, type Workspace } from '../step/workspace.js';
import { deliver } from './deliver.js';
import { listenerUnknown } from './errors.js';
import type { Webhook } from './ports.js';
import { messageOf } from './wording.js';

/** A recipient that takes longer for a short message counts as down. */
const LIMIT_MS = 60_000;

interface Moment {
  /** Attempt number of the Temporal activity. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** A listener's command runs under the same confinement as a target's commands. */
const confineOf = (name: string, plan: Plan, around: StepContext, workspace: Workspace): Confine =>
  createConfine({
    step: { id: `notify/${name}`, kind: 'announceRelease', params: {} },
    workspace,
    cache: join(around.home, 'cache'),
    paths: OWN_PATHS,
    noSandbox: around.programs.noSandbox,
    accepted: plan.isolation === 'none',
    worker: around.worker,
    reached: new Reached(),
  });

/** Sends one message to one listener, in a workspace and with a log of its own. Throws only SlipwayFailure, without
 * secrets. */
export async function tell(
  notification: Notification,
  plan: Plan,
  around: StepContext,
  webhook: Webhook,
  moment: Moment,
): Promise<void> {
  const listener = plan.notify?.listeners.find(({ name }) => name === notification.to);
  if (!listener) throw fail(listenerUnknown(notification.to));
  const what = notification.id.slice(notification.id.indexOf('/') + 1);
  const log = around.openLog(records.log(notification.run, `notify/${listener.name}/${what}`, moment.attempt));
  try {
    await hideSecrets(around, plan, log);
    const workspace = await makeWorkspace(
      around.home,
      notification.run,
      `notify-${listener.name}-${what}-${moment.attempt}`,
    );
    try {
      await unpackFiles(around.store, namedFiles(plan.bundle, listener.files), workspace.files);
      const signal = AbortSignal.any([moment.signal, AbortSignal.timeout(LIMIT_MS)]);
      const confine = confineOf(listener.name, plan, around, workspace);
      const own = { around, workspace, log, signal, confine };
      const means = createMeans({ ...own, on: CONTROL, limitMs: LIMIT_MS, epoch: null });
      await deliver(listener.outlet, `notify.${listener.name}`, messageOf(notification, plan), { ...means, webhook });
    } finally {
      await workspace.remove().catch(() => undefined);
    }
  } catch (error) {
    throw fail(problemsOf(error, log, around.home), error);
  } finally {
    await log.close().catch(() => undefined);
  }
}
