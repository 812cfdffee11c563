import { createHash } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Followed } from './follow-hash.js';

/** Hashes a file as far as it is written, waits for more, and answers the digest once it has ended. */
const { path, grown } = workerData as Followed;
const file = openSync(path, 'r');
const buffer = Buffer.allocUnsafeSlow(1 << 20);
const hash = createHash('sha256');
let at = 0;

for (let now = Atomics.load(grown, 0); ; now = Atomics.load(grown, 0)) {
  readUpTo(Number(now >> 1n));
  if (now & 1n) break;
  Atomics.wait(grown, 0, now);
}
parentPort!.postMessage(hash.digest('hex'));

function readUpTo(total: number): void {
  while (at < total) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, total - at), at);
    if (length === 0) return; // somebody cut it: the digest of what is left will say so
    hash.update(buffer.subarray(0, length));
    at += length;
  }
}
