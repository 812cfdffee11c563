import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fail } from '../../model/failure.js';
import { targetNotUnderstood, targetRefused } from '../http/errors.js';
import { done, request, shown, textOf, type Ask, type Peer } from '../http/request.js';
import { jsonIn } from '../../model/json.js';

const STATES = ['PENDING', 'VALIDATING', 'VALIDATED', 'PUBLISHING', 'PUBLISHED', 'FAILED'] as const;
export type DeploymentState = (typeof STATES)[number];

export interface Deployment {
  readonly state: DeploymentState;
  /** The portal's messages, each prefixed with its file or coordinate. */
  readonly errors: readonly string[];
}

export interface Portal {
  /** Returns the deployment's id, the only handle to the upload. */
  upload(bundle: string, name: string, publishingType: 'USER_MANAGED' | 'AUTOMATIC'): Promise<string>;
  /** Null if the portal does not know the id. */
  status(id: string): Promise<Deployment | null>;
  /** Irrevocable. */
  publish(id: string): Promise<void>;
  isPublished(at: { namespace: string; name: string; version: string }): Promise<boolean>;
  /** Downloads a file of a deployment; the repository may not show it yet. */
  download(id: string, path: string): Promise<Response>;
}

/** @param root address with a trailing slash, `…/api/v1/publisher/` */
export function openPortal(peer: Peer, root: string): Portal {
  const bearer = Buffer.from(`${peer.username ?? ''}:${peer.password ?? ''}`).toString('base64');
  const authorization = { authorization: `Bearer ${bearer}` };
  const ask = (path: string, more: Ask = {}): Promise<Response> =>
    request(peer, root + path, { ...more, headers: { ...authorization, ...more.headers } });
  return {
    upload: async (bundle, name, publishingType) => {
      const query = new URLSearchParams({ name, publishingType });
      const response = await ask(`upload?${query}`, { method: 'POST', ...(await multipart(bundle)) });
      const id = (await expectOk(peer, response, 'the bundle')).trim();
      if (!/^[\w-]+$/.test(id)) throw fail(targetNotUnderstood(peer.target, shown(root), 'Central Portal'));
      return id;
    },
    status: async (id) => {
      const response = await ask(`status?${new URLSearchParams({ id })}`, { method: 'POST' });
      if (response.status !== 404) return deploymentIn(peer, root, await expectOk(peer, response, 'a look at it'));
      await done(response);
      return null;
    },
    publish: async (id) => {
      // The answer does not matter: the next status shows whether publishing began.
      await done(await ask(`deployment/${encodeURIComponent(id)}`, { method: 'POST' }));
    },
    isPublished: async (at) => {
      const text = await expectOk(peer, await ask(`published?${new URLSearchParams(at)}`), 'a look at a version');
      const { published } = parsed(peer, root, text) as { published?: unknown };
      if (typeof published !== 'boolean') throw fail(targetNotUnderstood(peer.target, shown(root), 'Central Portal'));
      return published;
    },
    download: (id, path) => ask(`deployment/${encodeURIComponent(id)}/download/${path}`),
  };
}

async function expectOk(peer: Peer, response: Response, what: string): Promise<string> {
  const text = await textOf(peer, response);
  if (response.ok) return text;
  throw fail(targetRefused(peer.target, what, [`HTTP ${response.status}`, text.slice(0, 2000)]));
}

function deploymentIn(peer: Peer, root: string, text: string): Deployment {
  const { deploymentState, errors } = parsed(peer, root, text) as { deploymentState?: unknown; errors?: unknown };
  const state = STATES.find((known) => known === deploymentState);
  if (state === undefined) throw fail(targetNotUnderstood(peer.target, shown(root), 'Central Portal'));
  const entries = typeof errors === 'object' && errors !== null ? Object.entries(errors) : [];
  const told = entries.flatMap(([what, why]) => (Array.isArray(why) ? why : [why]).map((one) => `${what}: ${one}`));
  return { state, errors: told };
}

function parsed(peer: Peer, root: string, text: string): object {
  const value = jsonIn(text); // null for an HTML page
  if (typeof value === 'object' && value !== null) return value;
  throw fail(targetNotUnderstood(peer.target, shown(root), 'Central Portal'));
}

/** Streams one form part: a bundle may have a gigabyte. */
async function multipart(path: string): Promise<Pick<Ask, 'body' | 'headers'> & { headers: Record<string, string> }> {
  const boundary = `slipway-${randomUUID()}`;
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="bundle"; filename="bundle.zip"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const foot = `\r\n--${boundary}--\r\n`;
  const { size } = await stat(path);
  async function* bytes(): AsyncIterable<Uint8Array> {
    yield Buffer.from(head);
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    yield Buffer.from(foot);
  }
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size + foot.length),
  };
  return { headers, body: Readable.from(bytes()) as unknown as NonNullable<Ask['body']> };
}
