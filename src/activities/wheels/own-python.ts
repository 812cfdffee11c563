import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { jsonIn } from '../../model/json.js';
import type { Interpreter } from '../pythons/ports.js';
import type { KindName } from '../../model/kinds.js';
import { readInside } from '../step/inside.js';
import type { Work } from '../work.js';
import { baseHeadersAbsent, basePythonAbsent, basePythonDiffers, buildFailed } from './errors.js';
import type { BuildLocation } from './builders.js';

/** Without Slipway's tools, which have a Python too. */
const ITS_OWN_PATH = '/usr/local/bin:/usr/bin:/bin';

const PROBE = String.raw`
import json, os, platform, sys, sysconfig
json.dump({
  "tag": "cp%d%d" % sys.version_info[:2], "version": platform.python_version(), "path": sys.executable,
  "prefix": sys.base_prefix, "ldshared": sysconfig.get_config_var("LDSHARED") or "",
  "headers": os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")),
}, open(sys.argv[1], "w"))
`;

const MOST_BYTES = 64 * 1024;

/** The Python that a step expects in the container of a base. */
interface Expected {
  readonly base: string;
  /** Null: any. */
  readonly tag: string | null;
}

/** Returns the Python of the container. Throws BASE_PYTHON_ABSENT, BASE_PYTHON_DIFFERS if it is not the one of the step, and
 * PYTHON_HEADERS_ABSENT. */
export async function pythonInside<K extends KindName>(
  work: Work<K>,
  place: BuildLocation,
  { base, tag }: Expected,
): Promise<Interpreter> {
  const to = join(work.folder, 'own-python.json');
  const env = work.env({ PATH: ITS_OWN_PATH });
  const code = await place.run(['python3', '-I', '-c', PROBE, to], { cwd: work.folder, env });
  if (code !== 0) throw fail(basePythonAbsent(base, work.log.tail(5)));
  const found = jsonIn(readInside(work, to, MOST_BYTES)) as Interpreter | null;
  if (found === null) throw fail(basePythonAbsent(base, [`${basename(to)}, which its python3 wrote, is no JSON`]));
  if (tag !== null && found.tag !== tag) throw fail(basePythonDiffers(base, found.tag, tag));
  if (!found.headers) throw fail(baseHeadersAbsent(base, found.version));
  return found;
}

/** Returns the work of a step with its programs in the container: the Python of the container runs nowhere else.
 * @param making what fails with BUILD_FAILED if a program fails */
export function insideOf<K extends KindName>(
  work: Work<K>,
  place: BuildLocation,
  making = 'making the build environment',
): Work<K> {
  const exec: Work['exec'] = async (argv, { cwd = work.folder, env = work.env(), access } = {}) => ({
    code: await place.run(argv, { cwd, env, ...(access && { access }) }),
    timedOut: false,
  });
  return {
    ...work,
    exec,
    must: async (argv, options) => {
      const { code } = await exec(argv, options);
      const program =
        typeof argv === 'string'
          ? argv
          : argv
              .slice(0, 3)
              .map((word) => basename(word))
              .join(' ');
      if (code !== 0) throw fail(buildFailed(making, program, code, work.log.tail()));
    },
  };
}
