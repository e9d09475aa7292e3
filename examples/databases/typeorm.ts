import {
  postgresStore,
  type CommitHook,
  type EventHandlers,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import { DataSource, EntitySchema, type EntityManager } from 'typeorm';
import { pool } from './pool.ts';

const Shipment = new EntitySchema<{ orderId: string }>({
  name: 'shipments',
  columns: { orderId: { name: 'order_id', type: 'text', primary: true } },
});
const Email = new EntitySchema<{ eventId: string; orderId: string }>({
  name: 'emails',
  columns: {
    eventId: { name: 'event_id', type: 'text', primary: true },
    orderId: { name: 'order_id', type: 'text' },
  },
});
const source = await new DataSource({
  type: 'postgres',
  url: process.env['DATABASE_URL'] ?? '',
  entities: [Shipment, Email],
}).initialize();

/** TypeORM takes no client, but a runner that has one opens none; it is in a transaction already. */
const onClient = (tx: PostgresTransaction): EntityManager => {
  const state = { databaseConnection: tx, isTransactionActive: true, transactionDepth: 1 };
  return Object.assign(source.createQueryRunner(), state).manager;
};

export const store = postgresStore({ pool });

export const inTransaction: CommitHook<PostgresTransaction> = async (tx, { type, orderId }) => {
  if (type === 'paid') await onClient(tx).save(Shipment, { orderId });
};

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    await source
      .createQueryBuilder()
      .insert()
      .into(Email)
      .values({ eventId: id, orderId })
      .orIgnore()
      .execute();
  },
};
