import { fail } from '../../model/failure.js';
import { toLog } from '../steps/where.js';
import { verifyFailed } from '../publish/errors.js';
import type { Verify } from './pass.js';

/** Pulled from the target by digest by the Docker engine, and run where a line is given. */
export async function verifyImage({ work, ports, to, target, items }: Verify): Promise<string> {
  if (!ports.images) return `${items.length} compared by digest; not pulled: this worker has no Docker engine`;
  const { address, credential } = await target.source();
  const line = work.step.params.run;
  const digests = [...new Set(items.map(({ artifact }) => artifact.digest))];
  for (const digest of digests) {
    const { code } = await ports.images.run({
      reference: `${address}@${digest}`,
      line,
      auth: credential,
      limitMs: work.step.limitMs,
      signal: work.signal,
      onOutput: toLog(work),
    });
    if (code !== 0) throw fail(verifyFailed(to.name, line ?? 'pull', code, work.log.tail(20)));
  }
  return `${items.map(({ name }) => name).join(', ')} pulled${line === null ? '' : ' and run'}`;
}
