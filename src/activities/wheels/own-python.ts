import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Interpreter } from '../deps/ports.js';
import type { Work } from '../work.js';
import { baseHeadersAbsent, basePythonAbsent, basePythonDiffers, buildFailed } from './errors.js';
import type { BuildLocation } from './place.js';

type Build = Work<'buildWheel'>;

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

/** Returns the Python of the container. Throws BASE_PYTHON_ABSENT, BASE_PYTHON_DIFFERS if it is not the one of the step, and
 * PYTHON_HEADERS_ABSENT. */
export async function pythonInside(work: Build, place: BuildLocation): Promise<Interpreter> {
  const { interpreter } = work.step.params;
  const to = join(work.folder, 'own-python.json');
  const env = work.env({ PATH: ITS_OWN_PATH });
  const code = await place.run(['python3', '-I', '-c', PROBE, to], { cwd: work.folder, env });
  if (code !== 0) throw fail(basePythonAbsent(baseOf(work), work.log.tail(5)));
  const found = JSON.parse(await readFile(to, 'utf8')) as Interpreter;
  if (interpreter !== null && found.tag !== interpreter)
    throw fail(basePythonDiffers(baseOf(work), found.tag, interpreter));
  if (!found.headers) throw fail(baseHeadersAbsent(baseOf(work), found.version));
  return found;
}

const baseOf = ({ step: { params } }: Build): string => (params.where.in === 'container' ? params.where.base : '');

/** Returns the work of a step with its programs in the container: the Python of the container runs nowhere else. */
export function insideOf(work: Build, place: BuildLocation): Build {
  const exec: Build['exec'] = async (argv, { cwd = work.folder, env = work.env(), access } = {}) => ({
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
      if (code !== 0) throw fail(buildFailed('making the build environment', program, code, work.log.tail(20)));
    },
  };
}
