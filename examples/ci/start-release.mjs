// node start-release.mjs FILE NAME VERSION: starts a release, or finds the one that runs, and follows it.
// Without arguments: RELEASE_FILE, RELEASE_NAME and RELEASE_VERSION of the environment. RELEASE_PROFILE names a live profile. Without it the run is a rehearsal.
// Exit code: 0 released or rehearsed, 1 failed, 2 usage, 3 cancelled. Killed and started again, it finds the same run.
import { isAbsolute } from 'node:path';
import { connect, SlipwayFailure } from 'slipway/client';

const { RELEASE_FILE, RELEASE_NAME, RELEASE_VERSION, RELEASE_PROFILE, CODEC_KEYS } = process.env;
const [file = RELEASE_FILE, name = RELEASE_NAME, version = RELEASE_VERSION] = process.argv.slice(2);
if (!file || !name || !version || !isAbsolute(file)) {
  console.error('usage: node start-release.mjs FILE NAME VERSION, or RELEASE_FILE, RELEASE_NAME and RELEASE_VERSION');
  console.error('FILE is an absolute path on the machine of the control worker');
  process.exit(2);
}
try {
  process.exitCode = await release();
} catch (error) {
  if (!(error instanceof SlipwayFailure)) throw error;
  tell(error.problems);
  process.exitCode = 1;
}

async function release() {
  // The server of TEMPORAL_ADDRESS, else that of the home SLIPWAY_HOME. CODEC_KEYS is the text of a key file: a CI system keeps
  // secrets as variables. Without it SLIPWAY_CODEC_KEYS names the keys.
  const client = await connect(CODEC_KEYS ? { codecKeys: '$CODEC_KEYS' } : {});
  const where = RELEASE_PROFILE ? { profile: RELEASE_PROFILE, rehearsal: false } : { rehearsal: true };
  const { workflowId, run } = await client.start({ file, name, version, ...where, onFailure: 'fail' });
  let last;
  for await (last of client.follow(workflowId, run)) {
    const steps = last.steps.filter(({ state }) => state !== 'dropped');
    const ended = steps.filter(({ state }) => !['waiting', 'running', 'backing off'].includes(state));
    console.log(`${workflowId}  ${last.verdict?.verdict ?? last.state}  ${ended.length} of ${steps.length} steps`);
  }
  tell([...last.problems, ...last.steps.flatMap((step) => step.problems ?? [])]);
  await client.close();
  return { released: 0, rehearsed: 0, cancelled: 3 }[last.verdict.verdict] ?? 1;
}

function tell(problems) {
  for (const { code, message, next } of problems) console.error(`${code}: ${message}\n  ${next}`);
}
