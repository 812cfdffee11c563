import type { Gathered } from '../../adapters/facts/index.js';
import { removeWheel } from '../../adapters/wheelhouse/remove-wheel.js';
import { wantedWheels } from '../../engine/index/prune/wants.js';
import { judgeWheelhouse } from '../../engine/index/prune/wheelhouse.js';
import { type FolderPruneOrder, houseTarget, type Wheelhouse } from '../../model/folder-prune.js';
import { records } from '../../model/run-folder.js';
import type { Pruned, PrunePort } from '../ports.js';
import type { Pruning } from './prune-records.js';

/** Judges the wheels of a folder that no index of ours holds, and removes some.
 * @param folder as it was typed */
export function pruneHouse(
  house: Wheelhouse,
  folder: string,
  pruning: Pruning,
): Pick<PrunePort, 'about' | 'judge' | 'carryOut'> {
  const { gathered, index, rules, own, platforms } = pruning;
  const { path } = house;
  const wants = wantedWheels(gathered.rows);
  const facts = { house, rules, own, platforms, wants, upstream: upstreamOf(gathered) };
  return {
    about: { pipeline: index.pipeline, profile: index.profile, target: houseTarget(path), rules },
    judge: async (nowMs) => ({ judged: judgeWheelhouse({ ...facts, nowMs }), of: { path, folder } }),
    carryOut: (said, look) => {
      const remove = look.remove.map(({ platform, file, digest }) => ({ folder: platform, file, digest }));
      return carryOut(pruning, { kind: 'folder prune order', ...said, path, remove, stay: look.stay });
    },
  };
}

/** Stores the order, then removes its wheels. */
async function carryOut({ index, keep }: Pruning, order: FolderPruneOrder): Promise<Pruned> {
  const record = await keep((no) => records.folderPrunes(index.pipeline, no), order);
  const left: { readonly file: string; readonly because: string }[] = [];
  for (const one of order.remove) {
    const because = await removeWheel(order.path, one);
    if (because !== null) left.push({ file: `${one.folder}/${one.file}`, because });
  }
  return { record, order, left };
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
