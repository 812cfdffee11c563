import type { Artifact } from '../../model/artifact.js';
import { digestOf } from '../../model/digest.js';
import type { PureBuild } from '../../model/pure-build.js';
import { parseWheelName } from '../../model/python/file-name.js';
import { records } from '../../model/run-folder.js';
import { inBatches } from '../index/in-batches.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';

type Build = Pick<Work<'buildWheel'>, 'artifacts' | 'plan' | 'step' | 'store'>;

/** Records that an sdist gave a wheel for every platform: a list with `pure: skip` then leaves it to pip. */
export async function keepPureBuild(work: Build, { name: file }: Pick<Artifact, 'name'>): Promise<void> {
  const [sdist] = work.artifacts('sdist');
  const isPure = parseWheelName(file)?.platforms.every((tag) => tag === 'any') === true;
  if (sdist === undefined || !isPure) return;
  const { env, lock } = work.step.params;
  const build: PureBuild = { file, requires: lock?.requires ?? [], env, packages: packagesUnder(work) };
  await work.store.create(records.pure(sdist.digest, digestOf(build, sha256)), build);
}

/** Debian packages of the base that the step runs in. */
function packagesUnder({ plan, step: { params } }: Build): readonly string[] {
  const { where } = params;
  const base = where.in === 'container' ? plan.steps.find(({ id }) => id === where.base) : undefined;
  return base?.kind === 'makeBase' && 'debian' in base.params.from ? base.params.from.packages : [];
}

/** Reads the records of some sdists. An sdist without one has an empty list. */
export async function readPureBuilds(
  store: Pick<Store, 'list' | 'read'>,
  sdists: readonly string[],
): Promise<Readonly<Record<string, readonly PureBuild[]>>> {
  const wanted = new Set(sdists);
  const hexOf = (name: string): string => name.split('/')[2] ?? '';
  const names = (await store.list(records.pure())).filter((name) => wanted.has(hexOf(name))).toSorted();
  const found = await inBatches(names, async (name) => [hexOf(name), await store.read<PureBuild>(name)] as const);
  return Object.fromEntries(
    sdists.map((hex) => [hex, found.flatMap(([of, build]) => (of === hex && build !== null ? [build] : []))]),
  );
}
