import type { StandingsNews } from '../engine/standings/news.js';
import type { Finding } from '../model/finding.js';
import { GOOD_VERDICTS, type RunStatus } from '../model/messages.js';
import type { Report } from '../model/report.js';
import { records } from '../model/run-folder.js';
import type { ExitCode, Io } from './command.js';
import { shownFile } from './with-locations.js';
import { nextFacts } from './next-facts.js';
import type { Ports } from './ports.js';
import { longestPath } from './render/longest.js';
import { colours } from './render/paint.js';
import { endingLines, type RunEnding } from './screens/ending.js';
import { noticesOf } from './screens/notices.js';
import { storedPlan } from './stored-plan.js';
import { attemptsOf } from './tests/test-attempts.js';

/** Keeps the last status of a run that ended, prints its last screen (`json`: one object), and answers the exit code. */
export async function tellEnding(status: RunStatus, ports: Ports, io: Io, json: boolean): Promise<ExitCode> {
  const store = await ports.store();
  if (status.state === 'ended') await store.create(records.status(status.run), status);
  const ending = await endingOf(status, ports);
  if (json) io.out(JSON.stringify(ending));
  else {
    const { report } = ending;
    const more = Object.values(ports.screens).flatMap((one) => (report && one.ending?.(report)) ?? []);
    io.out(endingLines(ending, colours(io.terminal.colour), more).join('\n'));
  }
  return exitCode(status);
}

/** All that is known of a run, gathered from store and services. */
async function endingOf(status: RunStatus, ports: Ports): Promise<RunEnding> {
  const store = await ports.store();
  const report = await store.read<Report>(records.report(status.run));
  const plan = await storedPlan(status.plan, ports);
  const ui = (await ports.services()).ui();
  const file = await shownFile(status.run, ports);
  const standings = await store.read<StandingsNews>(records.standingsNews(status.run));
  const attempts = await attemptsOf(status, store);
  const notices = plan === null ? [] : noticesOf(plan);
  const findingsAfter = (await store.read<readonly Finding[]>(records.findingsAfter(status.run))) ?? [];
  const path = plan && longestPath(plan, status);
  const hasWheelList = plan?.imports?.of.some(({ from }) => from === 'wheel-list') === true;
  const hasUncached = plan?.steps.some(({ cache }) => cache === 'always') === true;
  const page = ui && pageOf(ui, status);
  const next = await nextFacts(status, ports);
  const told = { report, standings, notices, findingsAfter, attempts, path, page, file, next };
  return { status, ...told, hasWheelList, hasUncached };
}

/** Page of one run in the Temporal UI. */
export const pageOf = (ui: string, { workflowId, run }: { workflowId: string; run: string }): string =>
  `${ui.replace(/\/$/, '')}/namespaces/default/workflows/${encodeURIComponent(workflowId)}/${run}`;

export const exitCode = ({ verdict }: RunStatus): ExitCode =>
  GOOD_VERDICTS.includes(verdict?.verdict) ? 0 : verdict?.verdict === 'cancelled' ? 3 : 1;
