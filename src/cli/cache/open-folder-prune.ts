import { readWheelhouse } from '../../adapters/wheelhouse/read-wheelhouse.js';
import { removeWheel } from '../../adapters/wheelhouse/remove-wheel.js';
import { gatherFacts, type Gathered, NO_PAST, once } from '../../adapters/facts/index.js';
import { keysFolder } from '../../adapters/home-keys/folder.js';
import { openHomeKeys } from '../../adapters/home-keys/open.js';
import { provedStore } from '../../adapters/home-keys/proved-store.js';
import { judgeWheelhouse } from '../../engine/index/prune/wheelhouse.js';
import { wantedWheels } from '../../engine/index/prune/wants.js';
import type { Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { type FolderPruneOrder, houseTarget } from '../../model/folder-prune.js';
import { canonical } from '../../model/json.js';
import type { Given } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import type { Features } from '../../activities/plan/ports.js';
import { nameOf } from '../../plan/head.js';
import { platformsForImports } from '../../plan/platforms.js';
import type { FolderPrunePort, PruneAsk } from '../ports.js';
import { ownProjects, prunedTarget, rulesOf } from './open-prune.js';
import { noLists, orderUnsigned } from './prune-errors.js';
import { reviewIn } from './prune-records.js';

interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: () => Promise<Store>;
  readonly features: Features;
}

/** Opens a folder with wheels that no index of ours holds. Plans the file, so lists and the index upstream are asked. */
export async function openFolderPrune(
  file: string,
  folder: string,
  ask: PruneAsk,
  given: Given,
  here: Here,
): Promise<FolderPrunePort> {
  const house = await readWheelhouse(folder);
  const past = { ...NO_PAST, ...here.features };
  const gathered = await gatherFacts(file, ask.profile, process.cwd(), given, past);
  const rules = rulesOf(gathered, prunedTarget(gathered, file, ask.target));
  if (gathered.rows === null) throw fail(noLists(file));
  const pipeline = nameOf(gathered.file.content);
  const proofs = openHomeKeys(keysFolder(here.env, here.home));
  const store = provedStore(await here.store(), proofs);
  const facts = {
    ...{ house, rules, own: ownProjects(gathered), upstream: upstreamOf(gathered), wants: wantedWheels(gathered.rows) },
    platforms: platformsForImports(gathered.file.content, gathered.facts.platforms),
  };
  return {
    about: { pipeline, profile: ask.profile, target: houseTarget(house.path), rules },
    path: house.path,
    judge: (nowMs) => judgeWheelhouse({ ...facts, nowMs }),
    keepReview: async (review) => (await store.put(once(canonical(review)))).digest,
    review: (digest) => reviewIn(store, digest),
    carryOut: async (order) => {
      if (!proofs.holds('control')) throw fail(orderUnsigned());
      return carryOut(store, pipeline, order);
    },
  };
}

/** Stores the order, then removes its wheels. */
async function carryOut(
  store: Store,
  pipeline: string,
  order: FolderPruneOrder,
): ReturnType<FolderPrunePort['carryOut']> {
  const folder = records.folderPrunes(pipeline);
  let no = Number((await store.list(folder)).at(-1)?.slice(folder.length) ?? 0) + 1;
  while (!(await store.create(records.folderPrunes(pipeline, no), order)).created) no += 1;
  const left: { readonly file: string; readonly because: string }[] = [];
  for (const one of order.remove) {
    const because = await removeWheel(order.path, one);
    if (because !== null) left.push({ file: `${one.folder}/${one.file}`, because });
  }
  return { record: records.folderPrunes(pipeline, no), left };
}

/** Digests of the files that the index upstream lists, by name. */
function upstreamOf({ source }: Gathered): ReadonlyMap<string, string | null> {
  const answers = Object.values(source?.imports ?? {}).flatMap(({ index }) => Object.values(index ?? {}));
  return new Map(
    answers.flatMap((answer) =>
      answer.state === 'files' ? answer.files.map(({ file, sha256 }) => [file, sha256] as const) : [],
    ),
  );
}
