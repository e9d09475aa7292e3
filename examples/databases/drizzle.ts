import {
  postgresStore,
  type CommitHook,
  type EventHandlers,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import type { PoolClient } from 'pg';
import { pool } from './pool.ts';

const shipments = pgTable('shipments', { orderId: text('order_id').primaryKey() });
const emails = pgTable('emails', {
  eventId: text('event_id').primaryKey(),
  orderId: text('order_id').notNull(),
});
const db = drizzle(pool);

export const store = postgresStore({ pool });

export const inTransaction: CommitHook<PostgresTransaction> = async (tx, { type, orderId }) => {
  if (type !== 'paid') return;
  // Drizzle's type asks for release(), which Drizzle does not call.
  const client = tx as PoolClient;
  await drizzle(client).insert(shipments).values({ orderId });
};

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    await db.insert(emails).values({ eventId: id, orderId }).onConflictDoNothing();
  },
};
