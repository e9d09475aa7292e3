import { whole } from '../rows.ts';
import type { PostgresConnections } from './connections.ts';

/**
 * A sample of the database's clock that took longer says little: the call may have waited for a
 * connection, and half of the wait would move our clock.
 */
const MAX_SAMPLE_MS = 250;

const time = {
  name: 'pay_time',
  text: 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
};

/** How far the database's clock is ahead; see `Store.clockOffsetMs`. */
export async function clockOffsetMs(connections: PostgresConnections): Promise<number | null> {
  const askedAt = Date.now();
  const [row = {}] = (await connections.query(time)).rows;
  const answeredAt = Date.now();
  if (answeredAt - askedAt > MAX_SAMPLE_MS) return null;
  return whole(row, 'now') - (askedAt + answeredAt) / 2;
}
