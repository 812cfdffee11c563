import { errnoOf } from '../../model/classify.js';
import { isHidden } from '../../model/policy/address.js';
import type { Receiver } from '../../model/policy/place.js';
import { ask } from '../ask.js';
import { ill, well, type Finding, type Patient } from './check.js';

const LIMIT_MS = 10_000;
/** Docker's rule: without one of these marks the first part of a reference is no host. */
const REGISTRY = /^(?:[^/]*[.:][^/]*|localhost)(?=\/)/;
type Question = () => Promise<string | null>;

/** Asks each web server and registry that a plan names, once. Services of the home have checks of their own. */
export function hosts({ named, state }: Patient): Promise<readonly Finding[]> {
  const asked = new Map<string, readonly [name: string, question: Question]>();
  for (const one of named.filter((receiver) => !isHidden(receiver))) {
    const [host, question] = questionOf(one, state?.services['docker']?.address);
    if (question !== null && !asked.has(host)) asked.set(host, [one.name, question]);
  }
  return Promise.all(
    [...asked].map(async ([host, [name, question]]) => {
      const fault = await question().catch((error: Error) => errnoOf(error) ?? error.message);
      if (fault === null) return well(host, `answers; ${name} names it`);
      const mend = `Restore that server, and runs that wait for it go on. If its name is wrong, correct ${name}, then type \`slipway run FILE --supersede\``;
      return ill(host, `${fault}; ${name} names it`, mend);
    }),
  );
}

/** Null in place of a question for a service of the home, and for an address that no web server has. */
function questionOf({ kind, address, path }: Receiver, engine?: string): readonly [string, Question | null] {
  if (path?.at(-1) === 'image') {
    const image = address.slice('https://'.length);
    return [REGISTRY.exec(image)?.[0] ?? 'docker.io', engine === undefined ? null : () => askEngine(engine, image)];
  }
  const url = URL.parse(kind === 'oci' ? address.replace(/^(?!\w+:)/, 'https://') : address);
  return [url?.host ?? '', url?.protocol.startsWith('http') ? () => askWeb(url) : null];
}

/** The engine asks the registry as it does for a pull, by its own proxies. */
async function askEngine(engine: string, image: string): Promise<string | null> {
  const answer = await ask(engine, `/distribution/${image}/json`, { limitMs: LIMIT_MS });
  if (answer === null) return 'does not answer';
  if (answer.status < 500) return null;
  // A proxy before the engine answers with a page.
  if (!answer.body.startsWith('{"message":')) return `answers with HTTP ${answer.status}`;
  return (JSON.parse(answer.body) as { readonly message: string }).message;
}

async function askWeb(url: URL): Promise<string | null> {
  const { status, body } = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS), redirect: 'manual' });
  await body?.cancel();
  return status === 429 || status >= 500 ? `answers with HTTP ${status}` : null;
}
