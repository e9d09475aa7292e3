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

/** A logger that never throws: what cannot be told must not stop what is being done. */
export function carefulLogger(logger: Logger): Logger {
  const careful =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) => {
      try {
        logger[level](fields, message);
      } catch {
        // There is nobody left to tell.
      }
    };
  return { info: careful('info'), warn: careful('warn'), error: careful('error') };
}
