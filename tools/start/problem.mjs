/** What stops the set-up, with the next thing to type. Printed without a stack trace. */
export class Problem extends Error {
  constructor(code, message, next, { exit = 1, evidence = [] } = {}) {
    super(message);
    Object.assign(this, { code, next, exit, evidence });
  }
}

export const oldNode = (version) =>
  new Problem(
    'NODE_TOO_OLD',
    `Node ${version} runs this; Slipway needs 20.19 or newer`,
    'Install Node 20.19 or newer.',
    {
      exit: 2,
    },
  );

export const noPython = (seen) =>
  new Problem(
    'PYTHON_MISSING',
    `No Python 3.11 or newer on PATH (${seen || 'none at all'})`,
    'Install Python 3.11 with its venv module, then `npm start` again.',
    { exit: 2 },
  );

export const noGo = (what, next) =>
  new Problem(
    'GO_MISSING',
    `No Go compiler on PATH, and ${what} is built from source`,
    `Install Go 1.24 or newer, then ${next}.`,
    { exit: 2 },
  );

export const needsRoot = (packages) =>
  new Problem(
    'PACKAGES_MISSING',
    `These Debian packages are missing, and only root may install them: ${packages.join(' ')}`,
    `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    { exit: 2 },
  );

export const noDebian = (programs) =>
  new Problem(
    'PROGRAMS_MISSING',
    `These programs are missing, and this is no Debian whose packages we know: ${programs.join(' ')}`,
    'Install them with the package manager of this system, then `npm start` again.',
    { exit: 2 },
  );

export const noSpack = (checkout) =>
  new Problem(
    'SPACK_MISSING',
    checkout === ''
      ? 'SLIPWAY_SPACK is not set, and these suites run a real Spack'
      : `SLIPWAY_SPACK names ${checkout}, which has no bin/spack`,
    'Type `SLIPWAY_SPACK=/path/to/spack npm run spack`, with the path of a checkout of Spack 1.0 or newer.',
    { exit: 2 },
  );

export const partFailed = (title, command, code, evidence) =>
  new Problem(
    'SETUP_FAILED',
    `${title}: \`${command}\` ended with status ${code}`,
    'Mend what the lines above name, then type the same command again: it goes on where it stood.',
    { evidence },
  );

export const policyInUse = (file, runs) =>
  new Problem(
    'POLICY_IN_USE',
    `${file} would change under open runs: ${runs.join(', ')}`,
    'Wait until they have ended, or end them with `slipway cancel`; then type the same command again.',
    { exit: 2 },
  );

export const interrupted = () =>
  new Problem('INTERRUPTED', 'Stopped on request', 'Type the same command again: it goes on where it stood.', {
    exit: 130,
  });

export const noSuchMode = (mode) =>
  new Problem(
    'NO_SUCH_MODE',
    `tools/start does not know \`${mode}\``,
    'Type npm start, npm test, npm run test:all, check, ray, spack, laws, fuzz, bench or down.',
    {
      exit: 2,
    },
  );

/** Prints a problem and answers the exit status. Anything else is ours to mend, and says so. */
export function tell(error) {
  if (!(error instanceof Problem)) {
    console.error(`SETUP_BUG: ${error?.message ?? error}\n  next: report this with the line above and your system.`);
    return 1;
  }
  for (const line of error.evidence) console.error(`  | ${line}`);
  console.error(`${error.code}: ${error.message}\n  next: ${error.next}`);
  return error.exit;
}
