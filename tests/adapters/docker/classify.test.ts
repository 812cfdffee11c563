import { classifyBuildError, classifyEngineError } from '../../../src/adapters/docker/classify.js';
import { EventLines, errorOf, pushedDigest, textOf } from '../../../src/adapters/docker/events.js';

describe('an error of the Docker engine', () => {
  test.each([
    ['connect ECONNREFUSED /run/docker.sock', undefined, 'DOCKER_UNREACHABLE'],
    ['connect ENOENT /run/docker.sock', undefined, 'DOCKER_UNREACHABLE'],
    ['socket hang up', undefined, 'DOCKER_UNREACHABLE'],
    ['write /var/lib/docker/x: no space left on device', 500, 'DOCKER_DISK_FULL'],
    ['Get "http://127.0.0.1:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused', 200, 'REGISTRY_TROUBLE'],
    ['received unexpected HTTP status: 503 Service Unavailable', 200, 'REGISTRY_TROUBLE'],
    ['manifest for skiff@sha256:0 not found: manifest unknown', 200, 'IMAGE_ABSENT'],
    ['name unknown: repository name not known to registry', 404, 'IMAGE_ABSENT'],
    ['(HTTP code 400) bad parameter', 400, 'DOCKER_REFUSED'],
    ['OCI runtime create failed: exec: "sh": executable file not found in $PATH: unknown', 400, 'IMAGE_LACKS_PROGRAM'],
  ])('given the message "%s", then it has the matching code', (message, status, code) => {
    expect(classifyEngineError('pushing skiff', message, status).code).toBe(code);
  });
});

describe('a failed build', () => {
  test.each([
    ['a command failed', 'executor failed running [/bin/sh -c false]: exit code: 1', [], 'DOCKER_BUILD_FAILED'],
    [
      'a command failed and printed network errors',
      'executor failed running [/bin/sh -c ./t]: exit code: 1',
      ['dial tcp: connection refused'],
      'DOCKER_BUILD_FAILED',
    ],
    ['the Dockerfile is wrong', 'dockerfile parse error line 3: unknown instruction: COPI', [], 'DOCKER_BUILD_FAILED'],
    [
      'the base cannot be read',
      'failed to do request: dial tcp 127.0.0.1:5000: connect: connection refused',
      [],
      'REGISTRY_TROUBLE',
    ],
    ['the disk is full', 'exit code: 1', ['cp: write error: No space left on device'], 'DOCKER_DISK_FULL'],
  ])('when %s, then the code is as expected', (_, message, output, code) => {
    expect(classifyBuildError(message, output).code).toBe(code);
  });
});

describe("the events of an engine's answer", () => {
  test('given events cut into pieces, then each arrives whole', () => {
    const lines = new EventLines();
    const events = ['{"stream":"a\\n"}\n{"str', 'eam":"b"}\n\n', '{"error":"x"}'].flatMap((piece) => [
      ...lines.push(piece),
    ]);
    expect([...events, ...lines.end()]).toEqual([{ stream: 'a\n' }, { stream: 'b' }, { error: 'x' }]);
  });

  test.each([
    [{ errorDetail: { message: 'no', code: 5 }, error: 'no' }, 'no'],
    [{ error: 'older engines' }, 'older engines'],
    [{ stream: 'error: in the text only' }, null],
  ])('given the event %j, then its error is read', (event, expected) => {
    expect(errorOf(event)).toBe(expected);
  });

  test('given progress bars, then they are not shown', () => {
    expect(textOf({ status: 'Pushing', id: 'abc', progressDetail: { current: 5 } })).toBe('');
    expect(textOf({ status: 'Pushed', id: 'abc', progressDetail: {} })).toBe('abc: Pushed\n');
  });

  test('given a push, then the last event has the digest', () => {
    expect(pushedDigest({ aux: { Tag: 't', Digest: 'sha256:1', Size: 5 } })).toBe('sha256:1');
    expect(pushedDigest({ status: 'Pushed' })).toBeNull();
    expect(pushedDigest({ id: 'moby.buildkit.trace', aux: 'CgA=' })).toBeNull();
  });
});
