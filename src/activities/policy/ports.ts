/** How this worker finds a host. */
export interface Hosts {
  /** Addresses behind a name by this machine's own settings. Throws where there are none. */
  lookUp(name: string): Promise<readonly string[]>;
}

/** What the rules of a worker need. */
export interface PolicyPorts {
  readonly hosts: Hosts;
}
