import { DEBIAN_RELEASES, debianRelease, type Distribution } from '../model/debian.js';
import type { Problem } from '../model/failure.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { Base } from '../model/schema/sections/images.js';
import type { WheelList } from '../model/schema/sections/wheel-list.js';
import { didYouMean } from '../model/suggest.js';
import { type Path, problems } from './errors.js';
import { importsOf } from './imports.js';
import type { ReadFile } from './read/release-file.js';

/** Names of packages by platform, which the bindep files of an import name. */
export type PackagesOf = Readonly<Record<string, readonly string[]>>;

const platformRows = ({
  platforms = {},
}: ReleaseFile): readonly (readonly [name: string, base: string | undefined])[] =>
  Array.isArray(platforms) ? [] : Object.entries(platforms).map(([name, { base }]) => [name, base]);

const takenBy = (base: Base | undefined): readonly string[] =>
  base !== undefined && 'debian' in base ? (base.bindep ?? []) : [];

/** Returns the distributions that an import reads bindep files for, by platform. */
export function distributionsFor(release: ReleaseFile, importing: string): Readonly<Record<string, Distribution>> {
  const { bases } = release;
  return Object.fromEntries(
    platformRows(release).flatMap(([platform, name = '']) => {
      const base = Object.hasOwn(bases, name) ? bases[name]! : undefined;
      if (base === undefined || !('debian' in base) || !takenBy(base).includes(importing)) return [];
      const version = debianRelease(base.debian)?.version;
      return version === undefined ? [] : [[platform, { id: 'debian', version, codename: base.debian }]];
    }),
  );
}

/** Adds packages of imports to the bases that take them.
 * @param all packages by the name of the import */
export function withBasePackages(file: ReadFile, all: Readonly<Record<string, PackagesOf>>): ReadFile {
  const { content } = file;
  const bases = Object.entries(content.bases).map(([name, base]) => {
    if (takenBy(base).length === 0 || !('debian' in base)) return [name, base];
    const platforms = platformRows(content).flatMap(([platform, own]) => (own === name ? [platform] : []));
    const added = takenBy(base).flatMap((one) => platforms.flatMap((platform) => all[one]?.[platform] ?? []));
    return [name, { ...base, packages: [...new Set([...base.packages, ...added])].sort() }];
  });
  return { ...file, content: { ...content, bases: Object.fromEntries(bases) as ReleaseFile['bases'] } };
}

/** Returns what is wrong with the keys `bindep` of bases and imports. */
export function basePackageProblems(file: ReadFile): readonly Problem[] {
  const lists = new Map(importsOf(file).flatMap(({ name, say }) => (say.import === 'wheel-list' ? [[name, say]] : [])));
  const taken = new Set(Object.values(file.content.bases).flatMap(takenBy));
  return [
    ...Object.entries(file.content.bases).flatMap(([name, base]) => baseProblems(name, base, lists, file)),
    ...[...lists].flatMap(([name, { bindep }]) =>
      bindep === undefined || taken.has(name)
        ? []
        : [
            problems.needsThat(
              file.at(['wheels', name, 'bindep'], 'key'),
              'no base takes the packages of the file',
              `Write \`bindep: [${name}]\` under an entry of \`bases\`, or take the key away.`,
            ),
          ],
    ),
  ];
}

function baseProblems(
  name: string,
  base: Base,
  lists: ReadonlyMap<string, WheelList>,
  { content, at }: ReadFile,
): readonly Problem[] {
  if (takenBy(base).length === 0 || !('debian' in base)) return [];
  const wrong = (path: Path, why: string, next: string): Problem =>
    problems.needsThat(at(['bases', name, ...path]), why, next);
  const found = takenBy(base).flatMap((one, index) => {
    const list = lists.get(one);
    if (list === undefined)
      return [wrong(['bindep', index], `"${one}" is no list of \`wheels\`${didYouMean(one, [...lists.keys()])}`, LIST)];
    return list.bindep === undefined ? [wrong(['bindep', index], `wheels.${one} has no key "bindep"`, FILE)] : [];
  });
  if (!platformRows(content).some(([, own]) => own === name))
    found.push(wrong(['bindep'], 'no platform has this base', `Write \`base: ${name}\` under a platform.`));
  if (debianRelease(base.debian) === null)
    found.push(wrong(['debian'], `"${base.debian}" is no Debian release whose number is known`, RELEASES));
  return found;
}

const LIST = 'Name an entry of `wheels` that has `import: wheel-list`.';
const FILE = 'Write `bindep: bindep.txt` there: a file of each branch.';
const RELEASES = `Write one of ${Object.keys(DEBIAN_RELEASES).join(', ')}, or take \`bindep\` away and list the packages.`;
