/** @long @needs registries */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { Session } from '../../../src/activities/publish/ports.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { FailureClass } from '../../../src/model/failure.js';
import type { Target } from '../../../src/model/target.js';
import { FAULTS, startFaultProxy, type FaultName, type FaultProxy } from '../../support/fault-proxy.js';
import { stageImage, wheelBytes } from '../../support/publish-fixtures.js';
import {
  DEVPI_PASSWORD,
  startDevpi,
  startMavenRepository,
  startRegistry,
  type TestServer,
} from '../../support/registries.js';
import { aStep, anArtifact, newHome, runBody } from '../../support/run-body.js';
import { aTarget, built, codesOf, seal } from './release.js';

/** Only what never ends is given up soon: a real server on a busy machine may take its time. */
const DRIPS: FaultName = 'answers a byte now and then';
const SOON_MS = 1500;
const names = Object.keys(FAULTS) as FaultName[];
const folder = (kind: string): string => mkdtempSync(join(tmpdir(), `slipway-faults-${kind}-`));

const patient = (pace: Pick<Session, 'patienceMs'> = {}) =>
  makeBodies(['publishArtifacts'], { targets: createTargets(pace), images: null, readBackWaitsMs: [50, 100] });

async function publishing(
  target: Target,
  artifact: (home: string) => Promise<Artifact>,
  staging: string | null = null,
) {
  const home = await newHome();
  const build = built([await artifact(home)]);
  const sealed = await seal(home, build);
  const params = { target, of: [build.step], tags: staging === null ? [] : ['1.0'] };
  const step = aStep('publishArtifacts', params, { id: `publish/${target.name}` });
  const surroundings = { service: () => staging, env: { ...process.env, DEVPI: DEVPI_PASSWORD } };
  return (fault: FaultName | null = null) =>
    runBody(patient(fault === DRIPS ? { patienceMs: SOON_MS } : {}).publishArtifacts, step, {
      ...{ home, inputs: [sealed, build], surroundings },
    });
}

/** What the first try may end with: nothing at all, or a failure that is asked again or told to a person. */
async function outcome(attempt: () => Promise<unknown>): Promise<FailureClass | 'published'> {
  return attempt().then(
    () => 'published',
    (error: unknown) => {
      expect(codesOf(error)).not.toEqual([]);
      return (error as { problems: readonly { class: FailureClass }[] }).problems[0]!.class;
    },
  );
}

describe('a Maven repository behind a faulty proxy', () => {
  let maven: Awaited<ReturnType<typeof startMavenRepository>>;
  let door: FaultProxy;
  beforeAll(async () => {
    maven = await startMavenRepository(folder('maven'));
    door = await startFaultProxy(maven.address);
  });
  afterAll(async () => {
    await door.stop();
    await maven.stop();
  });

  const EXPECTED: Readonly<Record<FaultName, readonly (FailureClass | 'published')[]>> = {
    'stores it and answers 500': ['published'],
    'answers 200 and stores nothing': ['infra'],
    'answers 429 with Retry-After': ['infra'],
    'answers a page for people': ['infra'],
    'sends us elsewhere': ['config'],
    'stores it and cuts the answer': ['published'],
    'answers a byte now and then': ['infra'],
    'is down': ['infra'],
  };

  test.each(names)('given an upload where it %s, then the file is there once in the end', async (fault) => {
    const artifactId = fault.replace(/\W+/g, '-');
    const labels = { groupId: 'org.example', artifactId, version: '1.0', extension: 'jar' };
    const file = `${artifactId}-1.0.jar`;
    const publish = await publishing(aTarget({ kind: 'maven', address: door.address }), (home) =>
      anArtifact(home, file, 'bytes', { kind: 'jar', labels }),
    );
    door.hits = ({ method, path }) => method === 'PUT' && path.endsWith('.jar');
    door.fault = fault;
    expect(EXPECTED[fault]).toContain(await outcome(() => publish(fault)));
    door.fault = null;
    await publish();
    const path = `org/example/${artifactId}/1.0/${file}`;
    expect(await (await fetch(maven.address + path)).text()).toBe('bytes');
    const stored = (await maven.accessLog()).split('\n').filter((line) => line.includes(`"PUT /${path} `));
    expect(stored.filter((line) => / 201 /.test(line))).toHaveLength(1);
  });
});

describe('a container registry behind a faulty proxy', () => {
  let staging: TestServer;
  let registry: TestServer;
  let door: FaultProxy;
  beforeAll(async () => {
    [staging, registry] = await Promise.all([startRegistry(folder('staging')), startRegistry(folder('hub'))]);
    door = await startFaultProxy(`http://${registry.address}/`);
  });
  afterAll(async () => {
    await door.stop();
    await Promise.all([staging.stop(), registry.stop()]);
  });
  const digestAt = async (repository: string, tag: string): Promise<string | null> => {
    const headers = { accept: 'application/vnd.oci.image.manifest.v1+json' };
    const answer = await fetch(`http://${registry.address}/v2/${repository}/manifests/${tag}`, { headers });
    return answer.headers.get('docker-content-digest');
  };

  test.each(
    names.flatMap((fault) => [
      [fault, 'a tag', /PUT .*manifests\/1\.0$/] as const,
      [fault, 'a layer', /PUT .*uploads/] as const,
    ]),
  )('given a push where it %s, at %s, then the tag has our digest in the end', async (fault, what, pattern) => {
    const repository = `faults/${names.indexOf(fault)}-${what.slice(2)}`;
    const image = await stageImage(staging.address, 'skiff', `${fault} ${what}`);
    const to = aTarget({ name: 'hub', kind: 'oci', address: new URL(door.address).host, repository });
    const publish = await publishing(to, async () => image, staging.address);
    door.hits = ({ method, path }) => pattern.test(`${method} ${path.replace(/\?.*/, '')}`);
    door.fault = fault;
    const met = door.met.count;
    await outcome(() => publish(fault));
    expect(door.met.count).toBeGreaterThan(met);
    door.fault = null;
    await publish();
    expect(await digestAt(repository, '1.0')).toBe(image.digest);
  });
});

describe('a Python index behind a faulty proxy', () => {
  let devpi: TestServer;
  let door: FaultProxy;
  let origin: string;
  beforeAll(async () => {
    devpi = await startDevpi(folder('devpi'));
    origin = new URL('/', devpi.address).href;
    door = await startFaultProxy(origin);
  });
  afterAll(async () => {
    await door.stop();
    await devpi.stop();
  });

  const target = () =>
    aTarget({ kind: 'python', address: `${door.address}root/release/`, username: 'root', password: '$DEVPI' });
  const listed = async (): Promise<readonly { filename: string }[]> => {
    const headers = { accept: 'application/vnd.pypi.simple.v1+json' };
    return ((await (await fetch(`${origin}root/release/+simple/skiff/`, { headers })).json()) as { files: [] }).files;
  };

  test.each(names.filter((name) => name !== 'answers a byte now and then'))(
    'given an upload where it %s, then the file is there once in the end',
    async (fault) => {
      const version = `1.${names.indexOf(fault)}`;
      const file = `skiff-${version}-py3-none-any.whl`;
      const publish = await publishing(target(), (home) =>
        anArtifact(home, file, wheelBytes(version), { kind: 'wheel' }),
      );
      door.hits = ({ method, path }) => method === 'POST' && !path.includes('+login');
      door.fault = fault;
      await outcome(() => publish(fault));
      door.fault = null;
      await publish();
      expect((await listed()).filter(({ filename }) => filename === file)).toHaveLength(1);
    },
  );

  test.each(names.filter((name) => !name.startsWith('stores') && name !== 'answers 200 and stores nothing'))(
    'given a lookup where it %s, then the file is never taken as absent',
    async (fault) => {
      const version = `2.${names.indexOf(fault)}`;
      const publish = await publishing(target(), (home) =>
        anArtifact(home, `skiff-${version}-py3-none-any.whl`, wheelBytes(version), { kind: 'wheel' }),
      );
      await publish();
      door.hits = ({ path }) => path.includes('+simple');
      door.fault = fault;
      expect(await outcome(() => publish(fault))).not.toBe('published');
      door.fault = null;
    },
  );

  test('given a credential, then only the index receives it', () => {
    expect(door.met.elsewhere.filter((header) => header !== undefined)).toEqual([]);
  });
});
