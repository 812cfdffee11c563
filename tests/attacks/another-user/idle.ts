import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ask } from '../../../src/services/ask.js';
import { until } from '../../support/until.js';
import { OTHER, type Attack, type Ground } from './ground.js';

/** More than nginx takes at once, each with the start of a request. They stay open until this process ends. */
const FILL = `import resource, socket, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
opened = []
for _ in range(8300):
    try:
        one = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
        one.sendall(b"GET / HTTP/1.1\\r\\nX")
        opened.append(one)
    except OSError:
        break
print(len(opened), flush=True)
sys.stdin.read()`;

async function fill(port: number): Promise<ChildProcess> {
  const child = spawn('python3', ['-c', FILL, String(port)], {
    ...OTHER,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [opened] = (await once(child.stdout!, 'data')) as [Buffer];
  expect(Number(opened.toString())).toBe(8_300);
  return child;
}

/** Fills a port, and resolves once the owner is served while the connections are still there. */
async function served(port: number, asks: () => Promise<boolean>): Promise<void> {
  const child = await fill(port);
  const begun = performance.now();
  await until(asks);
  // nginx closes a connection without a request after a minute by default.
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(child.exitCode).toBeNull();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const portOf = (ground: Ground, name: string): number => Number(/:(\d+)/.exec(ground.services.address(name)!)![1]);

export const idle: readonly Attack[] = [
  {
    title: '[D1] opens 8,300 connections to the door and shows no certificate: they end soon, and the owner is served',
    run: (ground) =>
      served(portOf(ground, 'temporal'), async () => (await ground.workflows().catch(() => null)) !== null),
  },
  {
    title: '[D3] opens 8,300 connections to the index and ends no request: they end soon, and the owner is served',
    run: (ground) =>
      served(portOf(ground, 'index'), async () => (await ask(ground.services.address('maven')!, '/'))?.status === 200),
  },
];
