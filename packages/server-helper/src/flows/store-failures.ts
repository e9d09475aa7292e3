import { ConfigurationError } from '../errors.ts';
import { quotable } from '../gateway/quotable.ts';
import type { Logger, OnceAMinute } from '../logger.ts';
import { faultText, storeFaultOf } from '../stores/database-error.ts';
import type { Save, Store } from '../stores/store.ts';
import { thrownByHook } from './watched-hook.ts';

/** The dependencies of the failure reports. */
export interface FailureReports {
  readonly logger: Pick<Logger, 'error'>;
  readonly once: OnceAMinute;
  /** Texts that no report may show, even where the database quotes them. */
  readonly secrets: readonly string[];
  readonly trouble: StoreTrouble;
}

/** Why the store failed last, for health; `null` where nothing is known. */
export interface StoreTrouble {
  reason: string | null;
}

/**
 * A store whose failures are reported where they happen, each kind once a minute: the database's
 * code and its message, and what is missing where that is known. A message's details are left out, since a
 * row may stand in them.
 */
export function reportingStore<Tx>(store: Store<Tx>, reports: FailureReports): Store<Tx> {
  const reported = async (work: Promise<unknown>, name: string, given: readonly unknown[]) => {
    try {
      return await work;
    } catch (error) {
      const isOwn = name === 'save' && thrownByHook(given[0] as Save, error) !== null;
      if (!isOwn && !(error instanceof ConfigurationError)) report(error, name === 'open', reports);
      throw error;
    }
  };
  const watched = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'health') return watched(member as Store<Tx>['health']);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, given);
          return result instanceof Promise ? reported(result, String(name), given) : result;
        };
      },
    });
  return watched(store);
}

function report(
  error: unknown,
  isOpening: boolean,
  { logger, once, secrets, trouble }: FailureReports,
): void {
  const what = isOpening ? 'the payments store cannot be opened' : 'the payments store failed';
  const { code, database, advice } = storeFaultOf(error);
  const isKnown = database !== null || advice !== undefined;
  trouble.reason = isKnown ? faultText(code, advice) : null;
  if (!once.lets(`${what} ${database?.number ?? code}`)) return;
  const fields = {
    code: 'store_unavailable',
    ...(database?.sqlState === undefined ? { error: code } : { sqlState: code }),
    ...(database === null ? {} : { databaseMessage: quotable(database.message, secrets) }),
  };
  logger.error(fields, advice === undefined ? what : `${what}: ${advice}`);
}
