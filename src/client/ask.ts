import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { SlipwayFailure, fail } from '../model/failure.js';
import type { ClientContext } from './client-context.js';
import { runUnknown, serverRefused, serverUnreachable } from './errors.js';

/** gRPC status codes that mean "not now": CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED,
 * FAILED_PRECONDITION (no worker polls yet), ABORTED, INTERNAL, UNAVAILABLE. */
const NOT_NOW: readonly number[] = [1, 2, 4, 8, 9, 10, 13, 14];

/** Asks the server, and turns its refusals into coded failures. */
export async function ask<T>(
  door: ClientContext,
  what: string,
  about: { readonly workflowId: string; readonly run?: string | undefined },
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw coded(door, what, about, error);
  }
}

function coded(
  door: ClientContext,
  what: string,
  about: { workflowId: string; run?: string | undefined },
  error: unknown,
): unknown {
  if (error instanceof SlipwayFailure) return error;
  if (error instanceof WorkflowNotFoundError) return fail(runUnknown(about.workflowId, about.run), error);
  const grpc = grpcOf(error);
  if (!grpc) return error;
  const problem = isAway(error) ? serverUnreachable(door.address, grpc.details) : serverRefused(what, grpc.details);
  return fail(problem, error);
}

/** The server or its workers may answer the same question in a moment. */
export const isNotNow = (error: unknown): boolean => {
  const grpc = grpcOf(error);
  return grpc !== null && NOT_NOW.includes(grpc.code);
};

/** INVALID_ARGUMENT is also what the server says of a signal beyond `history.maximumSignalsPerExecution`. */
export const isOverLimit = (error: unknown): boolean => {
  const grpc = grpcOf(error);
  return grpc?.code === 3 && grpc.details.includes('limit for signal events');
};

const isAway = (error: unknown): boolean => [4, 14].includes(grpcOf(error)?.code ?? -1);

/** The gRPC error inside, however deep the SDK wrapped it. */
function grpcOf(error: unknown): { readonly code: number; readonly details: string } | null {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at;
  return null;
}
