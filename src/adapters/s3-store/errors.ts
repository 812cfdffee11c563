import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { STORE } from '../../model/outage.js';

export const sdkAbsent = problem.config(() => [
  'S3_SDK_ABSENT',
  'the store of this home is on S3, and the packages that read it are not installed beside slipway',
  'Type `npm i @aws-sdk/client-s3 @aws-sdk/lib-storage`.',
]);
export const addressRefused = problem.config((address: string) => [
  'STORE_ADDRESS_REFUSED',
  `SLIPWAY_STORE is ${JSON.stringify(address)}, which is not an address of a store`,
  'Write s3://bucket/prefix, or unset SLIPWAY_STORE: the store is then a folder under SLIPWAY_HOME.',
]);
export const settingRefused = problem.config((name: string, value: string, wanted: string) => [
  'STORE_SETTING_REFUSED',
  `${name} is ${JSON.stringify(value.slice(0, 80))}; it is ${wanted}`,
  `Set ${name} to ${wanted}, or unset it.`,
]);
export const ownServerNotUp = problem.config(() => [
  'STORE_NOT_UP',
  'the store of this home is an S3 server of its own that was never started',
  'Type `slipway up`; `slipway up --store directory` keeps everything in a folder again.',
]);
export const bucketMissing = problem.config((bucket: string, endpoint: string) => [
  'STORE_BUCKET_MISSING',
  `there is no bucket ${bucket} at ${endpoint}`,
  `Create it (\`aws s3 mb s3://${bucket}\`), or name another one in SLIPWAY_STORE.`,
]);
export const storeDenied = problem.denied((bucket: string, endpoint: string, why: string) => [
  'STORE_DENIED',
  `${endpoint} refused our credentials for the bucket ${bucket}: ${why}`,
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, to a user who may list, read and write there; set them for the workers too.',
]);
export const credentialsAbsent = problem.denied((bucket: string, endpoint: string, why: string) => [
  'STORE_CREDENTIALS_ABSENT',
  `no credentials were found for the bucket ${bucket} at ${endpoint}: ${why}`,
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; set them for the workers too.',
]);
export const settingsRefused = problem.config((endpoint: string, why: string) => [
  'STORE_SETTINGS_REFUSED',
  `the S3 store at ${endpoint} cannot be used as it is set: ${why}`,
  'Correct SLIPWAY_STORE, SLIPWAY_S3_ENDPOINT, SLIPWAY_S3_PATH_STYLE or AWS_REGION.',
]);

export const storeUnreachable = (endpoint: string, why: string): Problem => ({
  code: 'STORE_UNREACHABLE',
  class: 'infra',
  service: STORE,
  message: `the S3 store at ${endpoint} does not answer: ${why}`,
  next: 'Retries have failed. Start the server, or correct SLIPWAY_S3_ENDPOINT; stored data is kept, and a step retries.',
});

export const notKept = problem.infra((place: string, what: string) => [
  'STORE_NOT_KEPT',
  `the server confirmed the write of ${place}, but ${what}`,
  'The object was removed, and the step retries. If it happens twice, the server loses data: read its log.',
]);
export const changedMeanwhile = problem.infra((path: string) => [
  'FILE_CHANGED',
  `${path} changed while it was written into the store`,
  'Nothing was stored, and the step retries. Find the program that still writes to that file.',
]);
export const pointerBusy = problem.infra((name: string, times: number) => [
  'POINTER_BUSY',
  `other writers moved the pointer ${name} ${times} times meanwhile`,
  'The step retries. If it stays so, find the program that moves the pointer in a loop.',
]);
