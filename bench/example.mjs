import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { middle, timed } from './measure.mjs';
import { atMost, ratioAtMost, row } from './rows.mjs';

/** The example with nothing known, against a plain script that calls the same tools; then again with everything known.
 * Both sides have services up, empty registries, and the same warm caches of uv, Maven and Debian. */
export async function example({ root, folder, runs }) {
  const at = join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config.example);
  const { cache, bareDebians } = await warmCache({ root, folder, at });
  const times = { slipway: [], again: [], plain: [] };
  for (let run = 1; run <= (runs ?? 3); run++) {
    await inHome({ root, home: join(folder, `s${run}`), cache }, async (env) => {
      const release = [...slipway(root), 'run', join(at, 'slipway.yaml'), '--wait'];
      times.slipway.push(await timed(release, { env }));
      times.again.push(await timed(release, { env }));
    });
    await inHome({ root, home: join(folder, `p${run}`), cache }, async (env) => {
      times.plain.push(
        await timed([join(root, 'bench', 'plain.sh')], {
          env: plainEnv(env, { root, at, cache, bareDebian: bareDebians[0] }),
        }),
      );
    });
  }
  const [ours, again, theirs] = [times.slipway, times.again, times.plain].map((all) => middle(all) / 1000);
  return [
    row('the example, nothing known, against a plain script', ours, 's', {
      ...{ reference: theirs, goal: ratioAtMost(1.15) },
    }),
    row('the example again, everything known', again, 's', { goal: atMost(5) }),
  ];
}

export const slipway = (root) => [process.execPath, join(root, 'bin', 'slipway.js')];

/** Caches of the tools, filled by one run where they lack an archive of bare Debian or one of the folders.
 * @param at folder of the example @param folders of the cache that its builds fill */
export async function warmCache({ root, folder, at, folders = [] }) {
  const cache = join(process.env.SLIPWAY_HOME ?? join(root, '.slipway'), 'cache');
  const bareDebians = await bareDebiansOf(root, cache, at);
  if (![...bareDebians, ...folders.map((name) => join(cache, name))].every((path) => existsSync(path))) {
    mkdirSync(cache, { recursive: true });
    const release = [...slipway(root), 'run', join(at, 'slipway.yaml'), '--wait'];
    await inHome({ root, home: join(folder, 'warm'), cache }, (env) => timed(release, { env }));
  }
  return { cache, bareDebians };
}

/** The archives that Slipway keeps of the example's suites. The cache may hold others, with packages or of an older recipe. */
async function bareDebiansOf(root, cache, at) {
  const { createBaseTars } = createRequire(join(root, 'package.json'))('./dist/adapters/debian/bases.js');
  const suites = [...readFileSync(join(at, 'slipway.yaml'), 'utf8').matchAll(/debian: *(\w+)/g)].map(
    ([, suite]) => suite,
  );
  const tars = createBaseTars(null, null);
  const keys = await Promise.all(suites.map((suite) => tars.key({ suite, packages: [], oci: null }, process.env)));
  return keys.map((key) => join(cache, 'bases', `${key}.tar`));
}

/** A home of its own with services up, ended afterwards. `more` is added to the environment of its services. */
export async function inHome({ root, home, cache, more = {} }, work) {
  mkdirSync(home, { recursive: true });
  if (cache) symlinkSync(cache, join(home, 'cache'));
  const env = { ...process.env, SLIPWAY_HOME: home, ...more };
  try {
    await timed([...slipway(root), 'up'], { env });
    return await work(env);
  } finally {
    await timed([...slipway(root), 'down'], { env });
  }
}

/** Environment of a plain script in a home whose services are up. @param env of that home */
export const plainEnv = (env, { root, at, cache, bareDebian }) => ({
  ...env,
  HOME_OF_SLIPWAY: env.SLIPWAY_HOME,
  TOOLS: join(root, '.tools', 'bin'),
  EXAMPLE: at,
  CACHE: cache,
  BARE_DEBIAN: bareDebian,
  PASSWORD: readFileSync(join(env.SLIPWAY_HOME, 'keys', 'publish.key'), 'utf8').trim(),
  STAGING_PASSWORD: readFileSync(join(env.SLIPWAY_HOME, 'keys', 'staging.key'), 'utf8').trim(),
  COPY_IMAGE: join(root, 'bench', 'copy-image.mjs'),
  PYENV_ROOT: process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'),
});
