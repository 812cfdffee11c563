import '../adapters/tell-uncaught.js';
import { Connection } from '@temporalio/client';
import { home } from '../adapters/home.js';
import { serviceOf } from '../adapters/service-of.js';
import { serverSettings } from '../adapters/temporal/settings.js';
import { fail } from '../model/failure.js';
import { assertRole } from './assert-role.js';
import { serverRefusesWorker } from './errors.js';

/** `node role-main.js`: ends with 0 if the certificate of the environment may serve workflows. */
async function main(): Promise<void> {
  const settings = serverSettings(process.env, serviceOf(home(), 'temporal'));
  const { namespace: _, mark: __, ...server } = settings;
  const connection = await Connection.connect(server).catch((error: Error) => {
    throw fail(serverRefusesWorker(server.address, error.message), error);
  });
  await assertRole(connection, settings, null);
}

void main().then(() => process.exit());
