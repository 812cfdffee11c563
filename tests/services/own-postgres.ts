import { createServices, type Services } from '../../src/services/create-services.js';
import { aHome } from './a-home.js';

const quiet = { onLine: (): void => undefined };

/** Starts a PostgreSQL server of its own before the tests of a suite, and ends it after them. Its fields are there from
 * the first test on. */
export function ownPostgres(): { home: string; services: Services } {
  const own = {} as { home: string; services: Services };
  let remove = (): void => undefined;
  beforeAll(async () => {
    const made = await aHome();
    remove = made.remove;
    Object.assign(own, { home: made.home, services: createServices(made.env, ['postgres']) });
    await own.services.up(quiet);
  });
  afterAll(async () => {
    await own.services.down(quiet);
    remove();
  });
  return own;
}
