export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** Users of a home's own services, by their secrets. `publish` writes what others read: index, Maven repository, registry.
 * `staging` reads and writes images in progress. `root` is devpi's own user. */
export const SERVICE_USERS = { publish: 'root', staging: 'staging' } as const;
export type ServiceSecret = keyof typeof SERVICE_USERS;
export const SERVICE_SECRETS = Object.keys(SERVICE_USERS) as readonly ServiceSecret[];

/** Secret by the service that asks for it. */
export const SECRET_OF: Readonly<Record<string, ServiceSecret>> = {
  ...{ index: 'publish', maven: 'publish', registry: 'publish' },
  staging: 'staging',
};
