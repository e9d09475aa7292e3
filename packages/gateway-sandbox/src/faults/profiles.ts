import type { Outcome } from '../domain/transaction/outcome.ts';
import type { Fault, FaultOperation, FaultSketch } from './fault.ts';

/** Fault profiles: each replaces the one before and stays until `healthy`. */
export const profileNames = [
  'healthy',
  'slow-3g',
  'ghost-success',
  'ghost-failure',
  'bank-outage',
  'maintenance-html',
  'status-lag',
  'webhook-storm',
  'webhook-blackout',
  'out-of-order',
  'friday-night',
] as const;

export type ProfileName = (typeof profileNames)[number];

/** Calls that move money or promise to, so that a lost answer leaves their outcome unknown. */
const moneyCalls: readonly FaultOperation[] = [
  'createPaymentLink',
  'sale',
  'capture',
  'void',
  'refund',
  'chargeRecurring',
];

/** The faults of each profile; all of them are injected until they are lifted. */
export const profiles: Readonly<Record<ProfileName, readonly FaultSketch[]>> = {
  healthy: [],
  // Slow, and slow once more between the two halves of the answer.
  'slow-3g': [
    { place: 'before-validation', kind: 'latency', latencyMs: 2000 },
    { place: 'body', kind: 'latency', latencyMs: 400 },
  ],
  // The call is committed, and its answer is lost.
  'ghost-success': moneyCalls.map((operation) => resetAt(operation, 'after-commit')),
  // The answer is lost, and nothing is committed.
  'ghost-failure': moneyCalls.map((operation) => resetAt(operation, 'before-commit')),
  // The issuers are away: payments are declined (`profileOutcomes`), and nothing else gets through.
  'bank-outage': (['capture', 'void', 'refund'] as const).map((operation) => ({
    operation,
    place: 'before-commit',
    kind: 'status',
    status: 503,
    retryAfterSeconds: 30,
  })),
  'maintenance-html': [{ place: 'before-validation', kind: 'html', status: 503 }],
  'status-lag': [
    { operation: 'retrieveStatus', place: 'before-commit', kind: 'stale', latencyMs: 10_000 },
  ],
  'webhook-storm': [
    { place: 'delivery', kind: 'duplicate', times: 5 },
    { place: 'delivery', kind: 'reorder', every: 2 },
  ],
  'webhook-blackout': [{ place: 'delivery', kind: 'drop' }],
  'out-of-order': [{ place: 'delivery', kind: 'reorder' }],
  // Everything a little, in a fixed rhythm, so that a failing test fails again.
  'friday-night': [
    { place: 'before-validation', kind: 'latency', latencyMs: 600 },
    { place: 'before-validation', kind: 'status', status: 429, retryAfterSeconds: 1, every: 5 },
    { operation: 'retrieveStatus', place: 'body', kind: 'cut', every: 4 },
    { operation: 'createPaymentLink', place: 'after-commit', kind: 'reset', every: 6 },
    { operation: 'hostedPage', place: 'after-commit', kind: 'reset', every: 4 },
    { place: 'delivery', kind: 'duplicate', every: 2 },
    { place: 'delivery', kind: 'late', latencyMs: 20_000, every: 3 },
  ],
};

/** The outcome of every payment under a profile; an armed outcome goes first. */
export const profileOutcomes: Partial<Readonly<Record<ProfileName, Outcome>>> = {
  'bank-outage': 'decline:91',
};

function resetAt(operation: FaultOperation, place: Fault['place']): FaultSketch {
  return { operation, place, kind: 'reset' };
}
