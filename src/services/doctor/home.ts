import { existsSync, lstatSync } from 'node:fs';
import { wideParts } from '../../adapters/private-home.js';
import { ill, well, type Finding, type Patient } from './check.js';

const NAMED = 3;

export function askHome({ home }: Patient): Finding {
  if (!existsSync(home)) return well('home', `${home} is not made yet`);
  const wide = wideParts(home);
  const told = wide.slice(0, NAMED).map(({ path, mode }) => `${path} has mode ${mode.toString(8)}`);
  if (wide.length > NAMED) told.push(`and ${wide.length - NAMED} more`);
  return wide.length === 0
    ? well('home', `${home} has mode ${(lstatSync(home).mode & 0o777).toString(8)}`)
    : ill('home', `other users may reach it: ${told.join(', ')}`, 'slipway up');
}
