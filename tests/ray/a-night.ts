import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { packageRoot } from '../../src/adapters/home.js';
import { Bucket } from '../../src/adapters/s3-store/bucket.js';
import type { RunId } from '../../src/model/ids.js';
import { databaseUrl } from '../../src/services/database-url.js';
import { aServer, hasS3, type Server } from '../adapters/s3-store/a-server.js';
import { freePort } from '../support/free-port.js';
import { aProject, type Project } from './a-project.js';
import { atEnd, remove, WAIT } from './at-end.js';

const BELOW = join('examples', 'ray-night');

/** A row of a report. */
export type Row = Readonly<Record<string, unknown>>;

/** The example's night in a project of its own, with reports to servers of the suite. */
export interface Night {
  readonly project: Project;
  /** Rows of the table that the report of kind postgres wrote. */
  tableRows(): Promise<readonly Row[]>;
  /** Rows of the file that the report of kind rows wrote. Null where no S3 server was built. */
  fileRows(): Promise<readonly Row[] | null>;
  close(): Promise<void>;
}

export async function aNight(): Promise<Night> {
  const secrets = mkdtempSync(join(tmpdir(), 'slipway-secrets-'));
  const bucket = hasS3 ? await aServer() : null;
  const port = String(await freePort());
  if (bucket !== null) atEnd(BUCKET, { FOLDER: bucket.folder, SERVER: String(bucket.pid) });
  const ends = [atEnd([WAIT, remove('SECRETS')], { SECRETS: secrets })];
  const end = async (): Promise<void> => {
    for (const one of ends) await one();
    await bucket?.remove();
  };
  const project = await aProject(BELOW, (folder) => {
    const top = join(folder, BELOW);
    cpSync(join(packageRoot(), BELOW), top, { recursive: true });
    const file = join(top, 'slipway.yaml');
    const release = readFileSync(file, 'utf8').replaceAll(':8270', `:${port}`);
    writeFileSync(file, `${release}${reportsTo(bucket)}`);
    mkdirSync(join(top, 'profiles'));
    writeFileSync(join(top, 'profiles', 'local.yaml'), profileOf(secrets, bucket));
    const python = join(packageRoot(), '.tools', 'ray', 'bin', 'python');
    // Sessions of Ray stay where its nodes had their temporary folder.
    const cloud = { PYTHON: python, CLOUD: join(top, 'cloud', 'cloud.py'), PORT: port, RAY_TMPDIR: secrets };
    ends.unshift(atEnd(CLOUD, cloud));
  }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const named = ['database', 'password'].map((name) => `file:${join(secrets, name)}`);
  const policy = JSON.stringify({ policy: 1, secrets: ['$SLIPWAY_INDEX_PASSWORD', ...named] });
  writeFileSync(join(project.home, 'policy.yaml'), policy, { mode: 0o600 });
  const database = databaseUrl(project.home, project.addressOf('postgres'));
  writeFileSync(join(secrets, 'database'), database);
  return {
    project,
    tableRows: () => rowsOf(database),
    fileRows: async () => (bucket === null ? null : rowsIn(bucket, (await project.runs())[0]!)),
    close: async () => {
      await project.close();
      await end();
    },
  };
}

const CLOUD = ['"$PYTHON" "$CLOUD" --port "$PORT" &', WAIT, 'kill $!', 'wait'];
/** A server that the suite removed has no folder any more, and its number may be another's. */
const BUCKET = [WAIT, '[ -e "$FOLDER" ] && kill "$SERVER"', remove('FOLDER')];

const reportsTo = (bucket: Server | null): string => `reports:
  table: { kind: postgres, table: night }
${bucket === null ? '' : '  rows: { kind: rows, to: results }\n'}`;

/** Secrets are files, because services have no environment of a test's own. */
function profileOf(secrets: string, bucket: Server | null): string {
  const table = { address: `file:${join(secrets, 'database')}` };
  if (bucket === null) return JSON.stringify({ rehearsal: true, reports: { table } });
  const { credentials, endpoint } = bucket.settings;
  writeFileSync(join(secrets, 'password'), credentials!.secretAccessKey);
  const results = {
    ...{ kind: 's3', address: 's3://slipway/rows', endpoint, username: credentials!.accessKeyId },
    password: `file:${join(secrets, 'password')}`,
  };
  return JSON.stringify({ rehearsal: true, reports: { table }, targets: { results } });
}

async function rowsOf(url: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ row: Row }>('select row from night')).rows.map(({ row }) => row);
  } finally {
    await client.end();
  }
}

async function rowsIn({ settings }: Server, run: RunId): Promise<readonly Row[]> {
  const { client } = new Bucket(settings);
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'slipway', Prefix: 'rows/' }));
  const [Key] = Contents.flatMap(({ Key: key }) => (key?.endsWith(`/${run}.jsonl`) ? [key] : []));
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'slipway', Key: Key! }));
  const lines = (await Body!.transformToString()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
