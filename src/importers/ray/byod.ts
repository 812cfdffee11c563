import { digestOf, type Hash, short } from '../../model/digest.js';
import type { JsonObject } from '../../model/json.js';
import { literalValue } from '../../model/secret.js';

/** An image of its own that a test needs. */
export interface Byod {
  readonly type: string;
  /** Ids of the files' contents in git, by key. Upstream's image is named by the files' names. */
  readonly contents: Readonly<Record<string, string>>;
  readonly rayVersion: string | null;
}

/** Name of the image: the same for all tests that want the same contents. */
export const byodImage = (byod: Byod, python: string, hash: Hash): string =>
  `byod-${short(digestOf({ ...byod, python }, hash))}`;

/** The one Python of a byod type. Undefined: any. */
export const BYOD_PYTHON: Readonly<Record<string, string>> = {
  gpu: '3.10',
  'gpu-cu130': '3.12',
  'llm-cu128': '3.11',
  'llm-cu130': '3.12',
};

/** `[K=V, K]` as variables. `K` alone is looked up in the attempt, where SLIPWAY_BUILD_ENV lists it; `V` never is. */
export const runtimeVariables = (said: readonly string[]): JsonObject =>
  Object.fromEntries(
    said.map((one) => {
      const [, key, value] = /^([^=]+)=([^]*)$/.exec(one) ?? [];
      return key === undefined || value === undefined ? [one, `$${one}`] : [key, literalValue(value)];
    }),
  );
