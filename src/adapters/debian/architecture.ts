/** Debian architecture names that differ from OCI's. */
const DEBIAN: Readonly<Record<string, string>> = {
  '386': 'i386',
  ppc64le: 'ppc64el',
  'arm/v7': 'armhf',
  'arm/v6': 'armel',
};
/** Node's CPU names in OCI's terms. */
const MACHINES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Returns Debian's architecture of an OCI platform. Null if it is this machine's own.
 * @param cpu Node's name, as `process.arch` */
export function foreignArchitecture(oci: string | null, cpu: string = process.arch): string | null {
  const [, ...parts] = (oci ?? '').split('/');
  const architecture = parts.join('/').replace(/^arm64\/v8$/, 'arm64');
  if (architecture === '' || architecture === (MACHINES[cpu] ?? cpu)) return null;
  return DEBIAN[architecture] ?? architecture;
}
