import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../json-file.js';

/** The home's store if SLIPWAY_STORE is unset. Written by `slipway up --store` and by the server that it starts. */
export interface StoreChoice {
  readonly kind: 'directory' | 's3';
  /** Address of the home's own server, once it has started, and its socket, which other users do not reach. */
  readonly endpoint?: string;
  readonly socket?: string;
}
export interface StoreKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const choiceFile = (home: string): string => join(home, 'store.json');
export const keyFile = (home: string): string => join(home, 'secrets', 's3.json');

export const readChoice = (home: string): StoreChoice =>
  readJson<StoreChoice>(choiceFile(home)) ?? { kind: 'directory' };
export const readKey = (home: string): StoreKey | null => readJson<StoreKey>(keyFile(home));

export function writeChoice(home: string, choice: StoreChoice): void {
  const half = `${choiceFile(home)}.${process.pid}.half`;
  writeFileSync(half, `${JSON.stringify(choice)}\n`);
  renameSync(half, choiceFile(home));
}
