import type { Problem } from '../../model/failure.js';

type Lines = readonly string[];

export const debianPackageUnknown = (suite: string, name: string, evidence: Lines): Problem => ({
  code: 'DEBIAN_PACKAGE_UNKNOWN',
  class: 'config',
  message: `Debian ${suite} has no package ${name}`,
  next: 'Correct the name under `bases:` or `packages:`; `apt-cache policy NAME` shows what exists.',
  evidence,
});

export const debianUnreachable = (suite: string, evidence: Lines): Problem => ({
  code: 'DEBIAN_UNREACHABLE',
  class: 'infra',
  service: 'debian',
  message: `the packages of Debian ${suite} could not be fetched`,
  next: 'Check the Debian mirror with `apt-get update` on this machine, then run the release again.',
  evidence,
});

export const debianFailed = (suite: string, code: number, evidence: Lines): Problem => ({
  code: 'DEBIAN_BASE_FAILED',
  class: 'product',
  message: `mmdebstrap ended with status ${code} while making Debian ${suite}`,
  next: 'Read the output of Debian with `slipway logs` of this step, and fix what it names.',
  evidence,
});

export const debianTooLong = (suite: string): Problem => ({
  code: 'DEBIAN_BASE_TIMED_OUT',
  class: 'infra',
  message: `making Debian ${suite} took longer than half an hour`,
  next: 'Check the Debian mirror with `apt-get update` on this machine, then run the release again.',
});
