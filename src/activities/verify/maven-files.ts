import { grouped } from '../../model/grouped.js';
import type { Credential, Item, Source } from '../publish/target.js';

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

/** Maven settings that fetch artifacts from the target alone. A repository with the id `central` replaces the built-in
 * one; plugin repositories are a separate list and stay. */
export const settings = ({ address, credential }: Source): string => `<settings>
  <servers>${credential === null ? '' : server(credential)}</servers>
  <profiles>
    <profile>
      <id>target</id>
      <repositories>
        <repository><id>central</id><url>${xml(address)}</url></repository>
      </repositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>target</activeProfile></activeProfiles>
</settings>
`;

const server = ({ username, password }: Credential): string =>
  `<server><id>central</id><username>${xml(username)}</username><password>${xml(password)}</password></server>`;

const xml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
