import { problem } from '../../model/problem.js';

export const targetCredentialsAbsent = problem.denied((target: string, address: string, why: string) => [
  'TARGET_CREDENTIALS_ABSENT',
  `${target} at ${address}: ${why}`,
  'Write `username` and `password` of this target into the profile as $NAME and set these variables; or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.',
]);
export const credentialsHalf = problem.config((target: string, key: 'username' | 'password') => [
  'TARGET_CREDENTIALS_HALF',
  `${target}: the profile has a ${key} alone; a bucket needs \`username\` (the key id) and \`password\` (the secret key)`,
  'Write both into the profile as $NAME, or neither: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, are then used.',
]);
export const targetBucketMissing = problem.config((target: string, address: string, why: string) => [
  'TARGET_BUCKET_MISSING',
  `${target} at ${address}: ${why}`,
  'Create the bucket, or correct `address` and `endpoint` of this target in the profile.',
]);
