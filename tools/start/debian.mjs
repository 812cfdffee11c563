import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { quietly } from './child.mjs';
import { needsRoot, noDebian } from './problem.mjs';

const POSTGRESQL = 'postgresql-15';
/** What the services and steps call, by package; `program` tells on other systems. Without what is optional a release is planned
 * and built all the same, and says what it could not run. */
const PACKAGES = [
  { name: 'docker.io', program: '/usr/sbin/dockerd', engine: true },
  { name: 'iptables', program: '/usr/sbin/iptables', engine: true },
  { name: 'docker-registry', program: '/usr/bin/docker-registry' },
  { name: 'mmdebstrap', program: '/usr/bin/mmdebstrap' },
  { name: 'arch-test', program: '/usr/bin/arch-test' },
  { name: 'qemu-user-static', program: '/usr/bin/qemu-aarch64-static', optional: true },
  { name: 'binfmt-support', program: '/usr/sbin/update-binfmts', optional: true },
  { name: 'skopeo', program: '/usr/bin/skopeo' },
  { name: 'gnupg', program: '/usr/bin/gpg' },
  { name: 'bubblewrap', program: '/usr/bin/bwrap' },
  { name: 'nginx-light', program: '/usr/sbin/nginx' },
  { name: 'libnginx-mod-stream', program: '/usr/lib/nginx/modules/ngx_stream_module.so' },
  { name: 'openssl', program: '/usr/bin/openssl' },
  { name: 'openssh-server', program: '/usr/sbin/sshd', optional: true },
  { name: POSTGRESQL, program: '/usr/lib/postgresql/15/bin/postgres', optional: true },
];
const CLUSTERS = '/etc/postgresql-common/createcluster.conf';
const POLICY = '/usr/sbin/policy-rc.d';
const MARK = '# slipway: packages do not start their services while we install them';

/** Debian packages, by apt, where we are root; else the line to type. */
export function debian() {
  let missing = [];
  return {
    title: 'Debian packages',
    isThere: async () => {
      missing = await lookUp();
      return missing.length === 0;
    },
    make: async ({ title, onLine }) => {
      if (spawnSync('apt-get', ['--version']).error) throw noDebian(missing.map(({ program }) => program));
      const names = missing.map(({ name }) => name);
      if (process.getuid?.() !== 0) throw needsRoot(names);
      const apt = (...args) =>
        quietly(title, ['apt-get', ...args], { env: { DEBIAN_FRONTEND: 'noninteractive' }, onLine });
      await apt('update', '-q');
      const install = (...some) => apt('install', '-y', '-q', '--no-install-recommends', ...some);
      await withoutServices(async () => {
        if (names.includes(POSTGRESQL)) await withoutMainCluster(() => install('postgresql-common'));
        await install(...names);
      });
    },
  };
}

async function lookUp() {
  const may = process.getuid?.() === 0 && !spawnSync('apt-get', ['--version']).error;
  const missing = PACKAGES.filter(isMissing()).filter(({ optional }) => may || !optional);
  return missing.some(({ engine }) => engine) && (await engineAnswers())
    ? missing.filter((one) => !one.engine)
    : missing;
}

function isMissing() {
  const names = PACKAGES.map(({ name }) => name);
  const { stdout, error } = spawnSync('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...names], {
    encoding: 'utf8',
  });
  if (error) return ({ program }) => !existsSync(program);
  const installed = new Set(stdout.split('\n'));
  return ({ name }) => !installed.has(`${name} installed`);
}

/** Where an engine answers already, none is installed. */
async function engineAnswers() {
  const asked = [process.env.DOCKER_HOST, 'unix:///var/run/docker.sock'].filter(Boolean).map(ping);
  return (await Promise.all(asked)).includes(true);
}

function ping(address) {
  const where = address.startsWith('unix://')
    ? { socketPath: address.slice('unix://'.length) }
    : (({ hostname, port }) => ({ host: hostname, port }))(new URL(address));
  return new Promise((resolve) => {
    const asked = request({ ...where, path: '/_ping', timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.on('timeout', () => asked.destroy());
    asked.end();
  });
}

/** By default the package makes a database of its own, which starts with the machine. */
async function withoutMainCluster(install) {
  if (existsSync(CLUSTERS)) return;
  await install();
  const text = existsSync(CLUSTERS) ? readFileSync(CLUSTERS, 'utf8') : '';
  writeFileSync(CLUSTERS, `${text}\ncreate_main_cluster = false\n`);
}

/** A package's own daemon must not start beside ours; a policy that is there already is left alone. */
async function withoutServices(install) {
  const ours = !existsSync(POLICY) || readFileSync(POLICY, 'utf8').includes(MARK);
  if (ours) writeFileSync(POLICY, `#!/bin/sh\n${MARK}\nexit 101\n`, { mode: 0o755 });
  try {
    await install();
  } finally {
    if (ours) rmSync(POLICY, { force: true });
  }
}
