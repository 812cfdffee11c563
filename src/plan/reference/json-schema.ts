import { z } from 'zod';
import type { JsonObject } from '../../model/json.js';
import { ReleaseFile } from '../../model/schema/release-file.js';

/** JSON Schema of a release file, for completion and help in editors. */
export function releaseFileSchema(): JsonObject {
  const schema = z.toJSONSchema(ReleaseFile, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return { ...schema, title: 'Slipway release file', description: 'One file describes a release.' };
}

/** Text of `config/slipway.schema.json`, and the output of `slipway schema`. */
export const releaseFileSchemaText = (): string => `${JSON.stringify(releaseFileSchema(), null, 2)}\n`;
