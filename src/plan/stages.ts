import { STAGE_IDS } from '../model/stages.js';
import type { FeaturePlans } from './feature.js';
import type { Stage } from './stage.js';
import { announce } from './stages/announce.js';
import { attest } from './stages/attest.js';
import { clearClusters } from './stages/clear-clusters.js';
import { gates } from './stages/gates.js';
import { images } from './stages/images.js';
import { jars } from './stages/jars.js';
import { point } from './stages/point.js';
import { prove } from './stages/prove.js';
import { publish } from './stages/publish.js';
import { report } from './stages/report.js';
import { reports } from './stages/reports.js';
import { sdists } from './stages/sdists.js';
import { seal } from './stages/seal.js';
import { source } from './stages/source.js';
import { standings } from './stages/standings.js';
import { steps } from './stages/steps.js';
import { tidyUp } from './stages/tidy-up.js';
import { tests } from './stages/tests.js';
import { verify } from './stages/verify.js';
import { wheels } from './stages/wheels.js';

/** Stages of the core in order. Each turns its section of the release file into steps. */
const STAGES: readonly Stage[] = [
  source, // exports the commit or sdist once, by digest: no build reads a working tree
  prove, // checks credentials, free versions, workers, tools, Pythons before builds start; pins the toolchains
  sdists, // source archives, normalised
  wheels, // one wheel per package × platform × Python, carrying the commit it was built from
  jars, // JARs and POMs, with sources and javadoc
  images, // base images, then release images from locks, wheels and JARs
  tests, // release tests against the built artifacts
  steps, // anything else: a command with inputs and outputs
  seal, // the manifest: one digest over all bytes
  attest, // checksums, and a signed provenance statement
  gates, // approvals or time, bound to the manifest's digest
  publish, // immutable files, the most reversible target first; each is looked up before and read back after
  verify, // installs from the target and runs
  point, // tags, latest
  announce, // webhook or command, after everything is published
  tidyUp, // steps with `after`, whatever the outcome
  clearClusters, // what tests left of clusters that outlive their worker
  standings, // what tests are after this run, whatever happened
  reports, // results of tests: rows, issues, a table
  report, // the verdict, whatever the outcome
];

const placeOf = ({ id }: Stage): number => STAGE_IDS.indexOf(id);

/** Returns the stages of a release in order. A stage of a feature comes before the first stage with a later id. */
export const stagesWith = (features: FeaturePlans): readonly Stage[] =>
  Object.values(features)
    .flatMap(({ stages = {} }) => Object.values(stages))
    .reduce((all, one) => {
      const next = all.findIndex((other) => placeOf(other) > placeOf(one));
      return all.toSpliced(next < 0 ? all.length : next, 0, one);
    }, STAGES);
