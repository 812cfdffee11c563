import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';

type Lines = readonly string[];

export const debianPackageUnknown = problem.config((suite: string, name: string, evidence: Lines) => [
  'DEBIAN_PACKAGE_UNKNOWN',
  `Debian ${suite} has no package ${name}`,
  'Correct the name under `bases:` or `packages:`; `apt-cache policy NAME` shows what exists.',
  { evidence },
]);

export const debianUnreachable = (suite: string, evidence: Lines): Problem => ({
  code: 'DEBIAN_UNREACHABLE',
  class: 'infra',
  service: 'debian',
  message: `the packages of Debian ${suite} could not be fetched`,
  next: 'Check the Debian mirror with `apt-get update` on this machine, then run the release again.',
  evidence,
});

export const debianFailed = problem.product((suite: string, code: number, evidence: Lines) => [
  'DEBIAN_BASE_FAILED',
  `mmdebstrap ended with status ${code} while making Debian ${suite}`,
  'Read the output of Debian with `slipway logs` of this step, and fix what it names.',
  { evidence },
]);
export const debianTooLong = problem.infra((suite: string) => [
  'DEBIAN_BASE_TIMED_OUT',
  `making Debian ${suite} took longer than half an hour`,
  'Check the Debian mirror with `apt-get update` on this machine, then run the release again.',
]);
