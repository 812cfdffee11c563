import { reachesOut } from '../../model/dockerfile/reaches-out.js';
import { trimmed } from '../../model/trim.js';
import { textOf, type Folder } from './lookup.js';
import type { DockerProject } from './project.js';
import { byTags } from './python-version.js';

/** A line or continued line that runs a program which fetches from a network. */
const FETCHES =
  /^(?![ \t]*(?:#|(?:COPY|ADD|FROM|ENV|ARG|LABEL)\b)).*\b(?:apt|apt-get|apk|dnf|yum|microdnf|zypper|pip3?|uv|conda|curl|wget|npm|npx|yarn|pnpm|git clone|cargo|go (?:get|mod|install)|mvn|gradle|gem|bundle|composer)\s/;

/** Finds a project that is a Dockerfile. Null if the folder has none. */
export function dockerProject(folder: Folder): DockerProject | null {
  const text = textOf(folder, 'Dockerfile');
  if (text === null) return null;
  const name = folder.path === '' ? folder.checkout.name : folder.path.split('/').at(-1)!;
  const stages = new Set(text.split('\n').flatMap(stageOf));
  const from = [...text.matchAll(/^FROM[ \t]+(?:--\S+[ \t]+)*(\S+)/gim)].map((one) => one[1]!);
  const base = /^ARG[ \t]+BASE\b/im.test(text) ? 'base' : null;
  return {
    kind: 'docker',
    folder: folder.path,
    file: 'Dockerfile',
    name,
    version: byTags(folder),
    from: [...new Set(from.filter((image) => !stages.has(image.toLowerCase()) && image !== 'scratch'))],
    hasShell: from.at(-1)?.toLowerCase() !== 'scratch',
    takesBase: base !== null,
    fetches: text.split('\n').some((line) => FETCHES.test(line)) || reachesOut(text, { args: {}, base }).length > 0,
    repository: repositoryOf(folder.checkout.git?.remote ?? null, name),
  };
}

/** Returns the name of a stage: `FROM image AS name`. Empty without a name. */
function stageOf(line: string): readonly string[] {
  const words = line.trim().toLowerCase().split(/\s+/);
  const as = words.lastIndexOf('as');
  return words[0] === 'from' && as > 0 && as + 1 < words.length ? [words[as + 1]!] : [];
}

/** Returns `owner/name` of the remote, else the name twice, because registries expect two parts. */
function repositoryOf(remote: string | null, name: string): string {
  const path = /[:/]([^:/]+\/[^:/]+?)(?:\.git)?\/?$/.exec(remote ?? '')?.[1] ?? `${name}/${name}`;
  const parts = path
    .toLowerCase()
    .split('/')
    .map((part) => trimmed(part.replace(/[^a-z0-9]+/g, '-'), '-'));
  return parts.every((part) => part !== '') ? parts.join('/') : 'project/image';
}
