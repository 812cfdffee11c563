import { readFileSync } from 'node:fs';
import { INDEX } from '#slipway/services/catalog/devpi.js';
import { accessLogFile } from '#slipway/services/folders.js';

export interface Uploads {
  /** Accepted uploads, one entry each: a blob, a manifest, a tag, a file. */
  readonly accepted: readonly string[];
  /** Refused uploads: the file existed already. */
  readonly refused: readonly string[];
}

/** The index logs no file names; each accepted POST is one file. */
export const indexUploads = (home: string): Uploads => {
  const posts = lines(home, 'index')
    .filter((line) => line.includes(`"${INDEX}/"`))
    .flatMap((line) => /POST (\d+) /.exec(line)?.[1] ?? []);
  return {
    accepted: posts.filter((status) => status === '200').map(() => 'a file'),
    refused: posts.filter((status) => status === '409').map(() => 'a file'),
  };
};

/** Skips maven-metadata.xml and its checksums, which each release rewrites. */
export function mavenUploads(home: string): Uploads {
  const puts = lines(home, 'maven').flatMap((line) => {
    const [, status = '', path = ''] = /PUT (\d+) "([^"]+)"/.exec(line) ?? [];
    return path === '' || path.includes('maven-metadata.xml') ? [] : [{ status, path }];
  });
  const of = (...said: readonly string[]): readonly string[] =>
    puts.filter(({ status }) => said.includes(status)).map(({ path }) => path);
  return { accepted: of('201', '204'), refused: of('409') };
}

/** A registry accepts an existing blob again with 201. */
export function registryUploads(home: string): Uploads {
  const accepted = lines(home, 'registry').flatMap((line) => {
    const [, path, status] = /"PUT (\S+) HTTP\/1\.1" (\d+)/.exec(line) ?? [];
    if (path === undefined || status !== '201') return [];
    const blob = /^(.*)\/blobs\/uploads\/.*[?&]digest=([^&]+)/.exec(path);
    return [blob ? `${blob[1]}/blobs/${decodeURIComponent(blob[2]!)}` : path];
  });
  return { accepted, refused: [] };
}

/** Returns each repeated upload.
 * @param distinct number of different files behind one name */
export function sentAgain({ accepted, refused }: Uploads, distinct = 1): readonly string[] {
  const seen = new Map<string, number>();
  const again: string[] = [];
  for (const one of accepted) {
    const times = (seen.get(one) ?? 0) + 1;
    seen.set(one, times);
    if (times > distinct) again.push(one);
  }
  return [...again, ...refused.map((one) => `${one} (refused)`)];
}

function lines(home: string, name: string): readonly string[] {
  try {
    return readFileSync(accessLogFile(home, name), 'utf8').split('\n');
  } catch {
    return [];
  }
}
