/** A wanted version on a platform and a Python, as rows name it: `lxml==5.3.0 debian-12 cp311`. */
export interface WheelSubject {
  /** As PEP 503 normalises it. */
  readonly project: string;
  /** A version, or a range such as `>=5,<7`. Empty: any version. */
  readonly version: string;
  readonly platform: string;
  readonly python: string;
}

/** False for a range: it begins with an operator. */
export const isOneVersion = (version: string): boolean => version !== '' && !/^[<>=!~]/.test(version);

export function wheelSubject({ project, version, platform, python }: WheelSubject): string {
  const name = isOneVersion(version) || version === '' ? `${project}==${version}` : `${project}${version}`;
  return `${name} ${platform} ${python}`;
}

/** Null for a subject of another form. */
export function readWheelSubject(subject: string): WheelSubject | null {
  const [, name, platform, python] = /^(.+) (\S+) (\S+)$/.exec(subject) ?? [];
  const [, project, equal, rest = ''] = /^([a-z0-9][a-z0-9-]*)(==)?(.*)$/.exec(name ?? '') ?? [];
  if (project === undefined || platform === undefined || python === undefined) return null;
  const version = equal === undefined || !/[*,]/.test(rest) ? rest : `==${rest}`;
  return { project, version, platform, python };
}
