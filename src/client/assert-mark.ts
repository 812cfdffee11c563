import type { Connection } from '@temporalio/client';
import type { ServerSettings } from '../adapters/temporal/settings.js';
import { fail } from '../model/failure.js';
import { isRefused } from './ask.js';
import { namespaceUnmarked, otherMark } from './errors.js';

/** Key of a namespace's data that names its owner. */
const MARK = 'slipway';

type Asked = Pick<Connection['workflowService'], 'describeNamespace'>;

/** Compares the mark of a namespace with the one asked for. Null asks for none. Throws NAMESPACE_UNMARKED or SERVER_FOREIGN. */
export async function assertMark(service: Asked, { address, namespace, mark }: ServerSettings): Promise<void> {
  if (mark === null) return;
  const found = await service.describeNamespace({ namespace }).catch((error: unknown) => {
    if (mark === undefined && isRefused(error)) return null;
    throw error;
  });
  const own = found?.namespaceInfo?.data?.[MARK] || undefined;
  if (own === mark) return;
  throw fail(
    own === undefined ? namespaceUnmarked(address, namespace, mark!) : otherMark(address, namespace, own, mark),
  );
}
