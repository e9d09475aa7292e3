import type { Pool } from 'pg';
import type { PaymentRecord } from '../payments/payment-record.ts';
import {
  commitAlone,
  commitTogether,
  keysOfChange,
  type CommitRequest,
  type Connection,
} from './postgres-commit.ts';
import { isUndone } from './postgres-errors.ts';
import {
  beginLooks,
  endLooks,
  loadTogether,
  noteHints,
  type Hint,
  type EndedLook,
} from './postgres-looks.ts';
import type { Row } from './rows.ts';
import { BY_ITSELF, SharedCalls } from './shared-calls.ts';
import type { CommitResult, Look, LookRequest } from './store.ts';

/** The store's calls that many orders make at once, each kind in statements of its own. */
export function sharedCalls(pool: Pool) {
  const connection: Connection = {
    query: (sql, values = []) => pool.query<Row>(sql, [...values]),
  };
  return {
    loads: new SharedCalls<string, PaymentRecord | null>({
      keysOf: () => [],
      together: (ids) => loadTogether(connection, ids),
      alone: async (id) => (await loadTogether(connection, [id]))[0] ?? null,
      isUndone,
    }),
    commits: new SharedCalls<CommitRequest, CommitResult>({
      keysOf: keysOfChange,
      together: (requests) =>
        commitTogether(
          connection,
          requests.map(({ change }) => change),
        ),
      alone: (request) => commitAlone(pool, request),
      isUndone,
    }),
    looks: new SharedCalls<LookRequest, Look | null>({
      keysOf: ({ orderId }) => [orderId],
      together: (requests) => beginLooks(connection, requests, false),
      alone: (request) => oneOf(beginLooks(connection, [request], true), null),
      isUndone,
    }),
    lookEnds: new SharedCalls<EndedLook, true>({
      keysOf: ({ attempt }) => [attempt.merchantOrderId],
      together: (ends) => endLooks(connection, ends, false),
      alone: (end) => oneOf(endLooks(connection, [end], true), true),
      isUndone,
    }),
    hints: new SharedCalls<Hint, string | null>({
      keysOf: ({ merchantOrderId }) => [merchantOrderId],
      together: (hints) => noteHints(connection, hints, false),
      alone: (hint) => oneOf(noteHints(connection, [hint], true), null),
      isUndone,
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
