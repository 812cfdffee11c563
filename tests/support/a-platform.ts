import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformFacts } from '../../src/model/platform.js';
import { Platforms } from '../../src/model/schema/profile.js';
import { factsOf } from '../../src/plan/platforms.js';
import { readChecked } from '../../src/plan/read/release-file.js';

const FILE = join(__dirname, '..', '..', 'config', 'platforms.yaml');
const TABLE = readChecked(readFileSync(FILE, 'utf8'), FILE, Platforms).content;

/** A platform of config/platforms.yaml as steps get it. */
export const aPlatform = (name = 'linux-x86_64', more: Partial<PlatformFacts> = {}): PlatformFacts => ({
  ...factsOf(name, TABLE),
  ...more,
});
