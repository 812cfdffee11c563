// A process of `npm run hosts --fault HOST:delay`: stands between a builder and control, and hands on what it gets.
//   proxy.mjs ADDRESS CONTROL PORT…
// SIGUSR2 begins the fault and ends it: a round trip takes 300 ms more, and every 5 s the oldest connection is cut.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ONE_WAY_MS = 150;
const CUT_EVERY_MS = 5000;

const [address, control, ...ports] = process.argv.slice(2);
const open = new Set();
let isOn = false;
let cuts = 0;

process.on('SIGUSR2', () => {
  isOn = !isOn;
  console.error(isOn ? 'slow from here on' : `as before from here on; ${cuts} connections were cut`);
});
setInterval(() => isOn && cutOldest(), CUT_EVERY_MS);

for (const port of ports.map(Number))
  createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ host: control, port, allowHalfOpen: true, noDelay: true });
    const pair = { end: () => [near, far].forEach((one) => one.resetAndDestroy()) };
    open.add(pair);
    handOn(near, far, pair);
    handOn(far, near, pair);
  }).listen(port, address, () => console.error(`listens at ${address}:${port}`));

/** Hands bytes on in their order, each as late as it says when it comes. */
function handOn(from, to, pair) {
  let turn = Promise.resolve();
  const inTurn = (act) => {
    const due = performance.now() + (isOn ? ONE_WAY_MS : 0);
    turn = turn.then(() => waitUntil(due)).then(act);
  };
  from.on('data', (bytes) => inTurn(() => to.destroyed || to.write(bytes)));
  from.on('end', () => inTurn(() => to.end()));
  from.on('error', pair.end);
  from.on('close', () => from.errored && open.delete(pair));
  to.on('close', () => from.destroyed && open.delete(pair));
}

/** A timer leaves out parts of a millisecond, and can be early. */
async function waitUntil(due) {
  while (performance.now() < due) await sleep(Math.ceil(due - performance.now()));
}

function cutOldest() {
  const [oldest] = open;
  if (oldest === undefined) return;
  open.delete(oldest);
  oldest.end();
  cuts += 1;
}
