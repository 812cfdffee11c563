import { PIPELINE_WORKFLOW, RELEASE_WORKFLOW } from '../../model/ids.js';
import { nameOf } from '../../plan/head.js';
import { readProfile } from './profile.js';
import { readReleaseText, parsedRelease } from './release-text.js';

/** Returns what the workflow ids of a file's runs begin with: `pipeline/NAME`, `release/NAME` or `rehearsal/NAME`. */
export async function runsOf(file: string, profile: string, cwd: string = process.cwd()): Promise<string> {
  const read = await readReleaseText(file, cwd);
  const { content } = parsedRelease(read);
  const name = nameOf(content);
  if (content.pipeline !== undefined) return `${PIPELINE_WORKFLOW}/${name}`;
  const { rehearsal } = (await readProfile(profile, read.folder)).content;
  return `${rehearsal ? 'rehearsal' : RELEASE_WORKFLOW}/${name}`;
}
