import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceSecret } from '../../adapters/home-keys/service-secrets.js';
import { WHEELS_FOLDER } from '../../adapters/home.js';
import { SECRET_OF, SERVICE_SECRETS, SERVICE_USERS, type ServiceSecret } from '../../model/service-login.js';
import { ask } from '../ask.js';
import { writeAtomically } from '../files.js';
import { accessLogFile, logFile } from '../folders.js';
import { heldPorts } from '../listen.js';
import { plain, type Service } from '../service.js';
import { socketOf } from '../engine-folder.js';
import type { Context } from './context.js';
import { INDEX } from './devpi.js';
import { MARK, nginxConfig } from './web-config.js';

/** Ports of nginx. Clients send secrets to all but `wheels`. */
const PORTS = ['index', 'maven', 'wheels', 'registry', 'staging'] as const;

/** One nginx: serves the Maven repository and the static indexes of wheels, and asks for the home's secrets before the
 * Python index and the container registries. */
export function web(context: Context): Service {
  const folder = join(context.home, 'nginx');
  const config = join(folder, 'nginx.conf');
  const log = logFile(context.home, 'web');
  let mark = '';
  const held = heldPorts(PORTS.map((name) => [context.ports[name], `the service web (${name})`]));
  return {
    ...plain,
    name: 'web',
    prepare: async () => {
      mkdirSync(join(folder, 'tmp'), { recursive: true });
      for (const served of [mavenFolder, wheelsFolder]) mkdirSync(served(context.home), { recursive: true });
      for (const which of SERVICE_SECRETS) writeAtomically(passwordFile(folder, which), passwordLine(context, which));
      mark = randomBytes(16).toString('hex');
      writeAtomically(config, nginxConfig(mark, places(context, folder, log)));
      await held.open();
    },
    launch: () => ({ argv: ['/usr/sbin/nginx', '-e', log, '-p', folder, '-c', config], ...held.launch() }),
    // Another program could answer at these ports. The backends are services, whose own answers count.
    answers: async () => {
      const asked = PORTS.map((name) => ask(`http://127.0.0.1:${context.ports[name]}`, MARK));
      return (await Promise.all(asked)).every((answer) => answer?.status === 200 && answer.body === mark);
    },
    state: (pid) => ({ pid, address: `127.0.0.1:${context.ports.index}`, log }),
  };
}

/** nginx knows a secret by its hash. SHA-1 reveals nothing of 256 random bits. */
function passwordLine({ keys }: Context, which: ServiceSecret): string {
  const hash = createHash('sha1').update(serviceSecret(keys, which)!).digest('base64');
  return `${SERVICE_USERS[which]}:{SHA}${hash}\n`;
}

const passwordFile = (folder: string, which: ServiceSecret): string => join(folder, `${which}.passwords`);

const places = ({ home, ports, isRoot }: Context, folder: string, log: string) => ({
  folder,
  log,
  isRoot,
  maven: {
    ...{ port: ports.maven, root: mavenFolder(home), accessLog: accessLogFile(home, 'maven') },
    passwords: passwordFile(folder, 'publish'),
  },
  wheels: { port: ports.wheels, root: wheelsFolder(home), accessLog: accessLogFile(home, 'wheels') },
  behind: (['index', 'registry', 'staging'] as const).map((name) => ({
    ...{ name, port: ports[name], socket: socketOf(home, name === 'index' ? 'devpi' : name) },
    log:
      name === 'index' ? `"${accessLogFile(home, name)}" line` : `"${accessLogFile(home, 'refused')}" line if=$refused`,
    ...{ passwords: passwordFile(folder, SECRET_OF[name]!), isClosed: name === 'staging' },
  })),
});

const wheelsFolder = (home: string): string => join(home, WHEELS_FOLDER);
const mavenFolder = (home: string): string => join(home, 'maven');
/** pip reads `PLATFORM/simple/` below it. */
export const wheelsAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.wheels}/`;
export const mavenAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.maven}/`;
/** Upload address for twine; pip reads `+simple/` below it. */
export const indexAddress = ({ ports }: Context): string => `http://127.0.0.1:${ports.index}${INDEX}/`;
