import { z } from 'zod';
import {
  callFaultKinds,
  deliveryFaultKinds,
  faultOperations,
  faultPlaces,
  profileNames,
} from '../faults/faults.ts';
import type { Fault } from '../faults/faults.ts';
import type { LoggedRequest } from '../log/request-log.ts';
import { decimal, environment, instant } from './control-shapes.ts';

export const faultPlace = z.enum(faultPlaces);
export const faultKind = z.enum([...callFaultKinds, ...deliveryFaultKinds]);

/** A fault to arm. Absent fields have their defaults. */
export const controlFault = z.strictObject({
  /** Left out: every operation. `hostedPage` is the forms of the hosted pages. */
  operation: z.enum(faultOperations).exactOptional(),
  /** Left out: every order. */
  merchantOrderId: z.string().exactOptional(),
  place: faultPlace,
  kind: faultKind,
  /** How many calls, by default 1. Null: until it is lifted. */
  count: z.int().min(1).nullable().exactOptional(),
  /** Meets every n-th call; by default each. */
  every: z.int().min(1).exactOptional(),
  /** HTTP status of the kinds `status` (by default 500) and `html` (503). */
  status: z.int().min(400).max(599).exactOptional(),
  /** Seconds of a `Retry-After` header with `status` and `html`; left out, no header. */
  retryAfterSeconds: z.int().min(0).exactOptional(),
  /**
   * Milliseconds: the delay of `latency` (by default 2000) and `late` (60,000, on the tenant's
   * clock), and how far behind a `stale` answer is (30,000).
   */
  latencyMs: z.int().min(0).exactOptional(),
  /** Where `redirect` leads. */
  location: z.string().exactOptional(),
  /** How often `duplicate` delivers, in all; by default 2. */
  times: z.int().min(2).exactOptional(),
});
export type ControlFault = Readonly<z.infer<typeof controlFault>>;

export const waitingFault: z.ZodType<Fault> = z.strictObject({
  id: z.string(),
  operation: z.enum(faultOperations).nullable(),
  merchantOrderId: z.string().nullable(),
  place: faultPlace,
  kind: faultKind,
  count: z.int().nullable(),
  every: z.int(),
  status: z.int(),
  retryAfterSeconds: z.int().nullable(),
  latencyMs: z.int(),
  location: z.string(),
  times: z.int(),
  profile: z.string().nullable(),
});

/** The faults that wait for calls and deliveries. */
export const controlFaults = z.strictObject({
  /** The last profile that was set; `healthy` when none was. */
  profile: z.enum(profileNames),
  faults: z.array(waitingFault),
});
export type ControlFaults = Readonly<z.infer<typeof controlFaults>>;

export const requestFilter = z.strictObject({
  /** A method name of the client, such as `createPaymentLink`. */
  operation: z.string().exactOptional(),
  merchantOrderId: z.string().exactOptional(),
  /** The HTTP status that the caller saw. */
  status: z.int().exactOptional(),
});
export type RequestFilter = Readonly<z.infer<typeof requestFilter>>;

/** How many requests are expected: `count`, or bounds. */
export const verification = requestFilter.extend({
  count: z.int().exactOptional(),
  atLeast: z.int().exactOptional(),
  atMost: z.int().exactOptional(),
});
export type Verification = Readonly<z.infer<typeof verification>>;

export const verifyReply = z.strictObject({
  ok: z.boolean(),
  /** How many there were. */
  count: z.int(),
  /** False once old requests were dropped, so that `count` may be too small. */
  complete: z.boolean(),
});
export type VerifyReply = Readonly<z.infer<typeof verifyReply>>;

export const loggedRequest: z.ZodType<LoggedRequest> = z.strictObject({
  id: z.string(),
  at: instant,
  operation: z.string().nullable(),
  environment,
  method: z.string(),
  path: z.string(),
  status: z.int().nullable(),
  merchantOrderId: z.string().nullable(),
  sessionId: z.string().nullable(),
  decidedBy: z.string(),
  tier: z.string(),
  request: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  faults: z.array(z.string()),
  durationMs: z.int(),
});

export const ledgerFilter = z.strictObject({
  merchantOrderId: z.string().exactOptional(),
  transactionId: z.string().exactOptional(),
});
export type LedgerFilter = Readonly<z.infer<typeof ledgerFilter>>;

/** One transaction's movements of money; amounts are texts with two decimals. */
export const controlLedger = z.strictObject({
  transactionId: z.string(),
  sessionId: z.string(),
  merchantOrderId: z.string(),
  currency: z.string(),
  authorized: decimal,
  captured: decimal,
  /** The refunded amount that has settled. */
  refunded: decimal,
  /** The refunded amount that was accepted and has not settled. */
  pendingRefund: decimal,
  refundable: decimal,
  entries: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['purchase', 'authorization', 'capture', 'void', 'refund']),
      amount: decimal,
      result: z.enum(['pending', 'done', 'failed']),
      createdAt: instant,
      finishedAt: instant.nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type ControlLedger = Readonly<z.infer<typeof controlLedger>>;

export const invariantsReply = z.strictObject({
  ok: z.boolean(),
  /** The rule, and the session or transaction that breaks it. */
  violations: z.array(z.strictObject({ rule: z.string(), id: z.string() })),
});
export type InvariantsReply = Readonly<z.infer<typeof invariantsReply>>;

/** What an event and its deliveries report of a movement in the ledger. */
const reported = {
  /** The kind of movement (N13). */
  type: z.enum(['Purchase', 'Authorization', 'Capture', 'Refund', 'Void']),
  /** The result of the movement (N13). */
  status: z.enum(['Approved', 'Declined', 'Pending', 'Redirect']),
  environment,
  merchantOrderId: z.string(),
  transactionId: z.string(),
  /** Two decimals; of a refund, the refunded amount. */
  amount: decimal,
};

/** What webhooks report of one movement in the ledger. */
export const controlEvent = z.strictObject({
  /** Its deliveries' ids begin with it. */
  id: z.string(),
  at: instant,
  ...reported,
  reason: z.string().nullable(),
});
export type ControlEvent = Readonly<z.infer<typeof controlEvent>>;

export const deliveryState = z.enum([
  'waiting',
  'held',
  'sending',
  'delivered',
  'failed',
  'dropped',
  'cancelled',
]);

/** One event on its way to one webhook. */
export const controlDelivery = z.strictObject({
  id: z.string(),
  webhookId: z.string(),
  state: deliveryState,
  ...reported,
  createdAt: instant,
  /** ISO 8601 on the tenant's clock; null unless it waits. */
  nextAttemptAt: instant.nullable(),
  attempts: z.array(
    z.strictObject({
      at: instant,
      url: z.string(),
      outcome: z.enum(['acknowledged', 'refused', 'timed-out', 'unreachable', 'blocked']),
      /** The HTTP status that was answered; null without an answer. */
      status: z.int().nullable(),
      /** Requested by hand, beyond the gateway's own attempts. */
      replay: z.boolean(),
    }),
  ),
  /** The exact text that goes over the wire. */
  body: z.string(),
  /** The value of `X-Signature` (N14). */
  signature: z.string(),
});
export type ControlDelivery = Readonly<z.infer<typeof controlDelivery>>;

export const deliveryFilter = z.strictObject({
  state: deliveryState.exactOptional(),
  merchantOrderId: z.string().exactOptional(),
});
export type DeliveryFilter = Readonly<z.infer<typeof deliveryFilter>>;

export const replayRequest = z.strictObject({
  /** @defaultValue the webhook's own address */
  url: z.string().exactOptional(),
  /** Signs the sent bytes anew, with the webhook's secret. */
  resign: z.boolean().exactOptional(),
  /** Signs the sent bytes with this secret instead. */
  secret: z.string().exactOptional(),
});
export type ReplayRequest = Readonly<z.infer<typeof replayRequest>>;
