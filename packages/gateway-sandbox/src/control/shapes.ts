import { z } from 'zod';
import { isWebAddress, orderNumber } from '../domain/requests.ts';
import { deliveryStates } from '../domain/events.ts';
import { readOutcome } from '../domain/outcome.ts';
import { armableOperations, findOperation, operationNames } from '../domain/tenant.ts';
import {
  callFaultKinds,
  deliveryFaultKinds,
  faultOperations,
  faultPlaces,
  kindsAt,
  profileNames,
} from '../faults.ts';
import type { Fault, FaultKind, FaultOperation, FaultPlace } from '../faults.ts';
import type { LoggedRequest } from '../request-log.ts';

// The text of a schema is what a caller reads whose value does not fit it.

const whole = (name: string, from: number, to: number, more = '') => {
  const rule = `"${name}" is a whole number from ${from} to ${to}${more}.`;
  return z.int(rule).min(from, rule).max(to, rule);
};
const count = (text: string) => z.int(text).min(0, text);
const order = z.string('"merchantOrderId" is a string, or left out.');

export const decimal = z.string().regex(/^[0-9]+[.][0-9]{2}$/);
export const instant = z.string().meta({ format: 'date-time' });
export const environment = z.enum(['staging', 'production']);

const tenantId =
  '"id" has 1 to 40 small letters, digits and dashes and begins with no dash; left out, the sandbox picks one.';
const tenantSeed = '"seed" has 1 to 200 characters, or is left out.';

export const tenantOptions = z.strictObject({
  /** 1 to 40 small letters, digits and dashes; left out, the sandbox picks one. */
  id: z
    .string(tenantId)
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, tenantId)
    .exactOptional(),
  /** The tenant's ids and keys follow from it; left out, from the sandbox's seed. */
  seed: z.string(tenantSeed).min(1, tenantSeed).max(200, tenantSeed).exactOptional(),
});
export type TenantOptions = Readonly<z.infer<typeof tenantOptions>>;

/** `not-found`: every call gets the 401 of a merchant that the gateway does not know (§7). */
export const merchant = z.enum(['found', 'not-found'], '"merchant" is found or not-found.');

/** A tenant's addresses and credentials. */
export const tenantInfo = z.strictObject({
  id: z.string(),
  /** The sandbox's address, for example `http://127.0.0.1:4010`; a `publicUrl` takes its place. */
  url: z.string(),
  /** Base address of the staging environment; it ends in `/v1`. */
  baseUrl: z.string(),
  productionBaseUrl: z.string(),
  /** The key that staging takes; production answers it with 401. */
  apiKey: z.string(),
  productionApiKey: z.string(),
  /** The merchant portal's login, at `POST /auth/login` of either environment (§5). */
  portal: z.strictObject({ username: z.string(), password: z.string() }),
  /** The password in the hash of a direct sale (N8); a hash that is sent has to be made with it. */
  salePassword: z.string(),
  merchant,
});
export type TenantInfo = Readonly<z.infer<typeof tenantInfo>>;

/** A sandbox, and the requested tenant. */
export const sandboxInfo = tenantInfo.extend({
  version: z.string(),
  seed: z.string(),
  policy: z.array(z.string()),
  /** The gateway's profile that the sandbox was started with; absent for its own readings. */
  profile: z.record(z.string(), z.unknown()).exactOptional(),
  /** `rate` only where it is not 1. */
  clock: z.strictObject({
    now: instant,
    state: z.enum(['running', 'frozen']),
    rate: z.number().exactOptional(),
  }),
});
export type SandboxInfo = Readonly<z.infer<typeof sandboxInfo>>;

/** The tenant's clock; `rate` only from `clock/rate`. */
export const clockReply = z.strictObject({ now: instant, rate: z.number().exactOptional() });
export type ClockReply = Readonly<z.infer<typeof clockReply>>;

export const advanceReply = z.strictObject({
  now: instant,
  fired: z.array(z.strictObject({ at: instant, kind: z.string(), id: z.string() })),
});
export type AdvanceReply = Readonly<z.infer<typeof advanceReply>>;

const outcome = '"outcome" is approve, decline, or decline:RR with a response code such as 51.';
const orderToCome =
  '"merchantOrderId" must be one that an order can have: not empty, of at most 255 characters and not like a card number.';

export const nextOutcome = z.strictObject({
  /** `approve`, `decline`, or `decline:RR` with a response code. */
  outcome: z
    .string(outcome)
    .regex(/^(approve|decline|decline:[0-9]{2})$/, outcome)
    .refine((text) => readOutcome(text) !== null, outcome),
  /** Left out: the next payment. `refund` and `capture` are declined when they come to it. */
  operation: z
    .enum(armableOperations, `"operation" is one of ${armableOperations.join(', ')}, or left out.`)
    .exactOptional(),
  /** Left out: the next payment of any order. */
  merchantOrderId: order
    .refine((text) => 'value' in orderNumber(text), orderToCome)
    .exactOptional(),
});
export type NextOutcome = Readonly<z.infer<typeof nextOutcome>>;

/** A test card. Absent fields get valid values. */
export const controlCard = z.strictObject({
  number: z.string(),
  expiryMonth: z.string().exactOptional(),
  expiryYear: z.string().exactOptional(),
  cvv: z.string().exactOptional(),
});
export type ControlCard = Readonly<z.infer<typeof controlCard>>;

/** The means of payment for a session. */
export const controlMeans = z.union([
  z.strictObject({ card: controlCard }),
  z.strictObject({ applePay: z.literal(true) }),
  z.strictObject({
    /** The id of a card that this customer paid with before. */
    savedCard: z.string(),
  }),
]);
export type ControlMeans = Readonly<z.infer<typeof controlMeans>>;

export const controlSession = z.strictObject({
  id: z.string(),
  environment,
  merchantOrderId: z.string(),
  amount: decimal,
  currency: z.string(),
  state: z.enum(['PENDING', 'PAID', 'EXPIRED']),
  redirectUrl: z.string(),
  createdAt: instant,
  expiresAt: instant,
});
export type ControlSession = Readonly<z.infer<typeof controlSession>>;

/** A row of the gateway's status answer (§2.2, N6). */
export const statusRow = z.strictObject({
  transactionId: z.string(),
  amount: decimal,
  transactionStatus: z.enum(['SUCCESS', 'FAILED', 'PENDING']),
  paymentStatus: z.string(),
  refundStatus: z.enum(['NONE', 'PARTIAL', 'FULL']),
  totalRefundAmount: decimal,
  pan: z.string(),
  cardScheme: z.string(),
  orderId: z.string(),
  merchantOrderId: z.string(),
  currencyCode: z.string(),
  rrn: z.string(),
  declineReason: z.string().exactOptional(),
  recurringToken: z.string().exactOptional(),
});
export type StatusRow = Readonly<z.infer<typeof statusRow>>;

/** A session with all that happened in it. */
export const controlSessionDetails = z.strictObject({
  session: controlSession,
  /** Every attempt, oldest first, without the lag of a magic amount. */
  transactions: z.array(statusRow),
  /** The cards that this customer paid with before, which the page offers. */
  savedCards: z.array(z.strictObject({ id: z.string(), pan: z.string(), cardScheme: z.string() })),
});
export type ControlSessionDetails = Readonly<z.infer<typeof controlSessionDetails>>;

export const controlPayment = z.strictObject({
  session: controlSession,
  transaction: statusRow,
  decidedBy: z.enum(['next', 'choice', 'card', 'magic-amount', 'default']),
  /** Only while a 3-D Secure challenge is open. */
  challenge: z.strictObject({ id: z.string() }).exactOptional(),
});
export type ControlPayment = Readonly<z.infer<typeof controlPayment>>;

export const challengeAnswer = z.union([
  z.strictObject({ otp: z.string() }),
  z.strictObject({ action: z.enum(['approve', 'fail', 'cancel', 'hang']) }),
]);
export type ChallengeAnswer = Readonly<z.infer<typeof challengeAnswer>>;

export const controlSnapshot = z.strictObject({
  id: z.string(),
  /** ISO 8601, the tenant's clock. */
  at: instant,
  /** How many checkout sessions are in it. */
  sessions: z.int(),
});
export type ControlSnapshot = Readonly<z.infer<typeof controlSnapshot>>;

export const faultPlace = z.enum(faultPlaces, `"place" is one of ${faultPlaces.join(', ')}.`);
const kinds = [...callFaultKinds, ...deliveryFaultKinds] as const;
export const faultKind = z.enum(kinds, `"kind" is one of ${kinds.join(', ')}.`);
const faultOperation = z.enum(
  faultOperations,
  `"operation" is one of ${faultOperations.join(', ')}, or left out for all.`,
);
const most = 100_000;
const weekMs = 7 * 24 * 60 * 60 * 1000;
const location = '"location" is an http or https address of at most 2048 characters.';

/** An address that a header can bear. */
const isHeaderAddress = (text: string) => isWebAddress(text) && /^[\u0021-\u007e]+$/.test(text);

function mistakeIn({
  place,
  kind,
  operation,
}: {
  readonly place: FaultPlace;
  readonly kind: FaultKind;
  readonly operation?: FaultOperation;
}): string | null {
  const fitting = kindsAt(place);
  if (!fitting.includes(kind)) return `"kind" at ${place} is one of ${fitting.join(', ')}.`;
  if (operation === undefined) return null;
  if (place === 'delivery') return 'A delivery belongs to no operation; leave "operation" out.';
  return kind === 'stale' && findOperation(operation) !== 'retrieveStatus'
    ? 'Only retrieveStatus and pollStatus have an older answer to give.'
    : null;
}

/** A fault to arm. Absent fields have their defaults. */
export const controlFault = z
  .strictObject({
    /** Left out: every operation. `hostedPage` is the forms of the hosted pages. */
    operation: faultOperation.exactOptional(),
    /** Left out: every order. */
    merchantOrderId: order.exactOptional(),
    place: faultPlace,
    kind: faultKind,
    /** How many calls, by default 1. Null: until it is lifted. */
    count: whole('count', 1, most, ', or null: until it is lifted').nullable().exactOptional(),
    /** Meets every n-th call; by default each. */
    every: whole('every', 1, most).exactOptional(),
    /** HTTP status of the kinds `status` (by default 500) and `html` (503). */
    status: whole('status', 400, 599).exactOptional(),
    /** Seconds of a `Retry-After` header with `status` and `html`; left out, no header. */
    retryAfterSeconds: whole('retryAfterSeconds', 0, 86_400).exactOptional(),
    /**
     * Milliseconds: the delay of `latency` (by default 2000) and `late` (60,000, on the tenant's
     * clock), and how far behind a `stale` answer is (30,000).
     */
    latencyMs: whole('latencyMs', 0, weekMs).exactOptional(),
    location: z.string(location).refine(isHeaderAddress, location).exactOptional(),
    /** How often `duplicate` delivers, in all; by default 2. */
    times: whole('times', 2, 20).exactOptional(),
  })
  .superRefine((fault, context) => {
    const message = mistakeIn(fault);
    if (message !== null) context.addIssue({ code: 'custom', message });
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

/** A misspelled name would match no call, and a test that expects no call would pass. */
const operationName = z
  .string()
  .refine(
    (name) => findOperation(name) !== null,
    `"operation" is one of ${operationNames.join(', ')}, or left out.`,
  );
const httpStatus = '"status" is an HTTP status, or left out.';

export const requestFilter = z.strictObject({
  /** A method name of the client, such as `createPaymentLink`. */
  operation: operationName.exactOptional(),
  merchantOrderId: order.exactOptional(),
  /** The HTTP status that the caller saw. */
  status: count(httpStatus).exactOptional(),
});
export type RequestFilter = Readonly<z.infer<typeof requestFilter>>;

/** The same as a query says it. */
export const requestQuery = z.object({
  ...requestFilter.shape,
  status: z
    .string()
    .regex(/^\d{3}$/, httpStatus)
    .transform(Number)
    .exactOptional(),
});

const bound = count(
  '"count", "atLeast" and "atMost" are whole numbers from 0, or left out.',
).exactOptional();

/** How many requests are expected: `count`, or bounds. */
export const verification = requestFilter
  .extend({ count: bound, atLeast: bound, atMost: bound })
  .refine(
    (expected) => (expected.count ?? expected.atLeast ?? expected.atMost) !== undefined,
    'Say how many calls are right: "count", or "atLeast", "atMost" or both.',
  );
export type Verification = Readonly<z.infer<typeof verification>>;

export const verifyReply = z.strictObject({
  ok: z.boolean(),
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

export const deliveryState = z.enum(deliveryStates);

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

const secret = '"secret" is a text of 1 to 255 characters that signs the bytes anew.';
const replayUrl = '"url" is an http or https address.';

export const replayRequest = z.strictObject({
  /** @defaultValue the webhook's own address */
  url: z.string(replayUrl).refine(isWebAddress, replayUrl).exactOptional(),
  /** Signs the sent bytes anew, with the webhook's secret. */
  resign: z.boolean('"resign" is true or false.').exactOptional(),
  /** Signs the sent bytes with this secret instead. */
  secret: z.string(secret).min(1, secret).max(255, secret).exactOptional(),
});
export type ReplayRequest = Readonly<z.infer<typeof replayRequest>>;
