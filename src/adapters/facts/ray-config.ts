import { join } from 'node:path';
import type { ZodType } from 'zod';
import { Alerts, Groups, Instances, type RayConfig } from '../../model/schema/ray-config.js';
import { readChecked } from '../../plan/read/release-file.js';
import { packageRoot } from '../home.js';
import { utf8 } from './release-text.js';

/** Reads upstream's rules, which are shipped with Slipway. */
export async function readRayConfig(): Promise<RayConfig> {
  const read = async <T>(name: string, schema: ZodType<T>): Promise<T> => {
    const text = await utf8(join(packageRoot(), 'config', name), `config/${name}`);
    return readChecked(text, `config/${name}`, schema).content;
  };
  const [groups, instances, alerts] = await Promise.all([
    read('groups/ray.yaml', Groups),
    read('instances.yaml', Instances),
    read('alerts/ray.yaml', Alerts),
  ]);
  return { groups, instances, alerts };
}
