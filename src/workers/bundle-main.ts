import '../adapters/tell-uncaught.js';
import { renameSync, writeFileSync } from 'node:fs';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WORKFLOW_SOURCES } from './workflow-code.js';

/** `node dist/workers/bundle-main.js FILE [FAILURE-CONVERTER]`: writes the workflow bundle of this build atomically. */
async function main([file, failureConverterPath]: readonly string[]): Promise<void> {
  const { code } = await bundleWorkflowCode({
    ...WORKFLOW_SOURCES,
    logger: new DefaultLogger('WARN'),
    ...(failureConverterPath !== undefined && { failureConverterPath }),
  });
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, code);
  renameSync(partial, file!);
}

void main(process.argv.slice(2));
