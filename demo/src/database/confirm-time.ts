/** When orders were placed and shipped, both ISO 8601. */
export const SELECT_TIMES = `SELECT o.placed_at, min(f.shipped_at) AS shipped_at
  FROM shop_fulfilments f JOIN shop_orders o ON o.order_id = f.order_id
  GROUP BY o.order_id, o.placed_at ORDER BY o.placed_at DESC`;

/** A row of {@link SELECT_TIMES}. */
export interface TimesRow {
  readonly placed_at: string;
  readonly shipped_at: string;
}

/** How long the shopper waited for the confirmation, in seconds. */
export function secondsOf({ placed_at: placed, shipped_at: shipped }: TimesRow): number {
  return Math.max(0, (Date.parse(shipped) - Date.parse(placed)) / 1_000);
}
