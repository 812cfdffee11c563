import type { Complain } from '../file-problem.js';
import { grouped } from '../../model/grouped.js';
import type { Problem, SourceLocation } from '../../model/failure.js';
import { countsOf } from '../../model/rows.js';
import { ClusterTest } from '../../model/schema/sections/clusters.js';
import { Image } from '../../model/schema/sections/images.js';
import type { Imported, Importer, Setting } from '../importer.js';
import { alertsOf } from './alerts.js';
import { asked } from './asked-errors.js';
import { clusterOf, type RayImport } from './asked.js';
import { type Catalogue, type Held, readTests } from './catalogue.js';
import { choose, type Chosen } from './choose.js';
import { entryOf } from './entries.js';
import { imagesOf, mergedImage } from './images.js';
import { createPools, type Pools } from './pools.js';
import { isBesides } from '../../model/only.js';
import { entryId } from './names.js';
import { noticesOf } from './notices.js';
import { textIn } from './test.js';

export type { RayImport } from './asked.js';

/** Ray's own files of release tests, as entries of `tests:`. */
export const ray: Importer<RayImport, Catalogue> = {
  makes: { tests: ClusterTest, images: Image },
  stored: {
    epoch: 1,
    reading: ({ files, change }) => ({ files, change }),
    faults: ({ findings }) => findings,
  },
  read: (entry, facts, at, held) => readTests(entry, facts, (held as Held | undefined) ?? null, at),
  make,
  merge: mergedImage,
};

function make({ tests, findings: before }: Catalogue, say: RayImport, setting: Setting): Imported {
  const findings: Problem[] = [...before];
  const complain = (problem: Problem): unknown => findings.push(problem);
  const { chosen, rows } = choose(tests, say, setting, complain);
  if (chosen.length === 0 && findings.length === 0)
    complain(asked.nothingChosen(setting.at([]), tests.length, countsOf(rows)));
  tellClusters(chosen, say, setting.at, complain);
  const pools = createPools(setting.config, say, setting.at);
  const { only = [] } = setting.chosen;
  const wanted = chosen.filter(({ test }) => !isBesides(only, entryId(test.name, say, setting.hash)));
  const images = imagesOf(wanted, say, setting, complain);
  const own = chosen.flatMap((one) => made(one, say, setting, pools, complain) ?? []);
  pools.tellUnknown(complain);
  return { entries: [...images, ...own], findings, notices: noticesOf(wanted, say, setting), rows };
}

function made(one: Chosen, say: RayImport, { hash, config }: Setting, pools: Pools, complain: Complain) {
  const { test, form, isSmoke } = one;
  const suite = textIn(form.keys, 'alert') ?? 'default';
  const alerts = alertsOf(suite, test.name, isSmoke, config.alerts);
  if (alerts === null)
    complain(asked.unknownAlert(form.places['alert'] ?? test.origin, suite, Object.keys(config.alerts)));
  const cluster = clusterOf(say, form.environment);
  return alerts === null || cluster === undefined
    ? null
    : entryOf(one, { say, cluster, alerts, pool: pools.of(one), hash });
}

/** Each environment has a cluster, or is dropped. */
function tellClusters(chosen: readonly Chosen[], say: RayImport, at: Setting['at'], complain: Complain): void {
  const missing = chosen.filter(({ form }) => clusterOf(say, form.environment) === undefined);
  for (const [env, those] of grouped(missing, ({ form }) => form.environment)) {
    const { form, test } = those[0];
    const place: SourceLocation = form.places['env'] ?? test.origin;
    if (!form.isKnown) complain(asked.unknownEnvironment(place, env));
    else
      complain(
        asked.noCluster(
          at(['clusters']) ?? at([]),
          env,
          those.map((one) => one.test.name),
        ),
      );
  }
}
