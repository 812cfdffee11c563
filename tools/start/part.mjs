import { stopIfAsked } from './child.mjs';

const live = process.stderr.isTTY === true;
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** One part of the set-up: nothing where it is there, else a line when it starts and how long it took. */
export async function part({ title, isThere, make }) {
  stopIfAsked();
  if (await isThere()) return false;
  const begun = performance.now();
  if (!live) console.error(`${title} …`);
  const onLine = (line) => live && rewrite(`${title} · ${seconds(performance.now() - begun)} · ${line.trim()}`);
  onLine('');
  await make({ onLine, title });
  if (live) rewrite('');
  console.error(`${title.padEnd(34)} ${seconds(performance.now() - begun).padStart(8)}`);
  return true;
}

function rewrite(text) {
  process.stderr.write(`\r\u001b[2K${text.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1))}`);
}
