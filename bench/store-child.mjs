// One way of carrying a file through a store; prints `{ms, put, mb}`: milliseconds in all and of the way in, most resident.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [root, what, options] = process.argv.slice(2);
const { folder, file, out, endpoint, key } = JSON.parse(options);
const require = createRequire(join(root, 'package.json'));
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const credentials = { accessKeyId: 'bench', secretAccessKey: 'the secret of a bench' };

/** Loaded, and connected, before the clock starts. */
const ways = {
  folder: () => stored(require('./dist/adapters/store/directory.js').createDirectoryStore(folder)),
  s3: async () => {
    const { createS3Store } = require('./dist/adapters/s3-store/index.js');
    const { ownServer } = require('./dist/adapters/s3-store/settings.js');
    const store = createS3Store(ownServer(endpoint, credentials), join(out, '..'));
    await store.read('warm/up');
    return stored(store);
  },
  plain: async () => {
    const { S3Client, PutObjectCommand, GetObjectCommand, HeadBucketCommand } = require('@aws-sdk/client-s3');
    const client = new S3Client({
      ...{ endpoint, credentials, region: 'us-east-1', forcePathStyle: true },
      ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    });
    const at = { Bucket: 'slipway', Key: key };
    await client.send(new HeadBucketCommand({ Bucket: at.Bucket }));
    return {
      put: async () => {
        const body = {
          Body: createReadStream(file, { highWaterMark: 1 << 20 }),
          ContentLength: (await stat(file)).size,
        };
        await client.send(new PutObjectCommand({ ...at, ...body }));
      },
      get: async () => pipeline((await client.send(new GetObjectCommand(at))).Body, createWriteStream(out)),
    };
  },
};

function stored(store) {
  let digest;
  return {
    put: async () => ({ digest } = await store.putFile(file)),
    get: () => store.fetch(digest, out),
  };
}

const { put, get } = await ways[what]();
const begun = performance.now();
await put();
const half = performance.now();
await get();
const ms = performance.now() - begun;
const mb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ ms, put: half - begun, mb }));
