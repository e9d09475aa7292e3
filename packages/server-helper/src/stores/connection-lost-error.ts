/** The connection broke in the middle of a transaction, which is rolled back by that. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super('the connection to the database broke', { cause });
  }
}
