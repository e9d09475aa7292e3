import { inspect } from 'node:util';

/** Where the merchant's own code failed. */
export interface OwnErrorPlace {
  readonly where: 'inTransaction' | 'loadOrder' | `on.${string}`;
  readonly orderId: string;
  /** Of the event that a handler was given. */
  readonly eventId?: string;
}

/** Gets every exception of the merchant's own code, as it was thrown. */
export type ReportOwnError = (error: unknown, place: OwnErrorPlace) => void;

const MAX_CAUSES = 5;

/**
 * Writes an exception of the merchant's own code to the console: where, of which order, and the whole
 * stack. The exception is theirs, so that nothing is left out of it; a browser never gets it.
 */
export function reportOnConsole(error: unknown, { where, orderId, eventId }: OwnErrorPlace): void {
  const event = eventId === undefined ? '' : `, event ${eventId}`;
  const stacks = causesOf(error).map(stackOf).join('\nbecause of ');
  // oxlint-disable-next-line no-console -- a shop without a logger must learn what its own code throws
  console.error(`pay-button: ${where} failed for order ${orderId}${event}:\n${stacks}`);
}

function causesOf(error: unknown): readonly unknown[] {
  const causes = [error];
  for (let last = error; last instanceof Error && last.cause !== undefined; last = last.cause) {
    if (causes.length > MAX_CAUSES) break;
    causes.push(last.cause);
  }
  return causes;
}

/** Without an error's other fields: a database's may hold a row. */
const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : inspect(error, { depth: 2 });
