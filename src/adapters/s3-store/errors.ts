import type { Problem } from '../../model/failure.js';
import { STORE } from '../../model/outage.js';

export const addressRefused = (address: string): Problem => ({
  code: 'STORE_ADDRESS_REFUSED',
  class: 'config',
  message: `SLIPWAY_STORE is ${JSON.stringify(address)}, which is not an address of a store`,
  next: 'Write s3://bucket/prefix, or unset SLIPWAY_STORE: the store is then a folder under SLIPWAY_HOME.',
});

export const settingRefused = (name: string, value: string, wanted: string): Problem => ({
  code: 'STORE_SETTING_REFUSED',
  class: 'config',
  message: `${name} is ${JSON.stringify(value.slice(0, 80))}; it is ${wanted}`,
  next: `Set ${name} to ${wanted}, or unset it.`,
});

export const ownServerNotUp = (): Problem => ({
  code: 'STORE_NOT_UP',
  class: 'config',
  message: 'the store of this home is an S3 server of its own that was never started',
  next: 'Type `slipway up`; `slipway up --store directory` keeps everything in a folder again.',
});

export const bucketMissing = (bucket: string, endpoint: string): Problem => ({
  code: 'STORE_BUCKET_MISSING',
  class: 'config',
  message: `there is no bucket ${bucket} at ${endpoint}`,
  next: `Create it (\`aws s3 mb s3://${bucket}\`), or name another one in SLIPWAY_STORE.`,
});

export const storeDenied = (bucket: string, endpoint: string, why: string): Problem => ({
  code: 'STORE_DENIED',
  class: 'denied',
  message: `${endpoint} refused our credentials for the bucket ${bucket}: ${why}`,
  next: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, to a user who may list, read and write there; set them for the workers too.',
});

export const credentialsAbsent = (bucket: string, endpoint: string, why: string): Problem => ({
  code: 'STORE_CREDENTIALS_ABSENT',
  class: 'denied',
  message: `no credentials were found for the bucket ${bucket} at ${endpoint}: ${why}`,
  next: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; set them for the workers too.',
});

export const settingsRefused = (endpoint: string, why: string): Problem => ({
  code: 'STORE_SETTINGS_REFUSED',
  class: 'config',
  message: `the S3 store at ${endpoint} cannot be used as it is set: ${why}`,
  next: 'Correct SLIPWAY_STORE, SLIPWAY_S3_ENDPOINT, SLIPWAY_S3_PATH_STYLE or AWS_REGION.',
});

export const storeUnreachable = (endpoint: string, why: string): Problem => ({
  code: 'STORE_UNREACHABLE',
  class: 'infra',
  service: STORE,
  message: `the S3 store at ${endpoint} does not answer: ${why}`,
  next: 'Retries have failed. Start the server, or correct SLIPWAY_S3_ENDPOINT; stored data is kept, and a step retries.',
});

export const notKept = (place: string, what: string): Problem => ({
  code: 'STORE_NOT_KEPT',
  class: 'infra',
  message: `the server confirmed the write of ${place}, but ${what}`,
  next: 'The object was removed, and the step retries. If it happens twice, the server loses data: read its log.',
});

export const changedMeanwhile = (path: string): Problem => ({
  code: 'FILE_CHANGED',
  class: 'infra',
  message: `${path} changed while it was written into the store`,
  next: 'Nothing was stored, and the step retries. Find the program that still writes to that file.',
});

export const pointerBusy = (name: string, times: number): Problem => ({
  code: 'POINTER_BUSY',
  class: 'infra',
  message: `other writers moved the pointer ${name} ${times} times meanwhile`,
  next: 'The step retries. If it stays so, find the program that moves the pointer in a loop.',
});
