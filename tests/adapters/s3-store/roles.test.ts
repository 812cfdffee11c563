/** @needs s3 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutBucketPolicyCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { once } from '../../../src/adapters/facts/index.js';
import { packageRoot } from '../../../src/adapters/home.js';
import { createS3Store } from '../../../src/adapters/s3-store/index.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { provedRecord } from '../../../src/model/proved-records.js';
import { records } from '../../../src/model/run-folder.js';
import { sha256 } from '../../support/run-body.js';
import { aServer, type Server, withS3 } from './a-server.js';

const RUN = '01a202a3-625f-78e2-b6c0-91d946cd97c9';
const LATEST = { commit: 'a'.repeat(40), at: '2026-11-22T00:00:00Z', version: '1.0', run: RUN };
const [KEY, TEXT] = [sha256('key'), sha256('text')];

/** Records that only control writes. */
const CONTROLS = [
  ...['seal/manifest', 'gates/ship', 'attest/release', 'publish/index/wheels.skiff', 'point/hub/latest'].flatMap(
    (step) => [1, 2].map((round) => records.result(RUN, step, round)),
  ),
  ...[records.audit(RUN, 1), records.rounds(RUN, 2), records.approval('release/skiff/1.0', 'ship', 'a')],
  ...[records.spent(KEY, TEXT), records.planSignature(KEY), records.status(RUN), records.report(RUN)],
  ...[records.prunes({ pipeline: 'p', profile: 'live', target: 't' }, 1), records.folderPrunes('p', 1)],
  ...[records.indexed(KEY, 'debian-12', TEXT), records.bisects('2026-11-22', 1)],
  ...[`runs/${RUN}/claims/${'a'.repeat(64)}/index/a.whl`, records.ledger('live/index', 'a.whl/done-1')],
];
/** Records that builders write. Steps may have names of control's folders. */
const BUILDERS = [
  ...['wheels/skiff/cp312', 'wheels/seal/cp312', 'tests/audit/publish', 'steps/point'].map((step) =>
    records.result(RUN, step),
  ),
  ...[records.result(RUN, 'wheels/seal/cp312', 2), records.known(KEY), records.memory(RUN, 'images/audit/x', 'id')],
  ...[records.log(RUN, 'tests/claims', 1), records.started(RUN)],
];

withS3('roles on S3', () => {
  let server: Server;
  const as = (name: 'builder' | 'control') => {
    const credentials = { accessKeyId: name, secretAccessKey: name };
    return createS3Store({ ...server.settings, credentials }, server.folder);
  };
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: SlipwayFailure) => error.first.code,
    );
  beforeAll(async () => {
    server = await aServer(['builder', 'control']);
    const { endpoint, region, credentials, bucket } = server.settings;
    const text = readFileSync(join(packageRoot(), 'config', 's3-policy.json'), 'utf8');
    const names = { BUCKET: bucket, CONTROL: 'control', BUILDER: 'builder' } as const;
    // On a file system a policy is an attribute of four kilobytes.
    const Policy = JSON.stringify(JSON.parse(text)).replace(
      /BUCKET|CONTROL|BUILDER/g,
      (name) => names[name as keyof typeof names],
    );
    const client = new S3Client({
      endpoint: endpoint!,
      region: region!,
      credentials: credentials!,
      forcePathStyle: true,
    });
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
  });
  afterAll(() => server.remove());

  it.each(CONTROLS)('given %s, then only control writes it, once, and builders read it', async (name) => {
    expect(await codeOf(as('builder').create(name, { by: 'builder' }))).toBe('STORE_DENIED');
    expect(await as('control').create(name, { by: 'control' })).toMatchObject({ created: true });
    expect(await as('control').create(name, { by: 'control again' })).toMatchObject({ created: false });
    expect(await codeOf(as('builder').setAside(name, { by: 'control' }))).toBe('STORE_DENIED');
    expect(await as('builder').read(name)).toEqual({ by: 'control' });
  });

  it.each(BUILDERS)('given %s, then builders write it', async (name) => {
    expect(provedRecord(name)?.role).not.toBe('control');
    expect(await as('builder').create(name, { by: 'builder' })).toMatchObject({ created: true });
  });

  // A server on a file system cannot make a folder where a file is.
  it.each(['spent', 'standings', `runs/${RUN.replace('01', '02')}/audit`])(
    'given no record below %s yet, when a builder takes that name, then it is refused',
    async (folder) => {
      const { endpoint, region, bucket } = server.settings;
      const credentials = { accessKeyId: 'builder', secretAccessKey: 'builder' };
      const client = new S3Client({ endpoint: endpoint!, region: region!, credentials, forcePathStyle: true });
      const taken = client.send(new PutObjectCommand({ Bucket: bucket, Key: `records/${folder}`, Body: 'x' }));
      await expect(taken).rejects.toMatchObject({ name: 'AccessDenied' });
    },
  );

  it('given a branch, when a builder moves what is latest of it, then it is refused', async () => {
    const moved = as('builder')
      .layout('skiff')
      .moveLatest('main', LATEST, () => true);
    expect(await codeOf(moved)).toBe('STORE_DENIED');
    expect(
      await as('control')
        .layout('skiff')
        .moveLatest('main', LATEST, () => true),
    ).toEqual(LATEST);
  });

  it('given every record that control signs, then builders cannot write it', () => {
    const signed = CONTROLS.filter((name) => provedRecord(name)?.role === 'control');
    const kinds = new Set(signed.map((name) => provedRecord(name)!.purpose.replace(/^(runs\/)[^/]+/, '$1RUN')));
    expect(kinds.size).toBeGreaterThanOrEqual(14);
  });

  it('given bytes, then builders store them, and control verifies them', async () => {
    const { digest } = await as('builder').put(once('a wheel'));
    expect(await as('control').sound(digest)).toBe(true);
  });
});
