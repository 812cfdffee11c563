/** @needs s3 */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket } from '../../../src/adapters/s3-store/bucket.js';
import { createWheelServer } from '../../../src/adapters/wheel-server/wheel-server.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { aServer, type Server, withS3 } from '../s3-store/a-server.js';

const WANTED = { project: 'boat', python: 'cp311', platform: { os: 'linux', arch: 'x86_64' } } as const;
const NAME = 'boat-3.0.0-cp311-cp311-manylinux2014_x86_64.whl';
const COMMIT = 'c'.repeat(40);
const never = new AbortController().signal;

withS3('wheels in a bucket', () => {
  const wheels = createWheelServer();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bucket-wheels-'));
  const before = { ...process.env };
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
    const { endpoint, credentials } = server.settings;
    process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
    process.env['AWS_ACCESS_KEY_ID'] = credentials!.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = credentials!.secretAccessKey;
    const bucket = new Bucket(server.settings);
    const put = (path: string, body: string) =>
      bucket.client.send(new PutObjectCommand({ ...bucket.at(path), Body: body }));
    await put(`main/${COMMIT}/${NAME}`, 'PK and the rest');
    await put(`main/${COMMIT}/${NAME.replaceAll('cp311', 'cp310')}`, 'PK of another Python');
    await put(`main/${COMMIT}/deeper/${NAME}`, 'PK that is no file of the folder');
    await put(`main/login/${NAME}`, '<html>');
  });
  afterAll(async () => {
    process.env = before;
    rmSync(folder, { recursive: true });
    await server.remove();
  });
  const at = (path: string): string => `s3://slipway/main/${path}`;
  const take = (url: string, etag: string | null = null) =>
    wheels.download({ url, name: NAME }, { folder, etag, signal: never });

  test('given a folder, when a wheel fits, then it is found and downloaded, and its bytes are not sent again', async () => {
    const found = await wheels.find(at(`${COMMIT}/`), WANTED, never);
    expect(found).toEqual({ url: at(`${COMMIT}/${NAME}`), name: NAME });
    const got = (await take(at(`${COMMIT}/${NAME}`))) as { path: string; etag: string };
    expect(readFileSync(got.path, 'utf8')).toBe('PK and the rest');
    expect(await take(at(`${COMMIT}/${NAME}`), got.etag)).toBeNull();
    expect(await take(at(`${COMMIT}/${NAME}`), '"other"')).toMatchObject({ path: got.path });
  });

  test.each([
    ['a folder without objects', `${'d'.repeat(40)}/`, 'lists 0 files, and no wheel that fits'],
    ['a key without an object', `${COMMIT}/none.whl`, 'is no object of the bucket'],
  ])('given %s, when a wheel is sought, then it is not there yet', async (_, path, absent) => {
    expect(await wheels.find(at(path), WANTED, never)).toEqual({ absent });
  });

  test.each([
    ['a web page under the name of a wheel', 'WHEEL_NOT_A_WHEEL', () => take(at(`login/${NAME}`))],
    ['a bucket that is absent', 'WHEEL_BUCKET_REFUSED', () => wheels.find('s3://nobodys-bucket/a/', WANTED, never)],
  ])('given %s, then it is refused with %s', async (_, code, ask) => {
    await expect(ask()).rejects.toMatchObject({ problems: [{ code }] });
  });

  test('given a wrong secret, then it is refused as denied, with what to set', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
    const denied = createWheelServer().find(at(`${COMMIT}/`), WANTED, never);
    const error = (await denied.catch((thrown: unknown) => thrown)) as SlipwayFailure;
    expect(error.first).toMatchObject({ code: 'WHEEL_BUCKET_REFUSED', class: 'denied' });
    expect(error.first.next).toContain('AWS_SECRET_ACCESS_KEY');
    process.env['AWS_SECRET_ACCESS_KEY'] = server.settings.credentials!.secretAccessKey;
  });

  test('given a server that is down, then the wheel is not there yet, and the server is silent', async () => {
    process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:1';
    const found = await createWheelServer().find(at(`${COMMIT}/`), WANTED, never);
    expect(found).toMatchObject({ absent: expect.stringContaining('gives no answer'), silent: true });
  });
});
