import { execFileSync, spawnSync } from 'node:child_process';
import { Problem } from '../start/problem.mjs';

/** A private range that no other part of Slipway uses. The bridge is the only way between the namespaces, and none has a route to
 * anything else. */
export const BRIDGE = { name: 'slipway0', address: '10.213.7.1' };
const ADDRESSES = { control: '10.213.7.11', 'build-x86': '10.213.7.12', 'build-arm': '10.213.7.13' };
export const HOSTS = Object.keys(ADDRESSES);
export const addressOf = (host) => ADDRESSES[host];
const behindProxy = new Set();
/** From then on a builder reaches control at the address of the bridge (proxy.mjs). */
export const putProxyBefore = (host) => behindProxy.add(host);
export const controlFor = (host) => (behindProxy.has(host) ? BRIDGE.address : addressOf('control'));
export const namespaceOf = (host) => `slipway-${host}`;
const linkOf = (host) => `slw-${host}`;

const ip = (...argv) => execFileSync('ip', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
const inside = (host, ...argv) => ip('-n', namespaceOf(host), ...argv);
const isThere = (...argv) => spawnSync('ip', argv, { stdio: 'ignore' }).status === 0;

/** Throws HOSTS_NEED_ROOT, HOSTS_NEED_IP or HOSTS_ARE_UP. */
export function assertPossible() {
  if (process.getuid() !== 0) {
    const next = 'Type the same command as root; `npm start -- EXAMPLE` releases on one machine without it.';
    throw new Problem('HOSTS_NEED_ROOT', `user ${process.getuid()} may not make network namespaces`, next);
  }
  if (spawnSync('ip', ['-V'], { stdio: 'ignore' }).error) {
    const next = 'Install it (Debian: `apt-get install iproute2`), then the same command again.';
    throw new Problem('HOSTS_NEED_IP', 'the program ip is not on PATH, and it makes the namespaces', next);
  }
  if (isThere('link', 'show', BRIDGE.name)) {
    const next = `End it; if none runs, \`ip link del ${BRIDGE.name}\` and \`ip netns del\` for each of ${HOSTS.map(namespaceOf).join(', ')}.`;
    throw new Problem('HOSTS_ARE_UP', `the bridge ${BRIDGE.name} is there: another \`npm run hosts\` uses it`, next);
  }
}

export function makeNetwork() {
  ip('link', 'add', BRIDGE.name, 'type', 'bridge');
  ip('addr', 'add', `${BRIDGE.address}/24`, 'dev', BRIDGE.name);
  ip('link', 'set', BRIDGE.name, 'up');
  for (const host of HOSTS) {
    ip('netns', 'add', namespaceOf(host));
    ip('link', 'add', linkOf(host), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespaceOf(host));
    ip('link', 'set', linkOf(host), 'master', BRIDGE.name, 'up');
    inside(host, 'link', 'set', 'lo', 'up');
    inside(host, 'addr', 'add', `${ADDRESSES[host]}/24`, 'dev', 'eth0');
    inside(host, 'link', 'set', 'eth0', 'up');
  }
}

/** Pids of a namespace, which is ours alone. */
export const pidsIn = (host) =>
  spawnSync('ip', ['netns', 'pids', namespaceOf(host)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);

export function removeNetwork() {
  for (const host of HOSTS) spawnSync('ip', ['netns', 'del', namespaceOf(host)], { stdio: 'ignore' });
  spawnSync('ip', ['link', 'del', BRIDGE.name], { stdio: 'ignore' });
}

/** Cuts the cable of a host, or mends it. */
export const setLink = (host, state) => ip('link', 'set', linkOf(host), state);
