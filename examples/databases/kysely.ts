import {
  postgresStore,
  type CommitHook,
  type EventHandlers,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import { Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import { pool } from './pool.ts';

interface Tables {
  shipments: { order_id: string };
  emails: { event_id: string; order_id: string };
}
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

/** A pool of the one client that is lent to us; to give it back does nothing. */
const onClient = (tx: PostgresTransaction): Kysely<Tables> => {
  const client: PoolClient = Object.create(tx, { release: { value: () => undefined } });
  const lent = { options: {}, connect: async () => client, end: async () => undefined };
  return new Kysely({ dialect: new PostgresDialect({ pool: lent }) });
};

export const store = postgresStore({ pool });

export const inTransaction: CommitHook<PostgresTransaction> = async (tx, { type, orderId }) => {
  if (type !== 'paid') return;
  await onClient(tx).insertInto('shipments').values({ order_id: orderId }).execute();
};

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    const row = { event_id: id, order_id: orderId };
    await db
      .insertInto('emails')
      .values(row)
      .onConflict((it) => it.doNothing())
      .execute();
  },
};
