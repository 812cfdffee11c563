import { fail } from '../../model/failure.js';
import { lineVariables } from '../../model/shell-variables.js';
import { verifyFailed, type Served } from '../publish/errors.js';
import type { PublishPorts, Connection, Item, PublishTarget } from '../publish/ports.js';
import type { ExecOptions, Work } from '../work.js';

export interface Verify {
  readonly work: Work<'verifyTarget'>;
  readonly ports: PublishPorts;
  readonly to: Connection;
  readonly target: PublishTarget;
  /** Published names with their sealed digests. */
  readonly items: readonly Item[];
}

export const servedBy = ({ work, to }: Pick<Verify, 'work' | 'to'>): Served => {
  const { project, version } = work.step.params;
  return { target: to.name, project, version };
};

/** Runs a line of the release file. Throws VERIFY_FAILED if its exit status is not 0. */
export async function mustPass(
  { work, to }: Verify,
  line: string,
  cwd: string,
  env: Record<string, string>,
  more: Pick<ExecOptions, 'access' | 'folders'> = {},
): Promise<void> {
  const own = lineVariables(work.step.params.vars, { files: work.files });
  const { code } = await work.exec(line, { cwd, env: { ...env, ...own }, ...more });
  if (code !== 0) throw fail(verifyFailed(servedBy({ work, to }), line, code, work.log.tail(), 'test'));
}
