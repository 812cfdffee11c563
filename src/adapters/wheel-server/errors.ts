import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';

export const wheelAmbiguous = problem.config((url: string, names: readonly string[]) => [
  'WHEEL_AMBIGUOUS',
  `${url} has ${names.length} wheels that fit: ${names.slice(0, 5).join(', ')}`,
  'Write the whole name into `from.at`, with {python} where the Python is.',
]);
export const wheelRedirects = problem.config((url: string) => [
  'WHEEL_REDIRECTS',
  `${url} redirects without an end`,
  'Correct `from.at`, or the address in the profile; `curl -IL` shows where it leads.',
]);
export const wheelDenied = problem.denied((url: string) => [
  'WHEEL_DENIED',
  `${url} asks for a credential (HTTP 401)`,
  'Wheels are taken from addresses that need none: name a mirror that this network can read.',
]);

export const bucketRefused = (url: string, { class: why, message }: Problem): Problem => ({
  code: 'WHEEL_BUCKET_REFUSED',
  class: why === 'denied' ? 'denied' : 'config',
  message: `the bucket of ${url} cannot be read: ${message}`,
  next: 'Give AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, off AWS, AWS_ENDPOINT_URL_S3 to workers of the queue control, or correct `from.at`.',
});

/** @param begins the first characters of the answer */
export const notAWheel = problem.config((url: string, type: string, begins: string) => [
  'WHEEL_NOT_A_WHEEL',
  `${url} is no wheel: its Content-Type is ${JSON.stringify(type)}, and it begins with ${JSON.stringify(begins)}`,
  'Open the address: a proxy or a login page may answer in its place. Then correct `from.at`.',
]);
export const wheelTooLarge = problem.config((url: string, limit: string) => [
  'WHEEL_TOO_LARGE',
  `${url} is larger than ${limit}`,
  'Check that the address is the right one: no wheel is that large.',
]);
