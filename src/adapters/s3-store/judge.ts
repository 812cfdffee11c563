import { classify } from '../../model/classify.js';
import type { FailureClass, Problem } from '../../model/failure.js';
import { bucketMissing, credentialsAbsent, settingsRefused, storeDenied, storeUnreachable } from './errors.js';
import type { S3Settings } from './settings.js';

interface Answered {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
const of = (error: unknown): Answered => (error ?? {}) as Answered;
const status = (error: unknown): number => of(error).$metadata?.httpStatusCode ?? 0;
const named = (error: unknown, ...names: readonly string[]): boolean => names.includes(of(error).name ?? '');

/** True for a missing key. A HEAD response cannot distinguish it from a missing bucket or account. */
export const isMissing = (error: unknown): boolean => status(error) === 404 && !isNoBucket(error) && !isRefused(error);
export const isNoBucket = (error: unknown): boolean => named(error, 'NoSuchBucket');
/** True if a condition failed: another writer was first. */
export const isTaken = (error: unknown): boolean => status(error) === 412;
/** True if a retry may succeed: a concurrent write of the same key (409), a server error, a broken connection. */
export const mayPass = (error: unknown): boolean => classOf(error) === 'infra';

const isRefused = (error: unknown): boolean => classOf(error) === 'denied';

function classOf(error: unknown): FailureClass {
  const { name, code, message } = of(error);
  return classify({
    of: 'bucket',
    status: status(error),
    words: `${code} ${message}`,
    ...(name !== undefined && { name }),
  }).class;
}

/** A server's words may repeat what it was sent, so credentials are removed. */
function why(error: unknown, { credentials }: S3Settings): string {
  const { name, message, code } = of(error);
  const said = [name === 'Error' ? code : name, message].filter(Boolean).join(': ') || String(error);
  const hidden = credentials === undefined ? [] : [credentials.secretAccessKey, credentials.accessKeyId];
  return hidden.filter(Boolean).reduce((text, one) => text.replaceAll(one, '***'), said);
}

export const placeOf = ({ endpoint, region }: S3Settings): string => endpoint ?? `AWS ${region ?? ''}`.trim();

/** Returns the problem of an SDK error. Null for unknown errors, and for conditions that callers handle. */
export function problemOf(error: unknown, settings: S3Settings): Problem | null {
  const place = placeOf(settings);
  if (isNoBucket(error)) return bucketMissing(settings.bucket, place);
  if (isMissing(error) || isTaken(error)) return null;
  const said = why(error, settings);
  if (named(error, 'CredentialsProviderError')) return credentialsAbsent(settings.bucket, place, said);
  if (isRefused(error)) return storeDenied(settings.bucket, place, said);
  if (mayPass(error)) return storeUnreachable(place, said);
  return classOf(error) === 'config' ? settingsRefused(place, said) : null;
}
