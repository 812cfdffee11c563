/** `.slipway/services.json`: the running services and their addresses. Written atomically; the only file that other
 * rooms read. */
export interface ServicesState {
  readonly version: 1;
  readonly supervisor: { readonly pid: number; readonly startedAt: string };
  readonly services: Readonly<Record<string, ServiceState>>;
}
export interface ServiceState {
  readonly pid: number;
  /** temporal `127.0.0.1:7233`; docker `unix:///…/docker.sock`; index the devpi index URL that pip and twine take,
   * with a trailing slash; maven a URL with a trailing slash; registry and staging `127.0.0.1:5000`; postgres the folder of its socket. */
  readonly address: string;
  readonly page?: string;
  /** Folder with the certificates that the service asks for. */
  readonly certificates?: string;
  readonly log: string;
  readonly accessLog?: string;
}
