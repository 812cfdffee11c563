import type { CommandSpec } from '../command.js';
import { records } from '../../model/run-folder.js';
import type { Audited } from '../../model/words.js';
import { meantRun } from '../find-run.js';
import type { Ports } from '../ports.js';
import { plain } from '../render/paint.js';

export const audit: CommandSpec<Ports> = {
  name: 'audit',
  summary: 'who said what to a run, when and why, and what became of it',
  arguments: [{ name: '[run]', help: 'workflow id or first digits of a run id (default: the newest)' }],
  options: [{ flags: '--json', help: 'one JSON object per word' }],
  async run({ args, options }, io, ports) {
    const { run, workflowId } = await meantRun(ports, args['run']);
    const store = await ports.store();
    const names = await store.list(records.audit(run));
    const words = (await Promise.all(names.map((name) => store.read<Audited>(name)))).filter((word) => word !== null);
    if (words.length === 0 && options['json'] !== true) io.out(`Nobody has said a word to ${workflowId}.`);
    for (const word of words) io.out(options['json'] === true ? JSON.stringify(word) : line(word));
    return 0;
  },
};

function line({ at, said, answer }: Audited): string {
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  const became = answer.ok ? answer.did : `refused, ${answer.problem.code}: ${answer.problem.message}`;
  if ('payload' in said) return plain(`${time}  ${said.word} ${said.payload}  →  ${became}`);
  const from = 'from' in said ? `--from ${said.from}` : undefined;
  const about = 'gate' in said ? said.gate : 'step' in said ? said.step : from;
  const step = about === undefined ? '' : ` ${about}`;
  const reason = said.reason === undefined ? '' : `  "${said.reason}"`;
  return plain(`${time}  ${said.by ?? 'somebody'}: ${said.word}${step}${reason}  →  ${became}`);
}
