import { Agent, type AgentOptions } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import {
  GetObjectCommand,
  type HeadObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { isMissing, isTaken, mayPass, placeOf, problemOf } from './judge.js';
import type { S3Settings } from './settings.js';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** Shorter outages are not reported. */
const TOLD_AFTER_MS = 1_000;
const SILENCE_MS = 60_000;

interface ObjectText {
  readonly text: string | null;
  readonly etag: string;
  readonly Metadata: Readonly<Record<string, string>>;
}

export class Bucket {
  readonly client: S3Client;
  private wasSeen = false;
  /** Requests that have been retrying for a while. */
  private readonly waiting = new Set<symbol>();

  constructor(readonly settings: S3Settings) {
    // Hides the SDK's notice about later Node versions: its version is pinned.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    this.client = new S3Client(clientSettings(settings));
  }

  at(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: this.settings.prefix + path };
  }

  place(path: string): string {
    return `s3://${this.settings.bucket}/${this.settings.prefix}${path}`;
  }

  /** Retries transient errors until `patienceMs` is over. Rethrows missing keys and failed conditions. */
  async patiently<T>(action: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const request = Symbol();
    try {
      for (let tries = 0; ; tries += 1) {
        try {
          return await action();
        } catch (error) {
          if (error instanceof SlipwayFailure) throw error;
          const lastedMs = performance.now() - begun;
          if (lastedMs >= this.settings.patienceMs || !mayPass(error)) throw this.told(error);
          if (lastedMs >= TOLD_AFTER_MS) this.waiting.add(request);
          await wait(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2));
        }
      }
    } finally {
      this.waiting.delete(request);
    }
  }

  /** Returns what requests currently wait for. Null while the server answers. The text is constant, because every
   * change would notify observers again. */
  waitsFor(): string | null {
    return this.waiting.size === 0 ? null : `the S3 store at ${placeOf(this.settings)} does not answer`;
  }

  head(path: string): Promise<HeadObjectCommandOutput | null> {
    return this.unlessMissing(() =>
      this.client.send(new HeadObjectCommand({ ...this.at(path), ChecksumMode: 'ENABLED' })),
    );
  }

  /** Returns the paths of all objects below a folder. */
  keysUnder(folder: string): Promise<string[]> {
    return this.patiently(async () => {
      const found: string[] = [];
      const { Bucket, Key: Prefix } = this.at(folder);
      for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket, Prefix }))
        for (const { Key } of page.Contents ?? []) found.push(Key!.slice(this.settings.prefix.length));
      return found;
    });
  }

  /** Reads an object into memory. Null if the key is missing. `text` is null for an object of more bytes. */
  text(path: string, mostBytes: number): Promise<ObjectText | null> {
    return this.unlessMissing(async () => {
      const found = await this.client.send(new GetObjectCommand(this.at(path)));
      const { Body, Metadata = {}, ETag: etag = '', ContentLength = 0 } = found;
      if (ContentLength <= mostBytes) return { text: (await Body?.transformToString('utf8')) ?? '', etag, Metadata };
      (Body as { destroy?(): void } | undefined)?.destroy?.();
      return { text: null, etag, Metadata };
    });
  }

  /** Asks patiently. Null if the key is missing. Throws STORE_BUCKET_MISSING. */
  async unlessMissing<T>(action: () => Promise<T>): Promise<T | null> {
    return this.patiently(action).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await this.mustExist();
      return null;
    });
  }

  /** Throws STORE_BUCKET_MISSING if the bucket, and not just a key, is missing. */
  private async mustExist(): Promise<void> {
    if (this.wasSeen) return;
    // A listing, because a HEAD response has no body to say what is missing.
    const ask = new ListObjectsV2Command({ Bucket: this.settings.bucket, Prefix: this.settings.prefix, MaxKeys: 1 });
    await this.patiently(() => this.client.send(ask));
    this.wasSeen = true;
  }

  private told(error: unknown): unknown {
    const problem = problemOf(error, this.settings);
    return problem === null ? error : fail(problem, error);
  }
}

const nothing = (): void => undefined;
/** Silences the SDK's console warning that it cannot retry a stream: Slipway retries with a new one. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Disables the SDK's checksums: Slipway sends its own SHA-256 with every object and checks it on every read. */
const clientSettings = ({ endpoint, socket, region, pathStyle, credentials, silenceMs = SILENCE_MS }: S3Settings) => ({
  ...(endpoint ? { endpoint } : {}),
  ...(region ? { region } : {}),
  ...(credentials ? { credentials } : {}),
  forcePathStyle: pathStyle,
  logger: silent,
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
  requestHandler: {
    ...{ connectionTimeout: 5_000, socketTimeout: silenceMs },
    ...(socket && { httpAgent: new Agent({ keepAlive: true, maxSockets: 50, socketPath: socket } as AgentOptions) }),
  },
});

/** Returns false if another writer was first. */
export const unlessTaken = async (writing: Promise<unknown>): Promise<boolean> => {
  try {
    await writing;
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
};
