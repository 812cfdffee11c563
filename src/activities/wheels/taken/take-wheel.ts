import { basename } from 'node:path';
import type { Artifact } from '../../../model/artifact.js';
import type { WheelPlace } from '../../../model/wheel-params.js';
import { fittingWheels, type WantedWheel } from '../../../model/python/fitting-wheel.js';
import type { Archives } from '../../source/ports.js';
import { newFolder } from '../../step/inside.js';
import type { Layout } from '../../ports.js';
import type { Body, Made, Work } from '../../work.js';
import { inspect } from './inspect.js';
import type { Absent, WheelServer } from './ports.js';
import { CLOCK, type Clock, untilThere } from './wait.js';

export interface TakePorts {
  readonly archives: Pick<Archives, 'unpack'>;
  readonly wheelServer: WheelServer;
  /** Layout of a release by its name. */
  readonly layouts: (release: string) => Layout;
}

type Taking = Work<'takeWheel'>;

/** A wheel as it arrived. */
interface Arrived {
  readonly path: string;
  /** Address without a query. */
  readonly from: string;
  readonly etag: string | null;
}

/** A wheel that another pipeline built: waited for, stored by digest, read back. */
export const createTakeWheel = (ports: TakePorts, clock: Clock = CLOCK): Body<'takeWheel'> =>
  async function takeWheel(work) {
    const { from } = work.step.params;
    const place = 'at' in from ? from.at : from.name;
    const arrived = await untilThere(work, place, () => fetchFrom(from, work, ports), clock);
    if (arrived === null) return asKnown(work);
    const { project, python, for: platform } = work.step.params;
    const { version, commit, findings } = await inspect(work, ports.archives, arrived.path);
    const labels = { project, version, platform: platform.name, ...(python !== null && { python }) };
    const artifact = await work.keep(arrived.path, 'wheel', labels);
    return {
      artifacts: [artifact],
      facts: { file: artifact.name, from: arrived.from, etag: arrived.etag, commit },
      findings,
      note: `${artifact.name}, ${artifact.size} bytes${commit === null ? '' : `, commit ${commit.slice(0, 12)}`}`,
    };
  };

/** The server still has the bytes of an earlier result. */
function asKnown({ known }: Taking): Made {
  const { artifacts, facts, findings, note } = known!;
  return { artifacts, facts, findings, note, reused: true };
}

async function fetchFrom(from: WheelPlace, work: Taking, ports: TakePorts): Promise<Arrived | Absent | null> {
  if (!('at' in from)) return { path: await fetchFile(work, from), from: from.name, etag: null };
  const store = /^store:([^/]+)\/(.*)$/.exec(from.at);
  if (store) return fetchStored(work, ports.layouts(store[1]!), store[2]!);
  const found = await ports.wheelServer.find(from.at, wantedBy(work), work.signal);
  if ('absent' in found) return found;
  const folder = newFolder(work, 'arrived');
  const etag = await knownEtag(work, found.url);
  const got = await ports.wheelServer.download(found, { folder, signal: work.signal, etag });
  return got === null || 'absent' in got ? got : { ...got, from: found.url };
}

const wantedBy = ({ step: { params } }: Taking): WantedWheel => ({
  project: params.project,
  python: params.python,
  platform: params.for,
});

const fetchFile = (work: Taking, { name, digest, size }: Pick<Artifact, 'name' | 'digest' | 'size'>): Promise<string> =>
  work.fetch({ digest, kind: 'wheel', name, size, labels: {} }, newFolder(work, 'arrived'));

/** A wheel of a layout of this store: `main/<commit>/`, or a file in it. */
async function fetchStored(work: Taking, layout: Layout, path: string): Promise<Arrived | Absent> {
  const names = path.endsWith('/') ? (await layout.list(path)).map((one) => basename(one)) : [basename(path)];
  const [name] = fittingWheels(names, wantedBy(work));
  if (name === undefined) return { absent: `has ${names.length} files, and no wheel that fits` };
  const at = path.endsWith('/') ? `${path}${name}` : path;
  const stored = await layout.find(at);
  if (stored === null) return { absent: 'is empty' };
  return { path: await fetchFile(work, { name, ...stored }), from: at, etag: null };
}

/** The server's name for the bytes of an earlier result, if those are still in the store. */
async function knownEtag({ known, store }: Taking, url: string): Promise<string | null> {
  const [wheel] = known?.artifacts ?? [];
  if (wheel === undefined || known?.facts['from'] !== url || !(await store.sound(wheel.digest))) return null;
  const { etag } = known.facts;
  return typeof etag === 'string' ? etag : null;
}
