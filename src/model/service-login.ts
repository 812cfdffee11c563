export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** Secrets of a home for its own services. `publish` writes what others read: index, Maven repository, registry. `staging`
 * reads and writes images in progress. */
export const SERVICE_SECRETS = ['publish', 'staging'] as const;
export type ServiceSecret = (typeof SERVICE_SECRETS)[number];

/** User of each secret. `root` is devpi's own. */
export const SERVICE_USERS = { publish: 'root', staging: 'staging' } as const satisfies Record<ServiceSecret, string>;

/** Secret by the service that asks for it. */
export const SECRET_OF: Readonly<Record<string, ServiceSecret>> = {
  index: 'publish',
  maven: 'publish',
  registry: 'publish',
  staging: 'staging',
};
