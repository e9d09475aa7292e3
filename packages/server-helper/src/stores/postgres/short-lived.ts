import { SWEPT_AT_ONCE, shortLivedStatements } from '../short-lived-sql.ts';
import type { Statement } from './connections.ts';

const statements = shortLivedStatements((position) => `$${position}`);

/** Takes rows of the past away before a write; the written row itself is left to the write. */
const sweeping = (table: string, write: string): string => `
  WITH swept AS (
    DELETE FROM ${table} WHERE key IN (
      SELECT key FROM ${table} WHERE ends_at <= $4 AND key <> $1
      LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED))
  ${write}`;

export const countHits: Statement = {
  name: 'pay_count_hits',
  text: sweeping('pay_hits', statements.countHits),
};

export const bindRequestKey: Statement = {
  name: 'pay_bind_request_key',
  text: sweeping('pay_request_keys', statements.bindRequestKey),
};
