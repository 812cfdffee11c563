import { fail } from '../../model/failure.js';
import { lineVariables } from '../../model/shell-variables.js';
import { verifyFailed, type Served } from '../publish/errors.js';
import type { PublishPorts } from '../publish/ports.js';
import type { Connection, Item, PublishTarget } from '../publish/target.js';
import type { ExecOptions, Work } from '../work.js';

/** What every kind of check works with. */
export interface Verify {
  readonly work: Work<'verifyTarget'>;
  readonly ports: PublishPorts;
  readonly to: Connection;
  readonly target: PublishTarget;
  /** What is there under our names, with the digests that were sealed. */
  readonly items: readonly Item[];
}

/** What is checked, for messages. */
export const servedBy = ({ work, to }: Pick<Verify, 'work' | 'to'>): Served => {
  const { project, version } = work.step.params;
  return { target: to.name, project, version };
};

/** Runs a line to its end; anything but 0 is the published thing's fault. */
export async function mustPass(
  { work, to }: Verify,
  line: string,
  cwd: string,
  env: Record<string, string>,
  more: Pick<ExecOptions, 'access' | 'folders'> = {},
): Promise<void> {
  const own = lineVariables(work.step.params.vars, { files: work.files });
  const { code } = await work.exec(line, { cwd, env: { ...env, ...own }, ...more });
  if (code !== 0) throw fail(verifyFailed(servedBy({ work, to }), line, code, work.log.tail(20), 'test'));
}
