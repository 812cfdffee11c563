import { CONTROL } from '../../model/ids.js';
import type { Jar } from '../../model/schema/sections/builds.js';
import { trimmed } from '../../model/trim.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { idsOf } from '../entry.js';
import { BARE, type PlannedStep, type PlanEntry } from '../stage.js';
import { plainRef } from '../refs.js';

export const signaturesId = (jar: string): string => jar.replace(/^jars\//, 'signatures/');

/** Proves each signing key before builds start. */
export function keyProofs(context: Context): readonly PlannedStep[] {
  const signs = Object.values(context.release.jars).flatMap(({ sign }) => sign ?? []);
  const pairs = new Map(signs.map((sign) => [`${sign.key} ${sign.passphrase ?? ''}`, sign]));
  return [...pairs.values()].map(({ key, passphrase }) =>
    plannedStep('proveKey', {
      id: `prove/key/${[key, ...(passphrase === undefined ? [] : [passphrase])].map(plain).join('.')}`,
      on: CONTROL,
      params: { key, passphrase: passphrase ?? null },
      tools: ['gpg'],
    }),
  );
}

/** Converts a reference to a part of an id: `$KEY` becomes KEY, `file:/keys/release.asc` becomes file-keys-release.asc. */
const plain = (reference: string): string => trimmed(reference.replace(/[^A-Za-z0-9._]+/g, '-'), '-.').slice(0, 60);

/** Plans the signatures of a JAR entry as a step of its own, so that another key does not rebuild the JAR. */
export function signaturesItem(name: string, sign: NonNullable<Jar['sign']>, context: Context): PlanEntry {
  const path = ['jars', name, 'sign'];
  return {
    ...BARE,
    id: signaturesId(`jars/${name}`),
    path,
    needs: [{ ref: plainRef(`jars/${name}`), path }],
    make: (variant) =>
      plannedStep('signFiles', {
        id: variant.id,
        on: CONTROL,
        axes: variant.axes,
        needs: idsOf(variant),
        params: { project: name, key: sign.key, passphrase: sign.passphrase ?? null },
        tools: ['gpg'],
        retry: context.release.jars[name]!.retry,
      }),
  };
}
