/** The command was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whose help to read; empty for the program's own. */
  readonly command: string;

  constructor(message: string, command = '') {
    super(message);
    this.command = command;
  }
}
