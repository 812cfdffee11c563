import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/pages.js';

/** Returns the value of an expression over the exports `all` of a module of tools/hosts. Jest does not load these modules itself. */
export function askModule(name: string, expression: string): unknown {
  const url = pathToFileURL(join(ROOT, 'tools', 'hosts', name)).href;
  const script = `import(${JSON.stringify(url)}).then((all) => {
    const told = (act) => { try { return act(); } catch ({ code, message, next, exit }) { return { code, message, next, exit }; } };
    console.log(JSON.stringify(told(() => ${expression})));
  });`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' }));
}
