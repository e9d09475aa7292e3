import type { CommitResult } from './store.ts';

/** Thrown to undo the transaction that a change stands in; becomes the commit's result outside. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange';
  readonly result: CommitResult;

  constructor(result: CommitResult) {
    super(result.outcome);
    this.result = result;
  }
}

/** Turns a refusal into the result it stands for; every other error is thrown on. */
export function resultOfRefusal(error: unknown): CommitResult {
  if (error instanceof RefusedChange) return error.result;
  throw error;
}
