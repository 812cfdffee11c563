import { Writer } from 'protobufjs/minimal.js';
import { BuildKitTrace } from '../../../src/adapters/docker/buildkit-trace.js';

const LENGTH = 2;
const text = (writer: Writer, field: number, value: string): Writer =>
  writer.uint32((field << 3) | LENGTH).string(value);

function vertex(name: string, more: { started?: boolean; error?: string } = {}): Buffer {
  const inner = text(text(Writer.create(), 1, `sha256:${name}`), 3, name);
  if (more.started) inner.uint32((5 << 3) | LENGTH).bytes(Buffer.from([8, 1]));
  if (more.error) text(inner, 7, more.error);
  return message(1, inner);
}
const log = (line: string): Buffer => message(3, text(text(Writer.create(), 1, 'sha256:x'), 4, line));
const message = (field: number, inner: Writer): Buffer =>
  Buffer.from(
    Writer.create()
      .uint32((field << 3) | LENGTH)
      .bytes(inner.finish())
      .finish(),
  );
const read = (trace: BuildKitTrace, ...parts: Buffer[]): string => trace.read(Buffer.concat(parts).toString('base64'));

describe("BuildKit's progress", () => {
  test('when a stage starts, then it is named once', () => {
    const trace = new BuildKitTrace();
    expect(read(trace, vertex('[1/2] FROM base'))).toBe('');
    expect(read(trace, vertex('[1/2] FROM base', { started: true }))).toBe('[1/2] FROM base\n');
    expect(read(trace, vertex('[1/2] FROM base', { started: true }))).toBe('');
  });
  test('when a command prints or a stage fails, then its output and the reason are shown', () => {
    expect(read(new BuildKitTrace(), log('hello\n'), vertex('[2/2] RUN', { error: 'exit code: 1' }))).toBe(
      'hello\nexit code: 1\n',
    );
  });
});
