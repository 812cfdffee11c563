import type { Problem } from '../../model/failure.js';

export const wheelAmbiguous = (url: string, names: readonly string[]): Problem => ({
  code: 'WHEEL_AMBIGUOUS',
  class: 'config',
  message: `${url} has ${names.length} wheels that fit: ${names.slice(0, 5).join(', ')}`,
  next: 'Write the whole name into `from.at`, with {python} where the Python is.',
});

export const wheelRedirects = (url: string): Problem => ({
  code: 'WHEEL_REDIRECTS',
  class: 'config',
  message: `${url} redirects without an end`,
  next: 'Correct `from.at`, or the address in the profile; `curl -IL` shows where it leads.',
});

export const wheelDenied = (url: string): Problem => ({
  code: 'WHEEL_DENIED',
  class: 'denied',
  message: `${url} asks for a credential (HTTP 401)`,
  next: 'Wheels are taken from addresses that need none: name a mirror that this network can read.',
});

export const bucketRefused = (url: string, { class: why, message }: Problem): Problem => ({
  code: 'WHEEL_BUCKET_REFUSED',
  class: why === 'denied' ? 'denied' : 'config',
  message: `the bucket of ${url} cannot be read: ${message}`,
  next: 'Give AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, off AWS, AWS_ENDPOINT_URL_S3 to workers of the queue control, or correct `from.at`.',
});

/** @param begins the first characters of the answer */
export const notAWheel = (url: string, type: string, begins: string): Problem => ({
  code: 'WHEEL_NOT_A_WHEEL',
  class: 'config',
  message: `${url} is no wheel: its Content-Type is ${JSON.stringify(type)}, and it begins with ${JSON.stringify(begins)}`,
  next: 'Open the address: a proxy or a login page may answer in its place. Then correct `from.at`.',
});

export const wheelTooLarge = (url: string, limit: string): Problem => ({
  code: 'WHEEL_TOO_LARGE',
  class: 'config',
  message: `${url} is larger than ${limit}`,
  next: 'Check that the address is the right one: no wheel is that large.',
});
