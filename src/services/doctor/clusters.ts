import { createRemoteDashboard } from '../../adapters/clusters/dashboard.js';
import { readProfiles } from '../../adapters/facts/profile.js';
import { ill, well, type Finding } from './check.js';

/** Asks each running Ray that a profile names, in a folder or among our own profiles. */
export async function clusters(folder: string): Promise<readonly Finding[]> {
  const profiles = await readProfiles(folder);
  const named = profiles.flatMap(({ name, content }) =>
    Object.entries(content.clusters).flatMap(([cluster, { address }]) =>
      address === undefined ? [] : [{ profile: name, cluster, address }],
    ),
  );
  return Promise.all(
    named.map(async ({ profile, cluster, address }) => {
      const answer = await createRemoteDashboard(address)
        .ask('GET', '/api/version')
        .catch(() => null);
      const version = /"ray_version": ?"([^"]+)"/.exec(answer?.text ?? '')?.[1];
      const name = `cluster ${cluster}`;
      if (version !== undefined) return well(name, `${address} Ray ${version}`);
      const found = answer === null ? 'does not answer' : `answers with HTTP ${answer.status} and is not a Ray`;
      return ill(name, `${address} ${found}`, `Start that Ray, or correct \`clusters\` of the profile ${profile}`);
    }),
  );
}
