import type { Problem } from '../../model/failure.js';

export const targetCredentialsAbsent = (target: string, address: string, why: string): Problem => ({
  code: 'TARGET_CREDENTIALS_ABSENT',
  class: 'denied',
  message: `${target} at ${address}: ${why}`,
  next: 'Write `username` and `password` of this target into the profile as $NAME and set these variables; or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.',
});

export const credentialsHalf = (target: string, key: 'username' | 'password'): Problem => ({
  code: 'TARGET_CREDENTIALS_HALF',
  class: 'config',
  message: `${target}: the profile has a ${key} alone; a bucket needs \`username\` (the key id) and \`password\` (the secret key)`,
  next: 'Write both into the profile as $NAME, or neither: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, are then used.',
});

export const targetBucketMissing = (target: string, address: string, why: string): Problem => ({
  code: 'TARGET_BUCKET_MISSING',
  class: 'config',
  message: `${target} at ${address}: ${why}`,
  next: 'Create the bucket, or correct `address` and `endpoint` of this target in the profile.',
});
