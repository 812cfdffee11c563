import { randomUUID } from 'node:crypto';
import type { ImageBuild, ImageEngine, ImportedImage, Talk } from '../../activities/images/ports.js';
import type { Pack } from 'tar-stream';
import { isDigest, type Digest } from '../../model/digest.js';
import { CACHE_NAMESPACE } from '../../model/dockerfile/cache-namespace.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Credential } from '../../model/service-login.js';
import { classifyBuildError, classifyEngineError } from './classify.js';
import type { Engines, Logins } from './connection.js';
import { packFolder, packRootfs } from './context-tar.js';
import { engineUnreachable, pushUnanswered } from './errors.js';
import { builtImage, pushedDigest } from './events.js';
import { follow, type Followed } from './follow.js';
import { answered, watched } from './watched.js';

/** Some registries need no credentials, but the engine refuses a push without any. */
const NOBODY = { username: 'x', password: 'y' };

export const createImageEngine = (engines: Engines, logins: Logins): ImageEngine => ({
  has: (reference, signal) => has(engines, reference, signal),
  pullIfMissing: async (reference, platform, talk) => {
    if (!(await has(engines, reference, talk.signal))) await pull(engines, logins, reference, platform, talk);
  },
  importTar: (tar, image, talk) =>
    streaming(`importing ${image.reference}`, engines, talk, (talk) => importTar(engines, tar, image, talk)),
  pull: (reference, platform, talk) => pull(engines, logins, reference, platform, talk),
  tag: (from, to) =>
    asking(`tagging ${from}`, null, async () => {
      await answered(() => engines().getImage(from).tag(split(to)));
    }),
  untag: (reference) =>
    asking(`forgetting ${reference}`, null, async () => {
      await answered(() => engines().getImage(reference).remove({ noprune: true }));
    }),
  build: ({ context, epoch, ...build }, talk) =>
    streaming('building the image', engines, talk, (talk) =>
      buildBest(engines, () => packFolder(context, epoch), build, talk),
    ),
  push: (reference, talk) =>
    streaming(`pushing ${reference}`, engines, talk, (talk) =>
      push(engines, logins(reference) ?? NOBODY, reference, talk),
    ),
});

const pull = (engines: Engines, logins: Logins, reference: string, platform: string | null, talk: Talk) =>
  streaming(`pulling ${reference}`, engines, talk, ({ signal, log }) =>
    pullImage(engines, { image: reference, platform, auth: logins(reference), signal, onOutput: log }),
  );

interface Pulled {
  readonly image: string;
  /** OCI platform. Null: the engine's own. */
  readonly platform: string | null;
  readonly auth?: Credential | null;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string, stream: 'stderr') => void | Promise<void>;
}

export async function pullImage(engines: Engines, { image, platform, auth, signal, onOutput }: Pulled): Promise<void> {
  const options = {
    abortSignal: signal,
    ...(platform !== null && { platform }),
    ...(auth ? { authconfig: { ...auth, serveraddress: image.split('/')[0]! } } : {}),
  };
  const talk = { log: (text: string) => onOutput(text, 'stderr'), signal };
  const { error } = await follow(await engines().pull(image, options), talk);
  if (error !== null) throw Object.assign(new Error(error), { statusCode: 200 });
}

async function has(engines: Engines, reference: string, signal: AbortSignal): Promise<boolean> {
  return asking(`looking for ${reference}`, signal, async () => {
    try {
      await answered(() => engines().getImage(reference).inspect());
      return true;
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return false;
      throw error;
    }
  });
}

/** The engine marks every import as its own platform, so an image of another platform is built from scratch. */
async function importTar(engines: Engines, tar: string, image: ImportedImage, talk: Talk): Promise<void> {
  const { reference, labels, platform } = image;
  if (platform !== null && platform !== (await ownPlatform(engines)))
    return buildBest(engines, () => packRootfs(tar), { ...NOTHING, reference, labels, platform }, talk);
  const { repo, tag } = split(reference);
  const changes = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${JSON.stringify(value)}`);
  const options = { repo, tag, changes, abortSignal: talk.signal };
  unlessError(`importing ${reference}`, await follow(await engines().importImage(tar, options), talk));
}

const NOTHING = { dockerfile: 'Dockerfile', args: {}, network: false } as const;

export async function ownPlatform(engines: Engines): Promise<string> {
  const { Os, Arch } = await answered(() => engines().version());
  return `${Os}/${Arch}`;
}

/** Builds with BuildKit, else with the classic builder. */
async function buildBest(engines: Engines, context: () => Pack, build: Build, talk: Talk): Promise<void> {
  try {
    await buildBy('2', engines, context(), build, talk);
  } catch (error) {
    if (!/buildkit|session|\/session/i.test(String((error as Error).message)) || error instanceof SlipwayFailure)
      throw error;
    await talk.log('The engine cannot build by BuildKit; building in the classic way.\n');
    await buildBy('1', engines, context(), build, talk);
  }
}

type Build = Omit<ImageBuild, 'context' | 'epoch'>;

async function buildBy(version: '1' | '2', engines: Engines, context: Pack, build: Build, talk: Talk): Promise<void> {
  const answer = await engines().buildImage(context as unknown as NodeJS.ReadableStream, {
    version,
    t: build.reference,
    dockerfile: build.dockerfile,
    // BuildKit alone reads it. A build that could guess the value would share cache mounts with this one.
    buildargs: { ...build.args, ...(version === '2' && { [CACHE_NAMESPACE]: randomUUID() }) },
    labels: { ...build.labels },
    ...(build.platform !== null && { platform: build.platform }),
    // Servers on this machine, such as staging, listen on 127.0.0.1 only.
    networkmode: build.network ? 'host' : 'none',
    rm: true,
    forcerm: true,
    abortSignal: talk.signal,
  });
  const { error, lastLines, picked } = await follow(answer, talk, builtImage);
  if (error !== null) throw fail(classifyBuildError(error, lastLines));
  if (picked === null)
    throw fail(engineUnreachable('building the image', 'its answer ended before the image was named'));
}

async function push(engines: Engines, authconfig: Credential, reference: string, talk: Talk): Promise<Digest> {
  const answer = await engines().getImage(reference).push({ authconfig, abortSignal: talk.signal });
  const followed = unlessError(`pushing ${reference}`, await follow(answer, talk, pushedDigest));
  if (!isDigest(followed.picked)) throw fail(pushUnanswered(reference));
  return followed.picked;
}

function unlessError<T>(what: string, followed: Followed<T>): Followed<T> {
  if (followed.error !== null) throw fail(classifyEngineError(what, followed.error, 200));
  return followed;
}

/** Converts the client's errors into problems. Rethrows an abort. */
export async function asking<T>(what: string, signal: AbortSignal | null, work: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SlipwayFailure) throw error;
    const { message, statusCode, code } = error as Error & { statusCode?: number; code?: string };
    throw fail(classifyEngineError(what, [code, message].filter(Boolean).join(' '), statusCode), error);
  }
}

const streaming = <T>(what: string, engines: Engines, talk: Talk, work: (talk: Talk) => Promise<T>): Promise<T> =>
  asking(what, talk.signal, () => watched(engines, talk.signal, (signal) => work({ ...talk, signal })));

/** Splits `repository:tag`; a port is not a tag. */
function split(reference: string): { repo: string; tag: string } {
  const at = reference.lastIndexOf(':');
  return at > reference.lastIndexOf('/')
    ? { repo: reference.slice(0, at), tag: reference.slice(at + 1) }
    : { repo: reference, tag: 'latest' };
}
