/** The database did not answer in time, or was too busy to be asked: the call's fate is unknown. */
export class StoreDeadlineError extends Error {
  override readonly name = 'StoreDeadlineError';
}

/** The merchant's work inside a commit took longer than it may; the commit is rolled back. */
export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';

  constructor(hookTimeoutMs: number) {
    super(`inTransaction took longer than hookTimeoutMs, ${hookTimeoutMs} ms`);
  }
}

/** The connection broke during a transaction. The database then rolls the transaction back. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super('the connection to the database broke', { cause });
  }
}
