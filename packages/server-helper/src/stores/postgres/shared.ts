import type { PaymentRecord } from '../../payments/payment-record.ts';
import { commitAlone, commitTogether, keysOfChange, type CommitRequest } from './commit.ts';
import type { PostgresConnections } from './connections.ts';
import { StoreDeadlineError } from '../deadline-timer.ts';
import { isLockTimeout, isUndone } from './errors.ts';
import {
  beginStatusChecks,
  endStatusChecks,
  loadTogether,
  noteHints,
  type Hint,
  type EndedCheck,
} from './checks.ts';
import { BY_ITSELF, SharedCalls } from './shared-calls.ts';
import type { CommitResult, StartedStatusCheck, CheckRequest } from '../store.ts';

/** The store's calls that many orders make at once, each kind in statements of its own. */
export function sharedCalls(connections: PostgresConnections, timeoutMs: number) {
  const { single, bounded, waiting } = connections;
  const both = { isUndone, timeoutMs };
  const load = async (orderId: string): Promise<PaymentRecord | null> =>
    (await loadTogether(bounded, [orderId]))[0] ?? null;
  return {
    loads: new SharedCalls<string, PaymentRecord | null>({
      ...both,
      keysOf: () => [],
      together: (ids) => loadTogether(single, ids),
      alone: load,
    }),
    commits: new SharedCalls<CommitRequest, CommitResult>({
      ...both,
      keysOf: keysOfChange,
      together: (requests) =>
        commitTogether(
          single,
          requests.map(({ change }) => change),
        ),
      alone: (request) => commitAlone(connections, request),
    }),
    checks: new SharedCalls<CheckRequest, StartedStatusCheck | null>({
      ...both,
      keysOf: ({ orderId }) => [orderId],
      together: (requests) => beginStatusChecks(single, requests, false),
      alone: (request) =>
        oneOf(beginStatusChecks(waiting, [request], true), null).catch(async (error: unknown) => {
          if (!isLockTimeout(error) && !(error instanceof StoreDeadlineError)) throw error;
          // Another transaction changes the order and takes long: the caller gets the order as it is.
          const record = await load(request.orderId);
          return record === null ? null : { record, taken: null };
        }),
    }),
    checkEnds: new SharedCalls<EndedCheck, true>({
      ...both,
      keysOf: ({ attempt }) => [attempt.merchantOrderId],
      together: (ends) => endStatusChecks(single, ends, false),
      alone: (end) => oneOf(endStatusChecks(waiting, [end], true), true),
    }),
    hints: new SharedCalls<Hint, string | null>({
      ...both,
      keysOf: ({ merchantOrderId }) => [merchantOrderId],
      together: (hints) => noteHints(single, hints, false),
      alone: (hint) => oneOf(noteHints(waiting, [hint], true), null),
    }),
  };
}

/** Whoever waits is told to send nothing by itself. */
async function oneOf<T>(
  answers: Promise<readonly (T | typeof BY_ITSELF)[]>,
  otherwise: T,
): Promise<T> {
  const [answer] = await answers;
  return answer === undefined || answer === BY_ITSELF ? otherwise : answer;
}
