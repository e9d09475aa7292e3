import { z } from 'zod';
import type { StatusRow } from '../domain/status-rows.ts';
import { armableOperations } from '../domain/tenant.ts';

/** Decimal text with two decimals. */
export const decimal = z.string().regex(/^[0-9]+[.][0-9]{2}$/);
/** ISO 8601. */
export const instant = z.string().meta({ format: 'date-time' });
export const environment = z.enum(['staging', 'production']);

/** The options of a new tenant. */
export const tenantOptions = z.strictObject({
  /** 1 to 40 small letters, digits and dashes; left out, the sandbox picks one. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .exactOptional(),
  /** The tenant's ids and keys follow from it; left out, from the sandbox's seed. */
  seed: z.string().exactOptional(),
});
export type TenantOptions = Readonly<z.infer<typeof tenantOptions>>;

/** `not-found`: every call gets the 401 of a merchant that the gateway does not know (§7). */
export const merchant = z.enum(['found', 'not-found']);

/** A tenant's addresses and credentials. */
export const tenantInfo = z.strictObject({
  id: z.string(),
  /** The sandbox's own address. */
  url: z.string(),
  /** Staging's base address; it ends in `/v1`. */
  baseUrl: z.string(),
  productionBaseUrl: z.string(),
  apiKey: z.string(),
  productionApiKey: z.string(),
  portal: z.strictObject({ username: z.string(), password: z.string() }),
  /** The password in the hash of a direct sale (N8). */
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

export const nextOutcome = z.strictObject({
  /** `approve`, `decline`, or `decline:RR` with a response code. */
  outcome: z.string().regex(/^(approve|decline|decline:[0-9]{2})$/),
  /** Left out: the next payment. `refund` and `capture` are declined when they come to it. */
  operation: z.enum(armableOperations).exactOptional(),
  /** Left out: the next payment of any order. */
  merchantOrderId: z.string().exactOptional(),
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
export const statusRow: z.ZodType<StatusRow> = z.strictObject({
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
