import { setTimeout as wait } from 'node:timers/promises';
import { type HeadObjectCommandOutput, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { isMissing, isTaken, mayPass, placeOf, problemOf } from './judge.js';
import type { S3Settings } from './settings.js';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** A hiccup is nobody's news. */
const TOLD_AFTER_MS = 1_000;
/** A server that hangs is one that is away. */
const SILENCE_MS = 60_000;

/** One bucket: keys under our prefix, patience, errors in our words. */
export class Bucket {
  readonly client: S3Client;
  private wasSeen = false;
  /** Requests that have been asked again for a while, each by the mark of its own. */
  private readonly waiting = new Set<symbol>();

  constructor(readonly settings: S3Settings) {
    // It would tell everybody who types a command that later versions want Node 22; ours is pinned.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
    this.client = new S3Client(clientSettings(settings));
  }

  /** Returns the arguments that every command on one key needs. */
  at(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: this.settings.prefix + path };
  }

  /** For people. */
  place(path: string): string {
    return `s3://${this.settings.bucket}/${this.settings.prefix}${path}`;
  }

  /** Asks again what may pass, until patience ends. A missing key and a condition that did not hold stay as they are. */
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

  /** What some request waits for just now; null while the server answers. The same words as long as it lasts: each failure
   * has its own, and whoever watches would be told each time. */
  waitsFor(): string | null {
    return this.waiting.size === 0 ? null : `the S3 store at ${placeOf(this.settings)} does not answer`;
  }

  /** null where nothing has that key. */
  async head(path: string): Promise<HeadObjectCommandOutput | null> {
    const ask = new HeadObjectCommand({ ...this.at(path), ChecksumMode: 'ENABLED' });
    return await this.patiently(() => this.client.send(ask)).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await this.mustExist();
      return null;
    });
  }

  /** A key that is missing may be a bucket that is missing. */
  async mustExist(): Promise<void> {
    if (this.wasSeen) return;
    // Not a HEAD: only an answer with a body says what is missing.
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
/** It would write to the console of everybody who types a command that it does not send a stream again; we do. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Our own SHA-256 goes with every object and is checked on every read: the SDK's sums would be computed a second time. */
const clientSettings = ({ endpoint, region, pathStyle, credentials, silenceMs = SILENCE_MS }: S3Settings) => ({
  ...(endpoint ? { endpoint } : {}),
  ...(region ? { region } : {}),
  ...(credentials ? { credentials } : {}),
  forcePathStyle: pathStyle,
  logger: silent,
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
  requestHandler: { connectionTimeout: 5_000, socketTimeout: silenceMs },
});

/** The answer of a write that may have found somebody there first. */
export const unlessTaken = async (writing: Promise<unknown>): Promise<boolean> => {
  try {
    await writing;
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
};
