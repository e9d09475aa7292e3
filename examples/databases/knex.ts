import {
  postgresStore,
  type CommitHook,
  type EventHandlers,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import knex from 'knex';
import { pool } from './pool.ts';

const db = knex({ client: 'pg', connectionPool: pool });

export const store = postgresStore({ pool });

export const inTransaction: CommitHook<PostgresTransaction> = async (tx, { type, orderId }) => {
  if (type !== 'paid') return;
  await db('shipments').insert({ order_id: orderId }).connection(tx);
};

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    const row = { event_id: id, order_id: orderId };
    await db('emails').insert(row).onConflict('event_id').ignore();
  },
};
