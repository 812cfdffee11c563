import type { Manifest } from '../../engine/ledger/manifest.js';
import { namesOf, sealedItemsOf } from '../../engine/ledger/deliveries.js';
import type { StepId } from '../../model/ids.js';
import { TARGETS } from '../../model/target-kinds.js';
import type { StepOf } from '../../model/plan.js';
import type { Item, PublishTarget } from './ports.js';

export interface MadeItem {
  readonly item: Item;
  readonly step: StepId;
}

/** Returns the names that a publish step must create, from the sealed manifest alone. */
export const sealedItems = (
  { target: { kind }, of, tags }: StepOf<'publishArtifacts'>['params'],
  target: Pick<PublishTarget, 'items'>,
  manifest: Manifest,
): readonly MadeItem[] =>
  sealedItemsOf(of, TARGETS[kind].artifacts, manifest).flatMap(({ step, ...artifact }) =>
    target.items(artifact, namesOf(tags, manifest.release.version)).map((item) => ({ item, step })),
  );
