import type { Stage } from './stage.js';
import { announce } from './stages/announce.js';
import { attest } from './stages/attest.js';
import { deps } from './stages/deps.js';
import { gates } from './stages/gates.js';
import { images } from './stages/images.js';
import { jars } from './stages/jars.js';
import { point } from './stages/point.js';
import { prove } from './stages/prove.js';
import { publish } from './stages/publish.js';
import { report } from './stages/report.js';
import { sdists } from './stages/sdists.js';
import { seal } from './stages/seal.js';
import { source } from './stages/source.js';
import { steps } from './stages/steps.js';
import { tidyUp } from './stages/tidy-up.js';
import { tests } from './stages/tests.js';
import { verify } from './stages/verify.js';
import { wheels } from './stages/wheels.js';

/** A release, in order. Each stage turns its section of the release file into steps. */
export const STAGES = [
  source, // the commit or sdist, exported once, by digest: nothing ever builds from a working tree
  prove, // credentials, free versions, live workers, tools, pythons: before a minute is spent; pins the toolchains
  deps, // a hashed lock per Python (and platform)
  sdists, // source archives, normalised
  wheels, // one wheel per package × platform × Python, carrying the commit it was built from
  jars, // JARs and POMs, with sources and javadoc
  images, // base images, then release images from locks, wheels and JARs
  tests, // release tests against the built artifacts
  steps, // anything else: a command with inputs and outputs
  seal, // the manifest: the bytes that exist, one digest
  attest, // checksums, and a signed statement of where the bytes come from
  gates, // people or time, bound to the manifest's digest
  publish, // immutable files: most reversible target first; asked for first, read back after
  verify, // installed from the target, run
  point, // tags, latest: last
  announce, // webhook, command: when all of it is out
  tidyUp, // what `after` asks for, whatever happened
  report, // the verdict, whatever happened
] as const satisfies readonly Stage[];
