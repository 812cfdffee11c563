import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const schema: CommandSpec<Ports> = {
  name: 'schema',
  summary: 'print the JSON Schema of release files, for editors',
  async run(_, io) {
    const { releaseFileSchemaText } = await import('../../plan/reference/json-schema.js');
    io.out(releaseFileSchemaText().trimEnd());
    return 0;
  },
};
