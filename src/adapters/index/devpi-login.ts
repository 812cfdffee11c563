import { fail } from '../../model/failure.js';
import { targetDenied } from '../http/errors.js';
import { request, shown, type Peer } from '../http/request.js';

/** Tries the credential where the server says how: devpi does. Others check it only when something is uploaded.
 * Throws TARGET_DENIED when it is refused. */
export async function tryLogin(peer: Peer, upload: string): Promise<void> {
  if (peer.password === null) return;
  const anonymous = { ...peer, password: null };
  const api = await request(anonymous, new URL('+api', upload).href, { headers: { accept: 'application/json' } });
  const door = loginIn(await api.text());
  if (door === null || new URL(door).origin !== new URL(upload).origin) return;
  const body = JSON.stringify({ user: peer.username ?? '', password: peer.password });
  const headers = { 'content-type': 'application/json' };
  const answer = await request(anonymous, door, { method: 'POST', headers, body });
  await answer.body?.cancel();
  if (!answer.ok) throw fail(targetDenied(peer.target, shown(door), answer.status));
}

function loginIn(text: string): string | null {
  try {
    const login = (JSON.parse(text) as { result?: { login?: unknown } }).result?.login;
    return typeof login === 'string' && URL.canParse(login) ? login : null;
  } catch {
    return null; // a page for people
  }
}
