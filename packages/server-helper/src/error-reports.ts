import { inspect } from 'node:util';
import { helpAddress, nameOf, PaymentsError } from './errors.ts';
import type { OnceAMinute } from './logger.ts';

/** Where an exception was met, and what it was about. */
export interface ErrorPlace {
  /**
   * The merchant's own function, by the name of its option (`actor`, `describeOrder` and `may` are the
   * back office's); else the kit's own work: `background`, or `request` where a route met it.
   */
  readonly where:
    | 'actor'
    | 'background'
    | 'describeOrder'
    | 'inTransaction'
    | 'limits.shopperKey'
    | 'loadOrder'
    | 'may'
    | 'request'
    | `on.${string}`;
  /** Absent where the work was about no single order. */
  readonly orderId?: string;
  /** Of the event that a handler was given. */
  readonly eventId?: string;
}

/** Gets an exception as it was thrown. */
export type ErrorHandler = (error: unknown, place: ErrorPlace) => void | Promise<void>;

/** Reports an exception, and never throws. */
export type ReportError = (error: unknown, place: ErrorPlace) => void;

/** What was reported, so that a route does not report it again. */
const reported = new WeakSet<object>();

/** Only the merchant's own code throws what is no object, and a report was made where it did. */
const wasReported = (error: unknown): boolean =>
  typeof error !== 'object' || error === null || reported.has(error);

/**
 * Makes the report of exceptions to the merchant. Each exception of the merchant's own code is
 * reported; one of the kit's own work once a minute and kind, since that work is repeated.
 *
 * @param given - @defaultValue writes to the console
 */
export function errorReports(given: ErrorHandler | undefined, once: OnceAMinute): ReportError {
  return (error, place) => {
    const { where } = place;
    if (where === 'request' && wasReported(error)) return;
    if (typeof error === 'object' && error !== null) reported.add(error);
    const isRepeated = where === 'background' || where === 'request';
    if (isRepeated && !once.lets(`report ${where} ${nameOf(error)}`)) return;
    if (given === undefined) reportOnConsole(error, place);
    else void handOver(given, error, place);
  };
}

/** An `onError` that fails must stop no payment, and hide neither error. */
async function handOver(give: ErrorHandler, error: unknown, place: ErrorPlace): Promise<void> {
  try {
    await give(error, place);
  } catch (failure) {
    reportOnConsole(error, place);
    writeOnConsole(failure, { ...place, where: 'onError' });
  }
}

/** A store that fails is in the log already, in words that are cleaned. */
function reportOnConsole(error: unknown, place: ErrorPlace): void {
  if (error instanceof PaymentsError && error.code === 'store_unavailable') return;
  writeOnConsole(error, place);
}

/**
 * Writes where, of which order, and the whole stack. The exception is the merchant's, so that nothing
 * is left out of it; a browser never gets it.
 */
function writeOnConsole(
  error: unknown,
  { where, orderId, eventId }: Omit<ErrorPlace, 'where'> & { readonly where: string },
): void {
  const order = orderId === undefined ? '' : ` for order ${orderId}`;
  const event = eventId === undefined ? '' : `, event ${eventId}`;
  const see = /^(?:inTransaction|loadOrder)$/.test(where) ? helpAddress('hook_failed') : '';
  // oxlint-disable-next-line no-console -- a shop without a logger must learn what its own code throws
  console.error(`pay-button: ${where} failed${order}${event}: ${see}\n${stackOf(error)}`);
}

/** An error's stack and those of its causes, without their other fields: a database's may hold a row. */
function stackOf(error: unknown, causesLeft = 5): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 2 });
  const { stack = String(error), cause } = error;
  const isLast = cause === undefined || causesLeft === 0;
  return isLast ? stack : `${stack}\nbecause of ${stackOf(cause, causesLeft - 1)}`;
}
