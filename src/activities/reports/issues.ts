import { counted } from '../../model/counted.js';
import { isLoopback } from '../../model/policy/place.js';
import { reportName, type Reporter } from '../../model/tests/reporter.js';
import type { Move, Standings } from '../../model/tests/standing.js';
import type { Made, Work } from '../work.js';
import { Desk, issueAbout } from './desk.js';
import { keepAction } from '../standings/chain.js';
import { chainOf, noteReported, unreported } from './nights.js';
import type { IssueTracker, ReportPorts } from './ports.js';

type IssueWork = Work<'reportTests'>;
type Github = Extract<Reporter, { kind: 'github' }>;

/** Carries out what the standings ask of the issue tracker, night by night. A second attempt repeats nothing. */
export async function reportIssues(work: IssueWork, to: Github, ports: ReportPorts): Promise<Made> {
  const chain = { pipeline: work.plan.release.name, profile: work.plan.profile.name, branch: to.branch };
  const name = reportName(work.step.id);
  const nights = await unreported(work.store, chain, name, work.run);
  if (nights.length === 0) return made(0, `this run moved no test of ${to.branch}`);
  const asked = nights
    .flatMap(({ moves }) => moves.flatMap(({ consequences }) => consequences))
    .filter(({ do: what }) => what !== 'bisect');
  if (work.plan.profile.rehearsal && !isLoopback(to.address))
    return made(0, `rehearsal: would report ${counted(asked.length, 'change')} to ${to.repository}`);
  const token = await work.secret(to.token);
  const { signal, waits } = work;
  const tracker = ports.trackers.open({ ...to, name, token, signal, waits: (because) => waits.call(work, because) });
  let done = 0;
  for (const standings of nights) {
    const desk = new Desk(work, tracker, standings, { blocker: to.blocker, by: name, lookWaitsMs: ports.lookWaitsMs });
    for (const move of standings.moves) done += await carryOut(desk, move);
    await noteReported(work.store, standings, name, work.run);
  }
  const closed = await noteClosed(work, tracker, nights.at(-1)!, name);
  const more = closed === 0 ? '' : `; ${counted(closed, 'issue')} of jailed tests closed by people`;
  return made(done, `${counted(done, 'change')} in ${to.repository}${more}`);
}

const made = (reported: number, note: string): Made => ({ artifacts: [], facts: { reported, existed: 0 }, note });

async function carryOut(desk: Desk, move: Move): Promise<number> {
  let done = 0;
  for (const one of move.consequences) {
    if (one.do === 'bisect') continue;
    if (one.do === 'openIssue') await desk.open(move, one);
    else if (one.do === 'comment') await desk.comment(move, one);
    else await desk.close(move, one);
    done += 1;
  }
  return done;
}

/** A person who closes the issue of a jailed test ends its jail: the next fold is told. Returns the number of such issues. */
async function noteClosed(work: IssueWork, tracker: IssueTracker, standings: Standings, by: string): Promise<number> {
  let closed = 0;
  for (const [test, { jail, issue }] of Object.entries(standings.tests)) {
    if (jail === null || issue === null || !issue.open) continue;
    if ((await issueAbout(tracker, standings, test, issue.number))?.open !== false) continue;
    const known = await work.recall(`closed-${issue.number}`);
    if (known === null)
      await keepAction(work.store, chainOf(standings), {
        ...{ slipway: 1, test, by, at: new Date().toISOString() },
        ...{ action: 'issue', issue: { number: issue.number, open: false } },
      });
    await work.remember(`closed-${issue.number}`, true);
    closed += 1;
  }
  return closed;
}
