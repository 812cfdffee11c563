import { grouped } from '../../model/grouped.js';
import type { Credential, Item, Source } from '../publish/ports.js';

export interface MavenRelease {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
  /** `jar` if there is one without a classifier, else `pom`. */
  readonly packaging: 'jar' | 'pom';
  /** Folder in a repository, with a slash at the end. */
  readonly folder: string;
  readonly items: readonly Item[];
}

/** Groups published paths by release: `org/example/skiff/1.2.3/skiff-1.2.3.jar`. */
export function mavenReleases(items: readonly Item[]): readonly MavenRelease[] {
  const folders = grouped(items, ({ name }) => name.slice(0, name.lastIndexOf('/') + 1));
  return [...folders].map(([folder, own]) => {
    const parts = folder.split('/').slice(0, -1);
    const [artifactId, version] = parts.slice(-2) as [string, string];
    const main = `${folder}${artifactId}-${version}.jar`;
    const packaging = own.some(({ name }) => name === main) ? 'jar' : 'pom';
    return { groupId: parts.slice(0, -2).join('.'), artifactId, version, packaging, folder, items: own };
  });
}

/** Maven settings that ask the target first. Parents of a POM may lie in Central, which stays behind it. */
export const settings = ({ address, credential }: Source): string => `<settings>
  <servers>${credential === null ? '' : server(credential)}</servers>
  <profiles>
    <profile>
      <id>target</id>
      <repositories>
        <repository><id>target</id><url>${xml(address)}</url></repository>
      </repositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>target</activeProfile></activeProfiles>
</settings>
`;

/** True if Maven's own list of a folder says that the file came from the target.
 * @param list text of `_remote.repositories` */
export const isFromTarget = (list: string, file: string): boolean => list.split('\n').includes(`${file}>target=`);

const server = ({ username, password }: Credential): string =>
  `<server><id>target</id><username>${xml(username)}</username><password>${xml(password)}</password></server>`;

const xml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
