import type { ImageContainers } from '../../activities/tests/ports.js';
import type { ImageRunner } from '../../activities/verify/ports.js';
import type { Engines, Logins } from './connection.js';
import { runContainer } from './container.js';
import { whyNotEmulated } from './emulation.js';
import { asking, ownPlatform, pullImage } from './images.js';
import { watched } from './watched.js';

export const createImageContainers = (engines: Engines, logins: Logins): ImageContainers => ({
  run: (container) => runContainer(engines, { ...container, auth: logins(container.image) }),
});

/** Exit status of coreutils' `timeout`. 137 would mean another killer. */
const TIMED_OUT = 124;

export const createImageRunner = (engines: Engines): ImageRunner => ({
  runs: async (platform) => platform === (await ownPlatform(engines)) || (await whyNotEmulated(platform)) === null,
  async run({ reference, platform, line, env, auth, network, limitMs, signal, onOutput }) {
    const quiet = { image: reference, platform, auth, signal, onOutput: (text: string) => onOutput(text) };
    await asking(`pulling ${reference}`, signal, () =>
      watched(engines, signal, (both) => pullImage(engines, { ...quiet, signal: both })),
    );
    if (line === null) return { code: 0 };
    const argv = ['sh', '-eu', '-c', line];
    const exit = await runContainer(engines, {
      ...quiet,
      argv,
      cwd: null,
      env,
      mounts: [],
      labels: {},
      network,
      limitMs,
    });
    return { code: exit.timedOut ? TIMED_OUT : exit.code };
  },
});
