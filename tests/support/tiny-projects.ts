import { gzipSync } from 'node:zlib';

/** `python make-wheel.py OUT NAME VERSION TEXT`: a pure wheel whose module holds the text. */
export const MAKE_WHEEL = `import base64, hashlib, sys, zipfile
out, name, version, text = sys.argv[1:5]
info = '%s-%s.dist-info' % (name, version)
files = {name + '/__init__.py': text + '\\n',
         info + '/METADATA': 'Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n' % (name, version),
         info + '/WHEEL': 'Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'}
digest = lambda text: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')
rows = ['%s,sha256=%s,%d' % (path, digest(text), len(text.encode())) for path, text in files.items()]
files[info + '/RECORD'] = '\\n'.join([*rows, info + '/RECORD,,', ''])
with zipfile.ZipFile('%s/%s-%s-py3-none-any.whl' % (out, name, version), 'w') as wheel:
    for path, text in files.items():
        wheel.writestr(zipfile.ZipInfo(path), text)
`;

interface Member {
  readonly name: string;
  readonly text?: string;
  /** Where it points, for a symbolic link. */
  readonly link?: string;
}

/** A .tar.gz of these members as they are, which no well-meaning program would write. */
export function archive(members: readonly Member[]): Uint8Array {
  const blocks = members.flatMap((member) => [header(member), padded(member.text ?? '')]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const padded = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);

/** A ustar header, byte by byte. */
function header({ name, text = '', link }: Member): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  block.write(name, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(text.length, 124, 12);
  octal(1_600_000_000, 136, 12);
  block.write('        ', 148);
  block.write(link === undefined ? '0' : '2', 156);
  if (link !== undefined) block.write(link, 157);
  block.write('ustar\x0000', 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  block.write(' ', 155);
  return block;
}
