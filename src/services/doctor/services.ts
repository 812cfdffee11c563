import { join } from 'node:path';
import { keysFolder } from '../../adapters/home-keys/open.js';
import { serviceLogins } from '../../adapters/home-keys/service-secrets.js';
import { lives, startOf } from '../../adapters/process/identity.js';
import { serverEnv } from '../../adapters/temporal/server-env.js';
import { SERVICE_SECRETS } from '../../model/service-login.js';
import { ask, basic } from '../ask.js';
import { INDEX, login } from '../catalog/devpi.js';
import { missingAttributes } from '../catalog/temporal.js';
import { queuesHere, workerName } from '../catalog/worker.js';
import { readJson } from '../files.js';
import { namespaceRefusal, unprotected } from '../namespace.js';
import { readyFile } from '../folders.js';
import { run } from '../run.js';
import { supervisor } from '../lock.js';
import { AGAIN, ill, well, type Finding, type Patient } from './check.js';

type Ask = (name: string, address: string, patient: Patient) => Promise<Finding>;
const PROBE = '.slipway/probe';

/** Each check sends a request that only a working service can answer. */
const SERVICES: Readonly<Record<string, Ask>> = {
  temporal: askTemporal,
  docker: askDocker,
  index: askIndex,
  maven: askMaven,
  staging: askRegistry,
  registry: askRegistry,
};

export function services(patient: Patient): Promise<readonly Finding[]> {
  const asked = Object.entries(SERVICES).map(([name, question]) => {
    const address = patient.state?.services[name]?.address;
    if (address === undefined) return notUp(name);
    // Another program may answer at the address, in any form.
    return question(name, address, patient).catch((error: Error) => ill(name, `${address}: ${error.message}`, AGAIN));
  });
  const s3 = patient.state?.services['s3']?.address;
  if (s3 !== undefined) asked.push(askS3('s3', s3));
  const workers = ['workflows', ...queuesHere()].map((which) => askWorker(which, patient));
  return Promise.all([askSupervisor(patient), ...asked, ...workers]);
}

const notUp = async (name: string): Promise<Finding> => ill(name, 'is not up', 'slipway up');

async function askSupervisor({ home }: Patient): Promise<Finding> {
  const holder = supervisor(home);
  return holder === null ? notUp('supervisor') : well('supervisor', `pid ${holder.pid}`);
}

async function askTemporal(name: string, address: string, { home, toolsBin, state }: Patient): Promise<Finding> {
  const cli = join(toolsBin, 'temporal');
  const [health, missing] = await Promise.all([
    run(cli, ['operator', 'cluster', 'health'], 10_000, serverEnv(home)),
    missingAttributes(cli, home),
  ]);
  if (health.code !== 0) return ill(name, `${address}: ${firstLine(health.stderr)}`, AGAIN);
  if (missing.length > 0) return ill(name, `search attributes missing: ${missing.join(', ')}`, AGAIN);
  if (state?.services['temporal']?.certificates)
    return well(name, `${address} serving behind the door, with certificates`);
  return well(name, `${address} serving. ${unprotected(namespaceRefusal() ?? 'it was so when `slipway up` began')}`);
}

async function askDocker(name: string, address: string): Promise<Finding> {
  const answer = await ask(address, '/version');
  if (answer?.status !== 200) return ill(name, `${address} does not answer`, AGAIN);
  const { Version, ApiVersion } = JSON.parse(answer.body) as { Version: string; ApiVersion: string };
  return well(name, `${address} engine ${Version}, API ${ApiVersion}`);
}

const loginTo = (name: string, { env, home }: Patient) => serviceLogins(keysFolder(env, home), SERVICE_SECRETS)(name);

async function askIndex(name: string, address: string, patient: Patient): Promise<Finding> {
  const simple = await ask(address, `${INDEX}/+simple/`);
  if (simple?.status !== 200) return ill(name, `${address} answered ${simple?.status ?? 'nothing'}`, AGAIN);
  const token = await login(address, loginTo(name, patient)?.password ?? '');
  return token === null
    ? ill(name, `${address} refuses the login of root`, AGAIN)
    : well(name, `${address} answers, root may log in`);
}

/** Writes a probe file; a second write must be refused. The file stays for later checks. */
async function askMaven(name: string, address: string, patient: Patient): Promise<Finding> {
  const headers = headersFor(name, patient);
  const put = await ask(address, `/${PROBE}`, { method: 'PUT', body: 'probe\n', headers });
  const got = await ask(address, `/${PROBE}`);
  const again = await ask(address, `/${PROBE}`, { method: 'PUT', body: 'other\n', headers });
  const written = put?.status === 201 || put?.status === 409;
  return written && got?.body === 'probe\n' && again?.status === 409
    ? well(name, `${address} takes a file once`)
    : ill(name, `${address} PUT ${put?.status}, GET ${got?.status}, PUT again ${again?.status}`, AGAIN);
}

function headersFor(name: string, patient: Patient): Record<string, string> {
  const login = loginTo(name, patient);
  return login === null ? {} : { authorization: basic(login.username, login.password) };
}

async function askRegistry(name: string, address: string, patient: Patient): Promise<Finding> {
  const answer = await ask(`http://${address}/`, '/v2/', { headers: headersFor(name, patient) });
  return answer?.status === 200 ? well(name, `${address} /v2/ answers`) : ill(name, `${address} is silent`, AGAIN);
}

async function askS3(name: string, address: string): Promise<Finding> {
  const answer = await ask(address, '/health');
  return answer?.status === 200 ? well(name, `${address} answers`) : ill(name, `${address} is silent`, AGAIN);
}

async function askWorker(which: string, patient: Patient): Promise<Finding> {
  const name = workerName(which);
  const pid = readJson<{ pid: number }>(readyFile(patient.home, which))?.pid;
  const recorded = patient.state?.services[name]?.pid;
  if (recorded === undefined || pid === undefined) return notUp(name);
  const start = startOf(pid);
  if (start === null || !lives({ pid, start })) return ill(name, `pid ${pid} is gone`, AGAIN);
  const polls = await polled(which, patient);
  return polls ? well(name, `pid ${pid} polls ${queueOf(which)}`) : ill(name, `nobody polls ${queueOf(which)}`, AGAIN);
}

/** Workflow workers poll `control`. */
const queueOf = (which: string): string => (which === 'workflows' ? 'control' : which);

async function polled(which: string, { home, toolsBin, state }: Patient): Promise<boolean> {
  if (state?.services['temporal'] === undefined) return false;
  const kind = which === 'workflows' ? 'workflow' : 'activity';
  const question = ['task-queue', 'describe', '--task-queue', queueOf(which), '--task-queue-type', kind];
  const { code, stdout } = await run(join(toolsBin, 'temporal'), [...question, '-o', 'json'], 10_000, serverEnv(home));
  return code === 0 && /"identity"/.test(stdout);
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
