import { z } from 'zod';
import { expressionFault } from './expression.js';

/** Compiles an expression while its file is read, so that an error has its line. */
export function mustCompile(source: string, { addIssue }: { addIssue(message: string): void }): void {
  const fault = expressionFault(source);
  if (fault !== null) addIssue(`it is no regular expression of RE2: ${fault}`);
}

export const ExpressionText = z
  .string()
  .min(1, 'an empty expression is in every text')
  .max(500, 'an expression has at most 500 characters')
  .superRefine(mustCompile);
