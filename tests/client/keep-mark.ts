import type { Connection } from '@temporalio/client';
import { until } from '../support/until.js';

/** Writes the mark of the namespace `default`, and waits until the server tells it. Empty: none. */
export async function keepMark(
  { workflowService: service }: Pick<Connection, 'workflowService'>,
  slipway: string,
): Promise<void> {
  const namespace = 'default';
  await service.updateNamespace({ namespace, updateInfo: { data: { slipway } } });
  await until(
    async () => (await service.describeNamespace({ namespace })).namespaceInfo?.data?.['slipway'] === slipway,
  );
}
