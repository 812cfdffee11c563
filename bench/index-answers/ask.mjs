import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Asks the index once, as planning does. Prints the answers that were files, and the most memory of this process and of pip's, in MB.
 * Arguments: root, file of names as JSON, oldest answer that is taken in ms. */
const [root, file, maxAgeMs] = process.argv.slice(2);
const { openIndexes } = createRequire(import.meta.url)(
  join(root, 'dist', 'adapters', 'facts', 'index-answers', 'index.js'),
);

let pipKb = 0;
const look = () => {
  for (const pid of readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)) {
    try {
      const [, kb] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      pipKb = Math.max(pipKb, Number(kb ?? 0));
    } catch {
      // It has ended.
    }
  }
};
const timer = setInterval(look, 50);
const projects = JSON.parse(readFileSync(file, 'utf8')).map((name) => ({ name, versions: ['1.0.0', '1.2.0'] }));
const answers = await openIndexes({ offline: false })(projects, Number(maxAgeMs));
clearInterval(timer);
const files = Object.values(answers).filter(({ state }) => state === 'files').length;
console.log(JSON.stringify({ files, mb: (process.resourceUsage().maxRSS + pipKb) / 1024 }));
