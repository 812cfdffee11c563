import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/pages.js';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
}
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Places where Node looks for a package that the one at `path` names, nearest first. */
function placesOf(path: string, name: string): readonly string[] {
  const folders = [
    path,
    ...path.split('/node_modules/').map((_, at, parts) => parts.slice(0, at).join('/node_modules/')),
  ];
  return [
    ...folders.filter((folder) => folder !== '').map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
}

test('given an optional package of any system, then the lock has it, because `npm ci` refuses a lock without it', () => {
  const absent = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesOf(path, name).some((place) => packages[place] !== undefined))
      .map((name) => `${path} wants ${name}`),
  );
  expect(absent).toEqual([]);
});

test('given the lock, then it names no address of a registry', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});
