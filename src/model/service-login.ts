export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** Users of a home's own services, by their secrets. `publish` writes what others read: index, Maven repository, registry.
 * `staging` reads and writes images in progress. `root` is devpi's own user. */
export const SERVICE_USERS = { publish: 'root', staging: 'staging' } as const;
export type ServiceSecret = keyof typeof SERVICE_USERS;
export const SERVICE_SECRETS = Object.keys(SERVICE_USERS) as readonly ServiceSecret[];

/** Service of the home to which a kind of target publishes with the home's credential. */
export const SERVICE_OF: Readonly<Record<string, string>> = { python: 'index', maven: 'maven', oci: 'registry' };

/** Returns whether a target takes the home's own credential, whatever a profile says. Targets of other kinds get none: a
 * line of a `command` target would see it. */
export const takesHomeLogin = (target: { readonly kind: string; readonly address: string | null }): boolean =>
  target.kind in SERVICE_OF && target.address === `service:${SERVICE_OF[target.kind]}`;

/** Secret by the service that asks for it. */
export const SECRET_OF: Readonly<Record<string, ServiceSecret>> = {
  ...{ index: 'publish', maven: 'publish', registry: 'publish' },
  staging: 'staging',
};
