import { keepNext } from '../../activities/numbered.js';
import { gatherFacts, type Gathered, NO_PAST, once } from '../../adapters/facts/index.js';
import { openHomeKeys, keysFolder } from '../../adapters/home-keys/open.js';
import { provedStore } from '../../adapters/home-keys/proved-store.js';
import { readWheelhouse } from '../../adapters/wheelhouse/read-wheelhouse.js';
import { fail } from '../../model/failure.js';
import { canonical } from '../../model/json.js';
import type { Given } from '../../model/plan.js';
import { normalName } from '../../model/python/file-name.js';
import { nameOf } from '../../plan/head.js';
import { platformsForImports } from '../../plan/platforms.js';
import type { PruneAsk, PrunePort } from '../ports.js';
import { noLists, notPruned, orderUnsigned, whichIndex } from './errors.js';
import { pruneHouse } from './prune-house.js';
import { pruneIndex, type PruneHere } from './prune-index.js';
import { type Pruning, reviewIn } from './prune-records.js';

/** Opens the index that a release file prunes, or a folder with wheels. Plans the file, so lists and the index upstream
 * are asked. */
export async function openPrune(file: string, ask: PruneAsk, given: Given, here: PruneHere): Promise<PrunePort> {
  const { folder } = ask;
  const house = folder === null ? null : await readWheelhouse(folder);
  const past = { ...NO_PAST, ...here.features };
  const gathered = await gatherFacts(file, ask.profile, process.cwd(), given, past);
  const target = prunedTarget(gathered, file, ask.target);
  if (gathered.rows === null) throw fail(noLists(file));
  const { content } = gathered.file;
  const { unused, grace, past: pastMs } = content.prune[target]!;
  const proofs = openHomeKeys(keysFolder(here.env, here.home));
  const store = provedStore(await here.store(), proofs);
  const signs = proofs.holds('control');
  const pruning: Pruning = {
    ...{ gathered, store, signs, own: ownProjects(gathered) },
    ...{ index: { pipeline: nameOf(content), profile: ask.profile, target }, log: ask.log },
    rules: { unusedMs: unused, graceMs: grace, pastMs },
    platforms: platformsForImports(content, gathered.facts.platforms),
    keep: async (name, order) => name(await keepNext(store, name, order)),
  };
  const { carryOut, ...judging } =
    house === null ? await pruneIndex(pruning, here) : pruneHouse(house, folder!, pruning);
  return {
    ...judging,
    carryOut: (...order) => (signs ? carryOut(...order) : Promise.reject(fail(orderUnsigned()))),
    keepReview: async (review) => (await store.put(once(canonical(review)))).digest,
    review: (digest) => reviewIn(store, digest),
  };
}

function prunedTarget({ file }: Gathered, name: string, asked: string | null): string {
  const { prune, publish } = file.content;
  const all = Object.keys(prune).filter((one) => publish[one]?.kind === 'simple');
  const indexes = Object.keys(publish).filter((one) => publish[one]!.kind === 'simple');
  const found = asked === null ? all : all.filter((one) => one === asked);
  if (found.length === 0) throw fail(notPruned(name, asked === null ? indexes : [asked]));
  if (found.length > 1) throw fail(whichIndex(found));
  return found[0]!;
}

function ownProjects({ file, imported }: Pick<Gathered, 'file' | 'imported'>): ReadonlySet<string> {
  const made = new Set(Object.values(imported).flatMap((all) => all.map(({ name }) => name)));
  return new Set(
    Object.keys(file.content.wheels)
      .filter((name) => !made.has(name))
      .map(normalName),
  );
}
