/** The two calls that every payment makes. */
export const operations = ['create', 'retrieve'] as const;
export type Operation = (typeof operations)[number];

/** Who makes them, the floor first; the tables have this order. */
export const contenderNames = [
  'raw undici (floor)',
  'our client',
  'global fetch',
  'stripe-node',
] as const;
export type ContenderName = (typeof contenderNames)[number];
