/**
 * Where the kit tells what happens; shaped like pino. It is given codes and our own ids only: never
 * a credential, a phone number, an e-mail address or a card number.
 */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The default: tells nobody. */
export const silentLogger: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
