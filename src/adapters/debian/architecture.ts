/** Debian's names of architectures that OCI calls otherwise. */
const DEBIAN: Readonly<Record<string, string>> = {
  '386': 'i386',
  ppc64le: 'ppc64el',
  'arm/v7': 'armhf',
  'arm/v6': 'armel',
};
/** Node's names of machines, as OCI calls them. */
const MACHINES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Debian's architecture of an OCI platform that is not this machine's; null where it is.
 * @param cpu as Node says it */
export function foreignArchitecture(oci: string | null, cpu: string = process.arch): string | null {
  const [, ...parts] = (oci ?? '').split('/');
  const architecture = parts.join('/').replace(/^arm64\/v8$/, 'arm64');
  if (architecture === '' || architecture === (MACHINES[cpu] ?? cpu)) return null;
  return DEBIAN[architecture] ?? architecture;
}
