import type { Problem } from '../../model/failure.js';

export const debianFailed = (suite: string, code: number, evidence: readonly string[]): Problem => {
  const unknown = evidence.map((line) => /Unable to locate package (\S+)/.exec(line)?.[1]).find(Boolean);
  const fetching = evidence.some((line) =>
    /Failed to fetch|Could not resolve|Connection (refused|timed out|failed)/i.test(line),
  );
  return {
    code: unknown ? 'DEBIAN_PACKAGE_UNKNOWN' : 'DEBIAN_BASE_FAILED',
    class: unknown ? 'config' : fetching ? 'infra' : 'product',
    message: unknown
      ? `Debian ${suite} has no package ${unknown}`
      : `mmdebstrap ended with status ${code} while making Debian ${suite}`,
    next: unknown
      ? 'Correct the name under `bases:`; `apt-cache policy NAME` tells what exists.'
      : '`slipway logs` of this step shows what Debian said.',
    evidence,
  };
};

export const debianTooLong = (suite: string): Problem => ({
  code: 'DEBIAN_BASE_TIMED_OUT',
  class: 'infra',
  message: `making Debian ${suite} took longer than half an hour`,
  next: 'See whether the Debian mirror answers on this machine: `apt-get update`; then run the release again.',
});
