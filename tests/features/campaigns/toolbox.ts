import { readSettings, type OfCampaigns } from '../../../src/features/campaigns/pure/settings.js';
import { noFacts } from '../../../src/importers/index.js';
import type { Given } from '../../../src/model/plan.js';
import type { Settings } from '../../../src/plan/feature.js';
import { readReleaseFile } from '../../../src/plan/read/release-file.js';
import { sha256 } from '../../plan/a-plan.js';

export const RELEASE = `slipway: 1
pipeline: { name: small, label: minute }
source: { git: . }
`;

/** The settings of a release file, read from files of a commit. */
export function settled(text: string, files: Readonly<Record<string, string>>, given: Given = {}): Settings {
  const facts = noFacts();
  const file = readReleaseFile(RELEASE + text, 'slipway.yaml');
  for (let round = 0; round < 10; round += 1) {
    const found = readSettings(file, { given, facts, hash: sha256 });
    if (found === null) throw new TypeError('the file has no config');
    if (!('asks' in found)) return found;
    for (const { path } of found.asks) Object.assign(facts.text, { [path]: files[path] ?? null });
  }
  throw new TypeError('questions without an end');
}

export const ofCampaigns = ({ own }: Settings): OfCampaigns => own as OfCampaigns;

/** `CODE file:line:column message` of each problem. */
export const told = ({ findings }: Settings): readonly string[] =>
  findings.map(({ code, place, message }) =>
    [code, [place?.file, place?.line, place?.column].filter((one) => one !== undefined).join(':'), message].join(' '),
  );
