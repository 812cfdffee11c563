import { WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { SlipwayFailure, fail } from '../model/failure.js';
import type { ClientContext } from './client-context.js';
import { noWorkerAnswers, runUnknown, serverRefused, serverUnreachable } from './errors.js';

/** gRPC status codes for which a retry may succeed: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED,
 * FAILED_PRECONDITION (no worker polls yet), ABORTED, INTERNAL, UNAVAILABLE. */
const NOT_NOW: readonly number[] = [1, 2, 4, 8, 9, 10, 13, 14];

/** Runs a request and converts gRPC errors to coded failures. */
export async function ask<T>(
  context: ClientContext,
  what: string,
  about: { readonly workflowId: string; readonly run?: string | undefined },
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const grpc = grpcOf(error);
    if (error instanceof SlipwayFailure) throw error;
    if (error instanceof WorkflowNotFoundError) throw fail(runUnknown(about.workflowId, about.run), error);
    if (grpc === null) throw error;
    const isUnreachable = [4, 14].includes(grpc.code);
    const { address } = context;
    throw fail(isUnreachable ? serverUnreachable(address, grpc.details) : serverRefused(what, grpc.details), error);
  }
}

/** True if a retry of the same request may succeed soon. */
export const isNotNow = (error: unknown): boolean => {
  const grpc = grpcOf(error);
  return grpc !== null && NOT_NOW.includes(grpc.code);
};

/** Handles the error of a question to a run: throws NO_WORKER_ANSWERS if a retry may succeed soon, else the error. */
export const orSilent =
  (workflowId: string) =>
  (error: unknown): never => {
    throw isNotNow(error) ? fail(noWorkerAnswers(workflowId, (error as Error).message), error) : error;
  };

/** True if a run has had too many signals: the server answers INVALID_ARGUMENT beyond
 * `history.maximumSignalsPerExecution`. */
export const isOverLimit = (error: unknown): boolean => {
  const grpc = grpcOf(error);
  return grpc?.code === 3 && grpc.details.includes('limit for signal events');
};

/** True if the certificate may not do this (PERMISSION_DENIED). */
export const isRefused = (error: unknown): boolean => grpcOf(error)?.code === 7;

function grpcOf(error: unknown): { readonly code: number; readonly details: string } | null {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at;
  return null;
}
