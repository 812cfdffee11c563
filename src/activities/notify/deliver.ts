import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Outlet } from '../../model/listener.js';
import { lineVariables } from '../../model/shell-variables.js';
import type { Means } from '../step/work.js';
import { tellCommandFailed, webhookAddressWrong, webhookRefused } from './errors.js';
import type { Webhook } from './ports.js';

const EVIDENCE_LINES = 12;

export interface Message {
  /** For people; chat services such as Slack show this field. */
  readonly text: string;
  /** Stable across repeated sends of one message. */
  readonly id: string;
  readonly event: string;
  readonly release: { readonly name: string; readonly version: string };
}

/** Sends one message once. Throws a coded failure if it did not arrive, or if that is unknown.
 * @param to name of the recipient in messages: `notify.team`
 * @param env further variables of a command */
export async function deliver(
  outlet: Outlet,
  to: string,
  message: Message,
  means: Means & { readonly webhook: Webhook },
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (outlet.by === 'webhook') await byWebhook(outlet, to, message, means);
  else await byCommand(outlet, to, message, means, env);
}

async function byWebhook(
  { url, headers }: Extract<Outlet, { by: 'webhook' }>,
  to: string,
  message: Message,
  { secret, signal, log, webhook }: Means & { readonly webhook: Webhook },
): Promise<void> {
  const address = await secret(url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw fail(webhookAddressWrong(to));
  const own: Record<string, string> = { 'content-type': 'application/json', 'idempotency-key': message.id };
  for (const [name, value] of Object.entries(headers)) own[name.toLowerCase()] = await secret(value);
  const { status, said } = await webhook.post({
    to,
    url: address,
    headers: own,
    body: JSON.stringify(message),
    signal,
  });
  log.note(`${to} answered HTTP ${status}`);
  if (status < 200 || status > 299) throw fail(webhookRefused(to, status, said));
}

async function byCommand(
  { line, vars, secrets }: Extract<Outlet, { by: 'command' }>,
  to: string,
  message: Message,
  { secret, exec, env, folder, files, log }: Means,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(folder, 'message.json');
  await writeFile(path, `${JSON.stringify(message, null, 2)}\n`);
  const named: Record<string, string> = {};
  for (const name of secrets) named[name] = await secret(`$${name}`);
  const { name, version } = message.release;
  const told = {
    MESSAGE: path,
    TEXT: message.text,
    ID: message.id,
    EVENT: message.event,
    NAME: name,
    VERSION: version,
  };
  const own = lineVariables(vars, { files });
  const { code } = await exec(line, { env: env({ ...named, ...told, ...more, ...own }), access: 'line' });
  if (code !== 0) throw fail(tellCommandFailed(to, code, log.tail(EVIDENCE_LINES)));
}
