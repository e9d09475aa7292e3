import { inspect } from 'node:util';
import { helpAddress, nameOf, PaymentsError } from './errors.ts';
import { currentActivity } from './telemetry.ts';

/**
 * The kit's log; shaped like pino. It gets codes and ids only, and the name of who changes the gateway's
 * portal in the back office: never a credential, a phone number, an e-mail address or a card number.
 */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silentLogger: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/* oxlint-disable no-console -- a shop that gives the console or no logger has nothing else to read */
/** For a shop without a logger, which is told what it must know of, and for one whose logger is the console. */
export const consoleLogger: Logger = {
  info: (fields, message) => console.info(lineOf(fields, message)),
  warn: (fields, message) => console.warn(lineOf(fields, message)),
  error: (fields, message) => console.error(lineOf(fields, message)),
};
/* oxlint-enable no-console */

const lineOf = (fields: object, message: string): string =>
  ['pay-button:', message, ...Object.entries(fields).map(([name, one]) => `(${name} ${one})`)].join(
    ' ',
  );

/** Every field that a line may have; any other field is left out. */
const allowed: ReadonlySet<string> = new Set(
  [
    'attempt by code credential databaseMessage error eventId field gatewayMessages gatewayRequestId',
    'httpStatus kind limit operation operationId orderId outcome record requestId sqlState status',
    'tryNumber version waitingMs',
  ].flatMap((names) => names.split(' ')),
);

const MAX_TEXT = 300;
const MAX_TEXTS = 10;

/**
 * A logger that never throws, since a line that cannot be logged must not stop a payment. Lines
 * hold allowed fields with plain values, and the id of the HTTP request that they belong to.
 */
export function carefulLogger(logger: Logger): Logger {
  if (logger === silentLogger) return logger;
  const careful =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) => {
      const requestId = currentActivity()?.requestId;
      // It may answer with a promise. A broken logger has no other place to report to.
      const write = async (): Promise<void> => {
        const plain: Record<string, unknown> = requestId === undefined ? {} : { requestId };
        for (const [name, value] of Object.entries(fields)) {
          const kept = allowed.has(name) ? short(value) : undefined;
          if (kept !== undefined) plain[name] = kept;
        }
        return logger[level](plain, message);
      };
      write().catch(() => undefined);
    };
  return { info: careful('info'), warn: careful('warn'), error: careful('error') };
}

/** A plain value, or a list of texts, without what is too long; `undefined` for any other. */
function short(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.slice(0, MAX_TEXTS).map((part) => short(String(part)));
  return value === null || /^(?:number|boolean)$/.test(typeof value) ? value : undefined;
}

const MINUTE_MS = 60_000;

/**
 * Lets each kind of thing through at most once a minute, so that what happens again and again fills
 * no log. Kinds are to be few.
 */
export class OnceAMinute {
  readonly #now: () => number;
  readonly #lastAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this kind may pass now; it then has. */
  lets(kind: string): boolean {
    const now = this.#now();
    const lastAt = this.#lastAt.get(kind);
    // A clock that was put back holds nothing back.
    if (lastAt !== undefined && now >= lastAt && now - lastAt < MINUTE_MS) return false;
    this.#lastAt.set(kind, now);
    return true;
  }
}

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

/**
 * Makes the report of exceptions to the merchant. Each exception of the merchant's own code is
 * reported; one of the kit's own work once a minute and kind, since that work is repeated.
 *
 * @param given - @defaultValue writes to the console
 */
export function errorReports(given: ErrorHandler | undefined, once: OnceAMinute): ReportError {
  return (error, place) => {
    const { where } = place;
    const isObject = typeof error === 'object' && error !== null;
    // Only the merchant's own code throws what is no object, and a report was made where it did.
    if (where === 'request' && (!isObject || reported.has(error))) return;
    if (isObject) reported.add(error);
    const isRepeated = where === 'background' || where === 'request';
    if (isRepeated && !once.lets(`report ${where} ${nameOf(error)}`)) return;
    if (given === undefined) writeOnConsole(error, place);
    else void handOver(given, error, place);
  };
}

/** An `onError` that fails must stop no payment, and hide neither error. */
async function handOver(give: ErrorHandler, error: unknown, place: ErrorPlace): Promise<void> {
  try {
    await give(error, place);
  } catch (failure) {
    writeOnConsole(error, place);
    writeOnConsole(failure, { ...place, where: 'onError' });
  }
}

/**
 * Writes where, of which order, and the whole stack. The exception is the merchant's, so that nothing
 * is left out of it; a browser never gets it.
 */
function writeOnConsole(
  error: unknown,
  { where, orderId, eventId }: Omit<ErrorPlace, 'where'> & { readonly where: string },
): void {
  // A store that fails is in the log already, in words that are cleaned.
  const isLogged = error instanceof PaymentsError && error.code === 'store_unavailable';
  if (isLogged && where !== 'onError') return;
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
