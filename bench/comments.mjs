import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { committed } from './committed.mjs';
import { Child } from './engine/child.mjs';
import { inHome } from './example.mjs';
import { homeServer } from './home-server.mjs';
import { inTurn, middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const [SECRET, TOKEN] = ['secret-of-the-bench', 'token-of-the-bench'];
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+$/m;

/** A comment on the double of GitHub, delivered to the door of `slipway up`: from the POST to the 202, to the reply, and to the first
 * step of its run. */
export async function comments({ root, folder, runs }) {
  const [home, log] = [join(folder, 'commented-home'), join(folder, 'github.log')];
  const github = new Child({
    ...{ name: 'github', argv: [process.execPath, join(root, 'tests', 'doubles', 'github-main.mjs'), '0'], log },
    env: { ...process.env, GITHUB_DOUBLE_TOKEN: TOKEN },
    isReady: () => ADDRESS.test(readFileSync(log, 'utf8')),
  });
  await github.start();
  try {
    const [address] = ADDRESS.exec(readFileSync(log, 'utf8'));
    const { project, head } = pullRequest({ folder, home, address });
    const more = { SECRET, TOKEN, SLIPWAY_ROOTS: project };
    return await inHome({ root, home, more }, async () => rowsOf(await measured({ root, home, address, head, runs })));
  } finally {
    await github.kill();
  }
}

/** Writes a project, a repository that has its commit as a pull request, and hooks.yaml. */
function pullRequest({ folder, home, address }) {
  const [project, origin] = [join(folder, 'commented'), join(folder, 'origin.git')];
  [project, home].forEach((path) => mkdirSync(path, { mode: 0o700 }));
  const file = join(project, 'slipway.yaml');
  writeFileSync(file, PROJECT);
  committed(project);
  const git = (...argv) =>
    execFileSync('git', ['-C', project, ...argv], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  git('clone', '-q', '--bare', '.', origin);
  git('push', '-q', origin, 'HEAD:refs/pull/1/head');
  writeFileSync(join(home, 'hooks.yaml'), hooks({ address, origin, file }), { mode: 0o600 });
  return { project, head: git('rev-parse', 'HEAD').trim() };
}

async function measured({ root, home, address, head, runs }) {
  const { KINDS } = createRequire(join(root, 'package.json'))('./dist/model/kinds.js');
  const { services } = JSON.parse(readFileSync(join(home, 'services.json'), 'utf8'));
  const connection = await Connection.connect(homeServer(root, home).server);
  const client = new Client({ connection });
  const github = async (path, body) => {
    const answer = await fetch(`${address}/control/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
    return (await answer.text()).trim();
  };
  await github('pulls', { head });
  // A push in the second of the comment would be one after it.
  await pause(2_000);
  try {
    return await inTurn(runs ?? 5, {
      comment: async () => {
        const id = await github('pulls/1/comments', { body: '/test night' });
        const delivery = await github(`delivery/${id}`);
        const replies = async () => (await github('comments')).split(' by robot,').length;
        const [before, startedMs] = [await replies(), Date.now()];
        await delivered(services.hooks.address, delivery);
        const taken = Date.now() - startedMs;
        while ((await replies()) === before) await pause(10);
        const replied = Date.now() - startedMs;
        await client.workflow.getHandle(`comment/skiff/boat/${id}`).result();
        const { events } = await client.workflow.getHandle(`pipeline/night/pr-1-c${id}`).fetchHistory();
        return { taken, replied, first: firstStepMs(events, KINDS) - startedMs };
      },
    });
  } finally {
    await connection.close();
  }
}

async function delivered(address, body) {
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const headers = { 'x-github-event': 'issue_comment', 'x-hub-signature-256': signature };
  const { status } = await fetch(`http://${address}/`, { method: 'POST', headers, body });
  if (status !== 202) throw new Error(`the door answered ${status}`);
}

/** When a worker began the first step, in milliseconds since 1970. */
function firstStepMs(events, kinds) {
  const steps = events.filter(({ activityTaskScheduledEventAttributes: one }) => one && one.activityType.name in kinds);
  const ids = new Set(steps.map(({ eventId }) => String(eventId)));
  const begun = events.filter(
    ({ activityTaskStartedEventAttributes: one }) => one && ids.has(String(one.scheduledEventId)),
  );
  return Math.min(...begun.map(({ eventTime: { seconds, nanos } }) => Number(seconds) * 1000 + nanos / 1e6));
}

function rowsOf({ comment: taken }) {
  const told = (name, of, most) =>
    row(`a comment is delivered → ${name}`, middle(taken.map((one) => one[of])), 'ms', { goal: atMost(most) });
  return [
    told('202', 'taken', 50),
    told('its reply', 'replied', 3000),
    told('the first step of its run', 'first', 5000),
  ];
}

const PROJECT = `slipway: 1
pipeline: { name: night, label: date }
source: { git: . }
steps: { build: { run: 'echo built' } }
`;

const hooks = ({ address, origin, file }) => `hooks: 1
repository: skiff/boat
address: ${address}
git: ${origin}
token: $TOKEN
secret: $SECRET
poll: off
jobs: { night: { file: ${file} } }
`;
