import { z } from 'zod';
import * as shapes from './control-shapes.ts';

/** One operation of the control API, as its OpenAPI document describes it. */
export interface ControlOperation {
  readonly id: string;
  readonly summary: string;
  /** The JSON answer; left out: an object that says no more than that the call is done. */
  readonly reply?: z.ZodType;
  /** The media type of an answer that is not JSON. */
  readonly type?: string;
  readonly body?: z.ZodType;
  /** Names of the query's parameters. */
  readonly query?: readonly string[];
  /** The values of the path's parameter; left out: any text. */
  readonly parameter?: z.ZodType;
  /** The statuses of its own problems, beside 401, 404 and (all but GET) 400. */
  readonly refuses?: readonly number[];
}

type Details = Omit<ControlOperation, 'id' | 'summary'>;
export type Operations = Readonly<Record<string, ControlOperation>>;

export function operation(id: string, summary: string, details: Details = {}): ControlOperation {
  return { id, summary, ...details };
}

/** An answer with one field. */
export const named = (name: string, shape: z.ZodType) => z.strictObject({ [name]: shape });
export const listOf = (name: string, shape: z.ZodType) => named(name, z.array(shape));

const policyReply = z.strictObject({ policy: z.array(z.string()), known: z.array(z.string()) });
const merchantRequest = z.strictObject({ merchant: shapes.merchant });

export const sandboxOperations: Operations = {
  'GET /ready': operation('ready', 'Answers when the sandbox does.', {
    reply: z.strictObject({ ready: z.literal(true) }),
  }),
  'GET /info': operation('info', 'Answers addresses, keys, version, seed, clock and policy.', {
    reply: shapes.sandboxInfo,
  }),
  'GET /openapi.yaml': operation('openapi', 'Answers this document.', {
    type: 'application/yaml',
  }),
  'GET /fidelity': operation(
    'fidelity',
    'Answers how firmly each behaviour is known, and the tests that pin it.',
  ),
  'POST /reset': operation(
    'reset',
    'Empties the tenant; its credentials stay, and no id is ever given twice.',
    { reply: z.strictObject({ reset: z.literal(true) }) },
  ),
  'GET /policy': operation('policy', 'Lists the readings that differ from the default.', {
    reply: policyReply,
  }),
  'PUT /policy': operation('setPolicy', 'Puts other readings in force, for all tenants.', {
    body: listOf('policy', z.string()),
    reply: policyReply,
  }),
  'GET /tenants': operation('tenants', 'Lists the tenants.', {
    reply: listOf('tenants', shapes.tenantInfo),
  }),
  'POST /tenants': operation(
    'openTenant',
    'Opens a tenant with keys, a clock, a seed and faults of its own.',
    { body: shapes.tenantOptions, reply: shapes.tenantInfo, refuses: [409] },
  ),
  'GET /tenants/:id': operation('tenant', 'Shows one tenant.', {
    reply: shapes.tenantInfo,
  }),
  'PATCH /tenants/:id': operation(
    'switchMerchant',
    'Lets the gateway lose its record of the merchant, or find it again.',
    { body: merchantRequest, reply: shapes.tenantInfo },
  ),
  'POST /portal-tokens/revoke': operation(
    'revokePortalTokens',
    'Makes every portal token of the tenant bad.',
  ),
};

export const clockOperations: Operations = {
  'POST /clock/freeze': operation('freezeClock', 'Stops the clock.', { reply: shapes.clockReply }),
  'POST /clock/resume': operation('resumeClock', 'Lets the clock run on, at its usual rate.', {
    reply: shapes.clockReply,
  }),
  'POST /clock/rate': operation('setClockRate', 'Lets the clock run faster or slower.', {
    body: z.strictObject({ rate: z.number().min(0.01).max(3600) }),
    reply: shapes.clockReply,
  }),
  'POST /clock/advance': operation(
    'advanceClock',
    'Moves the clock forward; answers what fell due on the way, ordered by time.',
    {
      body: z.union([
        z.strictObject({
          by: z.string().meta({ description: 'ISO 8601 duration, PT0S included.' }),
        }),
        z.strictObject({ to: shapes.instant }),
      ]),
      reply: shapes.advanceReply,
    },
  ),
};

const payment = { reply: shapes.controlPayment };

export const shopperOperations: Operations = {
  'POST /next': operation(
    'next',
    'Decides the next payment; armed several times, the oldest that fits goes first.',
    { body: shapes.nextOutcome },
  ),
  'GET /sessions/:id': operation('session', 'Shows a session with every attempt.', {
    reply: shapes.controlSessionDetails,
  }),
  'POST /sessions/:id/pay': operation('pay', 'Pays a session.', {
    ...payment,
    body: shapes.controlMeans,
    refuses: [409, 422],
  }),
  'POST /sessions/:id/expire': operation('expire', "Ends a session's life now.", {
    reply: named('session', shapes.controlSession),
    refuses: [409],
  }),
  'POST /challenges/:id': operation(
    'answerChallenge',
    "Answers a 3-D Secure challenge; the transaction's id works too.",
    { ...payment, body: shapes.challengeAnswer },
  ),
  'POST /refunds/:id': operation('endRefund', 'Settles an accepted refund now, or lets it fail.', {
    ...payment,
    body: z.strictObject({ action: z.enum(['settle', 'fail']) }),
    refuses: [409],
  }),
  'POST /recurring-tokens/:token/revoke': operation(
    'revokeToken',
    'Ends a recurring token before its time.',
    { reply: named('transactionId', z.string()) },
  ),
};
