/** How many expired rows each write deletes, so that the tables stay small. */
export const SWEPT_AT_ONCE = 4;

/**
 * The statements for counters and request keys, in SQL that both databases read.
 *
 * @param at - How the database writes the n-th value.
 */
export function shortLivedStatements(at: (position: number) => string) {
  const lives = (table: string): string =>
    `${table}.ends_at > ${at(4)}
      AND ${table}.ends_at - excluded.ends_at <= excluded.ends_at - ${at(4)}`;
  return {
    countHits: `
      INSERT INTO pay_hits (key, hits, ends_at) VALUES (${at(1)}, ${at(2)}, ${at(3)})
      ON CONFLICT (key) DO UPDATE SET
        hits = CASE WHEN ${lives('pay_hits')} THEN pay_hits.hits ELSE 0 END + excluded.hits,
        ends_at = CASE WHEN ${lives('pay_hits')} THEN pay_hits.ends_at ELSE excluded.ends_at END
      RETURNING hits, ends_at`,
    bindRequestKey: `
      INSERT INTO pay_request_keys (key, subject, ends_at) VALUES (${at(1)}, ${at(2)}, ${at(3)})
      ON CONFLICT (key) DO UPDATE SET
        subject = CASE WHEN ${lives('pay_request_keys')}
          THEN pay_request_keys.subject ELSE excluded.subject END,
        ends_at = CASE WHEN ${lives('pay_request_keys')}
          THEN pay_request_keys.ends_at ELSE excluded.ends_at END
      RETURNING subject`,
  };
}
