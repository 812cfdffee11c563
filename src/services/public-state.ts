import type { Context } from './catalog/context.js';
import { indexAddress, mavenAddress, wheelsAddress } from './catalog/web.js';
import { accessLogFile } from './folders.js';
import type { Keeper } from './keeper.js';
import type { ServicesState, ServiceState } from './state.js';

/** The state that other rooms read. nginx appears as `index`, `maven` and `wheels`; devpi is internal. */
export function publicState(context: Context, keepers: readonly Keeper[], startedAt: string): ServicesState {
  const services = keepers
    .filter(({ service, pid }) => service.name !== 'devpi' && (pid > 0 || !service.runsOurCode))
    .flatMap((keeper): [string, ServiceState][] =>
      keeper.service.name === 'web' ? webStates(context, keeper) : [[keeper.service.name, stateOf(keeper)]],
    );
  return { version: 1, supervisor: { pid: process.pid, startedAt }, services: Object.fromEntries(services) };
}

const stateOf = (keeper: Keeper): ServiceState => keeper.service.state(keeper.pid);

function webStates(context: Context, keeper: Keeper): [string, ServiceState][] {
  const { pid, log } = stateOf(keeper);
  const one = (name: string, address: string): [string, ServiceState] => [
    name,
    { pid, address, log, accessLog: accessLogFile(context.home, name) },
  ];
  return [
    one('index', indexAddress(context)),
    one('maven', mavenAddress(context)),
    one('wheels', wheelsAddress(context)),
  ];
}
