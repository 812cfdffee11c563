// Runs in a planning process before its own code. Does what the home's file `do` says, once.
const { appendFileSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const home = process.env.SLIPWAY_HOME;
const DO = {
  loop: () => {
    for (;;);
  },
  heap: () => {
    for (const all = []; ;) all.push(Array.from({ length: 1000 }, () => all.length));
  },
  buffers: () => {
    for (const all = []; ;) all.push(Buffer.alloc(2 ** 20, 1));
  },
  abort: () => process.abort(),
  find: () => {
    process.send({ no: -1, call: 'find', args: [readFileSync(join(home, 'address'), 'utf8'), {}] });
    for (;;);
  },
};

if (isMainThread) {
  writeFileSync(join(home, 'seen.json'), JSON.stringify({ pid: process.pid, env: process.env, argv: process.argv }));
  appendFileSync(join(home, 'started'), `${process.pid}\n`);
  process.on('message', () => {
    writeFileSync(join(home, 'planned'), String(process.pid));
    const what = read();
    if (what !== null) DO[what]();
  });
}

function read() {
  try {
    const what = readFileSync(join(home, 'do'), 'utf8');
    rmSync(join(home, 'do'));
    return what;
  } catch {
    return null;
  }
}
