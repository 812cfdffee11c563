import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packZip, type ZipMember } from '../../src/adapters/archive/zip-pack.js';

export interface WheelSaid {
  readonly project?: string;
  readonly version?: string;
  readonly python?: string;
  /** What `boat/_version.py` says; null: the wheel has no such file. */
  readonly commit?: string | null;
  readonly metadata?: string;
  /** Text of its module. */
  readonly code?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export const wheelName = ({ project = 'boat', version = '3.0', python = 'cp311' }: WheelSaid = {}): string =>
  `${project}-${version}-${python === 'py3' ? 'py3-none-any' : `${python}-${python}-manylinux2014_x86_64`}.whl`;

/** Bytes of a small wheel that an installer takes. */
export async function aWheel(said: WheelSaid = {}): Promise<Buffer> {
  const { project = 'boat', version = '3.0', commit = null } = said;
  const info = `${project}-${version}.dist-info`;
  const tag = wheelName(said).slice(`${project}-${version}-`.length, -'.whl'.length);
  const text = (name: string, content: string): ZipMember => ({ name, from: { text: content } });
  const members = [
    text(`${project}/__init__.py`, said.code ?? `answer = '${version}'\n`),
    ...Object.entries(said.files ?? {}).map(([path, content]) => text(path, content)),
    ...(commit === null ? [] : [text(`${project}/_version.py`, `commit = "${commit}"\n`)]),
    text(`${info}/METADATA`, said.metadata ?? `Metadata-Version: 2.1\nName: ${project}\nVersion: ${version}\n`),
    text(`${info}/WHEEL`, `Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}\n`),
  ];
  const record = [...members.map(({ name }) => `${name},,`), `${info}/RECORD,,`].join('\n');
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-a-wheel-')), 'a.whl');
  await packZip(path, [...members, text(`${info}/RECORD`, `${record}\n`)], 1_767_225_600);
  return readFileSync(path);
}
