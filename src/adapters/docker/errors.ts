import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { DOCKER } from '../../model/outage.js';

export const engineUnreachable = (what: string, why: string): Problem => ({
  code: 'DOCKER_UNREACHABLE',
  class: 'infra',
  service: DOCKER,
  message: `the Docker engine did not answer while ${what}: ${why}`,
  next: 'Check the engine with `slipway doctor`; start one with `slipway up`.',
});

export const engineRefused = problem.product((what: string, why: string) => [
  'DOCKER_REFUSED',
  `the Docker engine refused ${what}: ${why}`,
  'Fix what the engine names, then run the release again.',
]);
/** The image's own programs run the lines of tests and verifications. */
export const programAbsent = problem.config((what: string, program: string) => [
  'IMAGE_LACKS_PROGRAM',
  `${what} needs the program ${JSON.stringify(program)}, and the image has none`,
  'Take the line of this image out of `tests`, or `verify` out of its target: the image is built, pushed and pulled nevertheless. Or copy a shell into the image.',
]);
export const engineBusy = problem.infra((what: string, why: string) => [
  'DOCKER_BUSY',
  `the Docker engine is busy with the same image for another platform, so ${what} has to wait: ${why}`,
  'The step retries. If it stays so, `docker rmi` that name.',
]);
export const engineDiskFull = problem.infra((what: string, why: string) => [
  'DOCKER_DISK_FULL',
  `the Docker engine ran out of disk while ${what}: ${why}`,
  'Find what takes the space with `docker system df`, free some, then run the release again.',
]);
export const notEmulated = problem.infra((what: string, why: string) => [
  'EMULATION_ABSENT',
  `this machine does not run programs of another platform, which ${what} needs: ${why}`,
  'As root: `apt-get install qemu-user-static binfmt-support`, then `slipway up`, which registers the emulator with the kernel.',
]);
export const registryDenied = problem.denied((what: string, why: string) => [
  'REGISTRY_DENIED',
  `a registry asks for a credential, and refused ${what}: ${why}`,
  'For staging: copy keys/staging.key from the home that runs `slipway up` to the keys of this worker (docs/workers.md#keys). Images of other registries need a login of their own: `docker pull` them once.',
]);

/** A base of ours lies in staging. All else that is asked by digest is an image of a release file. */
export const imageAbsent = problem.config((what: string, why: string) => [
  'IMAGE_ABSENT',
  `the registry does not have the image, so ${what} failed: ${why}`,
  'Staging lost a base of ours: `slipway run FILE --supersede` puts it there again. Is it an image of `bases`: write a digest that its registry has, then the same command.',
]);

export const registryTrouble = (what: string, why: string): Problem => {
  const host = HOST.exec(`${why} ${what}`)?.[1];
  return {
    code: 'REGISTRY_TROUBLE',
    class: 'infra',
    ...(host !== undefined && { service: host }),
    message: `a registry failed while ${what}: ${why}`,
    next: 'Type `slipway doctor`, which asks that registry. The step goes on by itself once it answers. Is its name wrong: correct the file, then `slipway run FILE --supersede`.',
  };
};
/** Finds the registry in an engine message. A failed look-up names it last. */
const HOST = /(?:https?:\/\/|dial tcp |lookup )([\w-][\w.-]*(?::\d+)?)/;

export const buildFailed = problem.product((why: string, evidence: readonly string[]) => [
  'DOCKER_BUILD_FAILED',
  `the image was not built: ${why}`,
  'Read the whole build with `slipway logs` of this step, fix the Dockerfile, then run the release again.',
  // With its exit status the end of a RUN line is judged as that of any command.
  { evidence, details: { exitCode: Number(/(?:non-zero code|exit code): (\d+)/.exec(why)?.[1] ?? 0) } },
]);
export const pushUnanswered = problem.infra((reference: string) => [
  'PUSH_UNANSWERED',
  `the push of ${reference} ended without a digest`,
  'Check the staging registry with `slipway doctor`, then run the release again.',
]);
