/** Actual hash and size of a wheel's member. */
export interface MemberHash {
  readonly path: string;
  /** SHA-256 in URL-safe base64 without padding, as RECORD writes it. */
  readonly sha256: string;
  readonly size: number;
}

/** Returns the faults of a RECORD, one sentence each. It must list every file but itself, with hash and size. */
export function recordFaults(record: string | null, members: readonly MemberHash[]): readonly string[] {
  if (record === null) return ['there is no RECORD'];
  const rows = new Map(
    record
      .split(/\r?\n/)
      .filter((line) => line !== '')
      .map((line) => rowOf(line)),
  );
  const faults: string[] = [];
  for (const { path, sha256, size } of members.filter((member) => !isRecord(member.path))) {
    const row = rows.get(path);
    if (row === undefined) faults.push(`${path} is not listed`);
    else if (row.hash !== `sha256=${sha256}`)
      faults.push(`${path} is listed with ${row.hash || 'no hash'} and has sha256=${sha256}`);
    else if (row.size !== String(size)) faults.push(`${path} is listed with ${row.size} bytes and has ${size}`);
  }
  const present = new Set(members.map(({ path }) => path));
  for (const path of rows.keys()) if (!present.has(path)) faults.push(`${path} is listed and not there`);
  return faults;
}

const isRecord = (path: string): boolean => /^[^/]+\.dist-info\/RECORD(\.jws|\.p7s)?$/.test(path);

/** Parses a CSV line. A path with a comma or a quote is quoted. */
function rowOf(line: string): [string, { hash: string; size: string }] {
  const quoted = /^"((?:[^"]|"")*)",([^,]*),([^,]*)$/.exec(line);
  const [path, hash, size] = quoted
    ? [quoted[1]!.replaceAll('""', '"'), quoted[2]!, quoted[3]!]
    : [line.split(',').slice(0, -2).join(','), ...line.split(',').slice(-2)];
  return [path ?? '', { hash: hash ?? '', size: size ?? '' }];
}
