import type { Connection, Session } from '../../activities/publish/ports.js';
import type { Peer } from './request.js';

export const peerOf = (to: Connection, session: Session): Peer => ({
  target: to.name,
  username: to.username,
  password: to.password,
  origin: /^https?:\/\//.test(to.address) ? new URL(to.address).origin : null,
  signal: session.signal,
  patienceMs: session.patienceMs,
});
