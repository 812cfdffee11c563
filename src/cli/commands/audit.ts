import type { CommandSpec } from '../command.js';
import { records } from '../../model/run-folder.js';
import type { Audited } from '../../model/actions.js';
import type { RunId, StepId } from '../../model/ids.js';
import { type LostWorker, lostSentence } from '../../model/lost-worker.js';
import { clock } from '../../model/counted.js';
import { meantRun, statusOf } from '../find-run.js';
import type { Ports } from '../ports.js';
import { plain } from '../render/paint.js';

export const audit: CommandSpec<Ports> = {
  name: 'audit',
  summary: 'who sent which action to a run, when and why, and its answer; which workers it lost',
  arguments: [{ name: '[run]', help: 'name, workflow id or first digits of a run id (default: the newest)' }],
  options: [{ flags: '--json', help: 'one JSON object per action' }],
  async run({ args, options }, io, ports) {
    const { run, workflowId } = await meantRun(ports, args['run']);
    const store = await ports.store();
    const names = await store.list(records.audit(run));
    const actions = (await Promise.all(names.map((name) => store.read<Audited>(name)))).filter(
      (action) => action !== null,
    );
    const json = options['json'] === true;
    if (actions.length === 0 && !json) io.out(`Nobody has sent an action to ${workflowId}.`);
    const all = [...actions, ...(await lostIn(ports, run))].toSorted((a, b) => a.at - b.at);
    for (const one of all) io.out(json ? JSON.stringify(one) : line(one));
    return 0;
  },
};

interface Lost extends LostWorker {
  readonly at: number;
  readonly step: StepId;
}

/** Workers that a run lost, as its status tells. None if neither a server nor a record tells the status. */
async function lostIn(ports: Ports, run: RunId): Promise<readonly Lost[]> {
  const status = await statusOf(ports, run).catch(() => null);
  return (status?.steps ?? []).flatMap(({ id, lost = [] }) => lost.map((one) => ({ ...one, at: one.atMs, step: id })));
}

function line(one: Audited | Lost): string {
  const time = clock(one.at);
  if ('step' in one) return plain(`${time}  ${one.step}: ${lostSentence(one)}; another worker began it again`);
  const { sent, answer } = one;
  const became = answer.ok ? answer.did : `refused, ${answer.problem.code}: ${answer.problem.message}`;
  if ('payload' in sent) return plain(`${time}  ${sent.action} ${sent.payload}  →  ${became}`);
  const from = 'from' in sent ? `--from ${sent.from}` : undefined;
  const about = 'gate' in sent ? sent.gate : 'step' in sent ? sent.step : from;
  const step = about === undefined ? '' : ` ${about}`;
  const reason = sent.reason === undefined ? '' : `  "${sent.reason}"`;
  return plain(`${time}  ${sent.by ?? 'somebody'}: ${sent.action}${step}${reason}  →  ${became}`);
}
