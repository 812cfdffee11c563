import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addressOf, controlFor, pidsIn, putProxyBefore, setLink } from './network.mjs';
import { endPart, start, startAgain, tellPart, tellPid } from './processes.mjs';
import { PORTS } from './tunnel.mjs';

/** Each fault has one action for its begin and one for its end. */
const ACTS = {
  link: [({ host }) => setLink(host, 'down'), ({ host }) => setLink(host, 'up')],
  delay: [() => tellPart('proxy', 'SIGUSR2'), () => tellPart('proxy', 'SIGUSR2')],
  kill: [({ host }) => pidsIn(host).forEach((pid) => tellPid(pid, 'SIGKILL')), ({ host }, join) => join(host)],
  postgres: [() => endPart('postgres'), () => startAgain('postgres')],
  bucket: [() => endPart('s3'), () => startAgain('s3')],
};

/** Puts a proxy between a builder and control, before the builder starts. */
export function prepareFault(folder, fault) {
  if (fault?.kind !== 'delay') return;
  putProxyBefore(fault.host);
  const proxy = fileURLToPath(new URL('proxy.mjs', import.meta.url));
  start(folder, 'proxy', null, [
    process.execPath,
    proxy,
    controlFor(fault.host),
    addressOf('control'),
    ...PORTS.map(String),
  ]);
}

/** @param join starts a builder, also anew */
export async function inject(fault, join) {
  const [begin, end] = ACTS[fault.kind];
  const said = (text) => console.error(`fault ${fault.host}:${fault.kind} ${text}`);
  await begin(fault);
  said(`began, for ${fault.seconds} s`);
  await sleep(fault.seconds * 1000);
  await end(fault, join);
  said('ended');
}
