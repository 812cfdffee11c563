import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { toolsBin } from '../../src/adapters/home.js';

const HOLD = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
db.execute('begin immediate')
print('held', flush=True)
sys.stdin.read()`;

/** Takes the index's database for writing, as another of its transactions would. */
export async function holdWrites(home: string): Promise<{ release(): Promise<void> }> {
  const argv = ['-c', HOLD, join(home, 'devpi', '.sqlite')];
  const child = spawn(join(toolsBin(), 'python'), argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    release: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
