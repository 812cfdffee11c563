import type { Problem } from '../../model/failure.js';
import { DOCKER } from '../../model/outage.js';

export const engineUnreachable = (what: string, why: string): Problem => ({
  code: 'DOCKER_UNREACHABLE',
  class: 'infra',
  service: DOCKER,
  message: `the Docker engine did not answer while ${what}: ${why}`,
  next: 'Check the engine with `slipway doctor`; start one with `slipway up`.',
});

export const engineRefused = (what: string, why: string): Problem => ({
  code: 'DOCKER_REFUSED',
  class: 'product',
  message: `the Docker engine refused ${what}: ${why}`,
  next: 'Fix what the engine names, then run the release again.',
});

/** The image's own programs run the lines of tests and verifications. */
export const programAbsent = (what: string, program: string): Problem => ({
  code: 'IMAGE_LACKS_PROGRAM',
  class: 'config',
  message: `${what} needs the program ${JSON.stringify(program)}, and the image has none`,
  next: 'Take the line of this image out of `tests`, or `verify` out of its target: the image is built, pushed and pulled nevertheless. Or copy a shell into the image.',
});

export const engineBusy = (what: string, why: string): Problem => ({
  code: 'DOCKER_BUSY',
  class: 'infra',
  message: `the Docker engine is busy with the same image for another platform, so ${what} has to wait: ${why}`,
  next: 'The step retries. If it stays so, `docker rmi` that name.',
});

export const engineDiskFull = (what: string, why: string): Problem => ({
  code: 'DOCKER_DISK_FULL',
  class: 'infra',
  message: `the Docker engine ran out of disk while ${what}: ${why}`,
  next: 'Find what takes the space with `docker system df`, free some, then run the release again.',
});

export const notEmulated = (what: string, why: string): Problem => ({
  code: 'EMULATION_ABSENT',
  class: 'infra',
  message: `this machine does not run programs of another platform, which ${what} needs: ${why}`,
  next: 'As root: `apt-get install qemu-user-static binfmt-support`, then `slipway up`, which registers the emulator with the kernel.',
});

export const registryDenied = (what: string, why: string): Problem => ({
  code: 'REGISTRY_DENIED',
  class: 'denied',
  message: `a registry asks for a credential, and refused ${what}: ${why}`,
  next: 'For staging: copy keys/staging.key from the home that runs `slipway up` to the keys of this worker (docs/workers.md#keys). Images of other registries need a login of their own: `docker pull` them once.',
});

export const registryTrouble = (what: string, why: string): Problem => {
  const host = HOST.exec(`${why} ${what}`)?.[1];
  return {
    code: 'REGISTRY_TROUBLE',
    class: 'infra',
    ...(host !== undefined && { service: host }),
    message: `a registry failed while ${what}: ${why}`,
    next: 'Check the registries with `slipway doctor`, then run the release again.',
  };
};
/** Finds the registry in an engine message. A failed look-up names it last. */
const HOST = /(?:https?:\/\/|dial tcp |lookup )([\w-][\w.-]*(?::\d+)?)/;

export const buildFailed = (why: string, evidence: readonly string[]): Problem => ({
  code: 'DOCKER_BUILD_FAILED',
  class: 'product',
  message: `the image was not built: ${why}`,
  next: 'Read the whole build with `slipway logs` of this step, fix the Dockerfile, then run the release again.',
  evidence,
});

export const pushUnanswered = (reference: string): Problem => ({
  code: 'PUSH_UNANSWERED',
  class: 'infra',
  message: `the push of ${reference} ended without a digest`,
  next: 'Check the staging registry with `slipway doctor`, then run the release again.',
});
