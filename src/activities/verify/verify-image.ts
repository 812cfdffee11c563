import { fail } from '../../model/failure.js';
import { verifyFailed } from '../publish/errors.js';
import type { Item } from '../publish/ports.js';
import { saysNetwork } from '../step/confine.js';
import { toLog } from '../steps/where.js';
import { servedBy, type Verify } from './pass.js';
import type { ImageRunner } from './ports.js';

/** Pulls each image from the target by digest, an index once for each platform. Runs the line in it, if any. */
export async function verifyImage(verify: Verify): Promise<string> {
  const { items, ports } = verify;
  if (!ports.images) return `${items.length} compared by digest; not pulled: this worker has no Docker engine`;
  const notes: string[] = [];
  const distinct = new Map(items.map((item) => [item.artifact.digest, item])).values();
  for (const item of distinct)
    for (const pulled of platformsOf(verify, item)) notes.push(await pass(verify, ports.images, item, pulled));
  return `${items.map(({ name }) => name).join(', ')} ${[...new Set(notes)].join('; ')}`;
}

/** Returns the platforms of an index, or one entry for a plain image. */
function platformsOf({ work }: Verify, { artifact }: Item): readonly Pulled[] {
  const image = work.inputs.flatMap(({ artifacts }) => artifacts).find(({ digest }) => digest === artifact.digest);
  const index = image?.labels['index']?.split(',');
  return (
    index?.map((platform) => ({ platform, index: true })) ?? [{ platform: image?.labels['oci'] ?? null, index: false }]
  );
}
interface Pulled {
  readonly platform: string | null;
  readonly index: boolean;
}

async function pass(verify: Verify, images: ImageRunner, item: Item, { platform, index }: Pulled): Promise<string> {
  const { work, to, target } = verify;
  const { address, credential } = await target.source();
  const said = index ? ` for ${platform}` : '';
  const runs = platform === null || (await images.runs(platform));
  const line = runs ? work.step.params.run : null;
  const network = saysNetwork(work.step.params);
  if (line !== null) work.reached('container', network);
  const { code } = await images.run({
    // An engine keeps one image per digest, so an index is pulled by its tag. The tag's digest was just compared.
    reference: index ? item.url : `${address}@${item.artifact.digest}`,
    platform,
    line,
    env: work.step.params.vars ?? {},
    auth: credential,
    network,
    limitMs: work.step.limitMs,
    signal: work.signal,
    onOutput: toLog(work),
  });
  if (code !== 0)
    throw fail(
      verifyFailed(
        servedBy({ work, to }),
        `${line ?? 'pull'}${said}`,
        code,
        work.log.tail(),
        line === null ? 'command' : 'test',
      ),
    );
  return runs ? `pulled${line === null ? '' : ' and run'}${said}` : `present, not run${said}`;
}
