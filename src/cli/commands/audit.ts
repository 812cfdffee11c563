import type { CommandSpec } from '../command.js';
import { records } from '../../model/run-folder.js';
import type { Audited } from '../../model/actions.js';
import { meantRun } from '../find-run.js';
import type { Ports } from '../ports.js';
import { plain } from '../render/paint.js';

export const audit: CommandSpec<Ports> = {
  name: 'audit',
  summary: 'who sent which action to a run, when and why, and its answer',
  arguments: [{ name: '[run]', help: 'name, workflow id or first digits of a run id (default: the newest)' }],
  options: [{ flags: '--json', help: 'one JSON object per action' }],
  async run({ args, options }, io, ports) {
    const { run, workflowId } = await meantRun(ports, args['run']);
    const store = await ports.store();
    const names = await store.list(records.audit(run));
    const actions = (await Promise.all(names.map((name) => store.read<Audited>(name)))).filter(
      (action) => action !== null,
    );
    if (actions.length === 0 && options['json'] !== true) io.out(`Nobody has sent an action to ${workflowId}.`);
    for (const action of actions) io.out(options['json'] === true ? JSON.stringify(action) : line(action));
    return 0;
  },
};

function line({ at, sent, answer }: Audited): string {
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  const became = answer.ok ? answer.did : `refused, ${answer.problem.code}: ${answer.problem.message}`;
  if ('payload' in sent) return plain(`${time}  ${sent.action} ${sent.payload}  →  ${became}`);
  const from = 'from' in sent ? `--from ${sent.from}` : undefined;
  const about = 'gate' in sent ? sent.gate : 'step' in sent ? sent.step : from;
  const step = about === undefined ? '' : ` ${about}`;
  const reason = sent.reason === undefined ? '' : `  "${sent.reason}"`;
  return plain(`${time}  ${sent.by ?? 'somebody'}: ${sent.action}${step}${reason}  →  ${became}`);
}
