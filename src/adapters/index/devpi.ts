import { fail } from '../../model/failure.js';
import { targetDenied, targetRefused } from '../http/errors.js';
import { done, request, send, shown, textOf, type Peer } from '../http/request.js';
import { uploadNotAllowed } from './errors.js';
import { jsonIn } from '../../model/json.js';

/** Checks the upload permission where the server reports it, which only devpi does. Throws TARGET_DENIED for a
 * refused credential, UPLOAD_NOT_ALLOWED if the index lists other users. */
export async function proveUpload(peer: Peer, upload: string): Promise<void> {
  const anonymous = { ...peer, password: null };
  const api = await request(anonymous, new URL('+api', upload).href, { headers: JSON_PLEASE });
  const { login, index } = addressesIn(await textOf(anonymous, api), upload);
  const user = peer.password === null ? null : (peer.username ?? '');
  if (user !== null && login !== null) await logIn(peer, login);
  if (login === null || index === null) return; // not a devpi
  const may = await uploaders(anonymous, index);
  if (may !== null && !includes(may, user)) throw fail(uploadNotAllowed(peer.target, shown(index), user, may));
}

const JSON_PLEASE = { accept: 'application/json' } as const;

async function logIn(peer: Peer, address: string): Promise<void> {
  const body = JSON.stringify({ user: peer.username ?? '', password: peer.password });
  const headers = { 'content-type': 'application/json' };
  const answer = await request({ ...peer, password: null }, address, { method: 'POST', headers, body });
  await done(answer);
  if (!answer.ok) throw fail(targetDenied(peer.target, shown(address), answer.status));
}

/** Returns the users that the index lists as uploaders. Null if it does not reveal them. */
async function uploaders(peer: Peer, index: string): Promise<readonly string[] | null> {
  const answer = await send(peer, `${index}?no_projects=`, { headers: JSON_PLEASE });
  const found = answer.ok ? jsonIn(await textOf(peer, answer)) : await done(answer).then(() => null);
  const listed = (found as { result?: { acl_upload?: unknown } } | null)?.result?.acl_upload;
  return Array.isArray(listed) && listed.every((one) => typeof one === 'string') ? listed : null;
}

/** Removes a file. `force` is for an index that is not volatile, which stays so: no other client may then replace files. */
export async function removeFile(peer: Peer, url: string): Promise<void> {
  const at = new URL(url);
  at.hash = '';
  at.search = 'force';
  const answer = await request(peer, at.href, { method: 'DELETE', headers: JSON_PLEASE });
  await done(answer);
  if (!answer.ok && answer.status !== 404 && answer.status !== 410)
    throw fail(targetRefused(peer.target, `DELETE ${shown(url)}`, [`HTTP ${answer.status} ${answer.statusText}`]));
}

/** Only the server knows the members of a group, so a listed group counts as a match. */
const includes = (listed: readonly string[], user: string | null): boolean =>
  listed.some((one) => one.toUpperCase() === ':ANONYMOUS:' || (user !== null && (one === user || one.startsWith(':'))));

/** Returns the addresses that the server names for this index. Ignores other hosts. */
function addressesIn(text: string, upload: string): { login: string | null; index: string | null } {
  const { result } = (jsonIn(text) ?? {}) as { result?: { login?: unknown; index?: unknown } };
  const near = (url: unknown): string | null =>
    typeof url === 'string' && URL.canParse(url) && new URL(url).origin === new URL(upload).origin ? url : null;
  return { login: near(result?.login), index: near(result?.index) };
}
