import {
  postgresStore,
  type CommitHook,
  type EventHandlers,
  type PostgresTransaction,
} from '@pay-button/server-helper';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { pool } from './pool.ts';

/** Prisma names the schema of each table, "public" unless told. */
const { rows } = await pool.query<{ schema: string }>('SELECT current_schema AS schema');
const prisma = new PrismaClient({ adapter: new PrismaPg(pool, rows[0]) });

/** What Prisma sends around a nested write, inside of the transaction that is open already. */
const savepoints: Readonly<Record<string, string>> = {
  BEGIN: 'SAVEPOINT prisma',
  COMMIT: 'RELEASE SAVEPOINT prisma',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT prisma',
};

/** Prisma takes a pool and no client: this pool has the one client that is lent to us. */
class LentPool extends pg.Pool {
  constructor(tx: PostgresTransaction) {
    super();
    const query = (asked: pg.QueryConfig): Promise<pg.QueryResult> =>
      tx.query({ ...asked, text: savepoints[asked.text] ?? asked.text });
    const own = { query: { value: query }, release: { value: () => undefined } };
    const client: pg.PoolClient = Object.create(tx, own);
    Object.assign(this, { query, connect: async () => client });
  }
}

export const store = postgresStore({ pool });

export const inTransaction: CommitHook<PostgresTransaction> = async (tx, { type, orderId }) => {
  if (type !== 'paid') return;
  const here = new PrismaClient({ adapter: new PrismaPg(new LentPool(tx), rows[0]) });
  await here.shipment.create({ data: { orderId } });
};

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    const data = { eventId: id, orderId };
    await prisma.email.upsert({ where: { eventId: id }, create: data, update: {} });
  },
};
