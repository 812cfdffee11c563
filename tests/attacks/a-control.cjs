// A process with the planning activity of a control worker: `a-control.cjs DIST HOME HOSTILE-FILE SOUND-FILE`. It plans the hostile
// file, and a sound one meanwhile. Prints both ends, and the largest memory of this process.
const { join } = require('node:path');

const [dist, home, hostile, sound] = process.argv.slice(2);
const built = (path) => require(join(dist, path));
const { MockActivityEnvironment } = require('@temporalio/testing');
const { runActivities } = built('workers/activities.js');
const { createDirectoryStore } = built('adapters/store/directory.js');

const none = { sign: async () => undefined, isSigned: async () => true };
const around = {
  store: createDirectoryStore(join(home, 'store')),
  signatures: none,
  env: process.env,
  home,
  waitsFor: () => null,
};
const fleet = { unserved: async () => [], slots: async () => ({}) };
const { makePlan } = runActivities(around, fleet);

async function plan(file) {
  const run = '01a1b2c3-0000-4000-8000-000000000000';
  const input = { file, run, workflowId: 'rehearsal/sound/1.0' };
  try {
    const { steps } = await new MockActivityEnvironment().run(makePlan, input);
    return { steps: steps.length };
  } catch (error) {
    return { problems: error.details?.[0]?.problems ?? String(error.stack) };
  }
}

void Promise.all([plan(hostile), plan(sound)]).then(([bad, good]) => {
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`${JSON.stringify({ bad, good, megabytes })}\n`, () => process.exit());
});
