/** The steps in their order: what each does, and how to see what a run without it did not. */
export const stepTexts = {
  errors: {
    does: 'sends what must be refused, such as a wrong key and an empty sale',
    toSee: 'take the step errors',
  },
  portal: {
    does: 'logs in to the portal, and lists webhooks, API keys and SDK tokens',
    toSee: 'take the step portal, with GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD',
  },
  webhooks: {
    does: 'creates a webhook and changes it, with --portal-writes; the end of the run deletes it',
    toSee: 'take the step webhooks, with --portal-writes',
  },
  link: {
    does: 'creates a payment link of 1.00 SAR and asks its status',
    toSee: 'take the step link',
  },
  pay: {
    does: 'shows the link and waits until you have paid it with a test card',
    toSee: 'take the steps link and pay',
  },
  status: {
    does: 'asks the status of the payment in every way that circulates',
    toSee: 'pay the link and ask its status (steps link, pay and status)',
  },
  notifications: {
    does: 'refuses the notification of the payment once, and reads it, with --listen',
    toSee: 'take the step notifications, with --portal-writes and --listen PORT',
  },
  refund: {
    does: 'refunds 0.01 of the payment (else 0.02), and asks for too much once, with --refund',
    toSee: 'take the step refund, with --refund',
  },
  trial: {
    does: 'reads the payment as a shop does, under the profile to propose',
    toSee: 'pay the link and take the steps status and trial',
  },
} as const;

export type StepName = keyof typeof stepTexts;

/** One row of the table: a point that the specification leaves open, or something that it states. */
export interface Reading {
  readonly item: string;
  readonly ours: string;
  /** The places in a gateway profile that express another reading; else why none does. */
  readonly entries: readonly string[] | string;
  /** The step that sees it; `null` where none does. */
  readonly step: StepName | null;
  /** How to see it. @defaultValue the step's way */
  readonly toSee?: string;
  /** A part that no step sees, and how to see it. */
  readonly never?: string;
}

const row = (
  step: Reading['step'],
  item: string,
  ours: string,
  entries: Reading['entries'],
  more: Pick<Reading, 'toSee' | 'never'> = {},
): Reading => ({ step, item, ours, entries, ...more });

const NO_CARD = 'it takes a sale with a card number, which this command never handles';
const NO_HOLD = 'it takes an authorization, which only a sale with a card makes';

/** Every open point, as `contract/fidelity/assumptions.yaml` lists them. */
const openPoints = {
  X1: row('status', '§4.2, the name of the status query', 'id', ['status.parameter']),
  X2: row('status', '§4.2, what `id` identifies', 'the checkout session', ['status.asksFor']),
  X3: row(
    'refund',
    '§4.3, the path of the refund',
    '/payment/s2s/refund',
    ['operations.refund.path'],
    { never: 'a field that every refund needs besides ours (operations.refund.add)' },
  ),
  X4: row(
    'errors',
    '§4.7, the path of the recurring charge',
    '/payment/checkout/recurring',
    ['operations.chargeRecurring.path'],
    { never: 'a field that every charge needs besides ours (operations.chargeRecurring.add)' },
  ),
  X5: row(
    'refund',
    '§4.3, the smallest refund',
    '0.01 is accepted',
    'give back at least the amount that is accepted; the 400 for less is reported',
  ),
  X6: row(
    'refund',
    '§4.3, §4.5 and §4.6, the word that takes a money move on',
    'accepted, in either case',
    'any other word is no yes',
  ),
  X7: row(
    'refund',
    '§7, the envelope of a refund above the balance',
    'A; B is read too',
    'both envelopes are read',
  ),
  N1: row(
    'status',
    'What is appended to successUrl and failureUrl',
    'nothing',
    'a return address proves nothing, so nothing in it is believed',
    { toSee: 'paste the address where the browser ended, or give it: --returned URL' },
  ),
  N2: row(
    'status',
    'A session after a failed payment',
    'stays payable; a row for each try',
    ['session.afterFailure'],
    { toSee: 'pay first with a card that is declined, then with one that is approved' },
  ),
  N3: row(
    'status',
    'A session after 48 hours',
    'answers what happened before',
    ['session.afterEnd'],
    { toSee: 'after two days take the step status with this run’s --session and --order' },
  ),
  N4: row(
    'status',
    'paymentStatus besides APPROVED',
    'DECLINED with FAILED, PENDING while open',
    'every word but APPROVED is not paid',
    { toSee: 'pay first with a declined card, then with one that asks for 3-D Secure' },
  ),
  N5: row(
    'status',
    'Transitions of transactionStatus',
    'PENDING to SUCCESS or FAILED, both final',
    'rows that contradict what was recorded are reviewed',
    { toSee: 'pay with a card that asks for 3-D Secure, and wait on its page for some seconds' },
  ),
  N6: row('status', 'Extra fields of a status row', 'merchantOrderId or orderId has our name', [
    'status.orderName',
  ]),
  N7: row(
    'errors',
    'The request of a direct sale',
    'JSON with a card object',
    ['operations.sale.body', 'operations.sale.add'],
    {
      toSee: `${NO_CARD}; a field that the refusal of an empty sale asks for, and that this kit does not send, goes into operations.sale.add`,
    },
  ),
  N8: row(null, 'The hash of a direct sale', 'optional', ['sale.hash'], { toSee: NO_CARD }),
  N9: row(
    null,
    'The answer of a direct sale',
    'envelope A; html with REDIRECT',
    ['operations.sale.answer'],
    { toSee: NO_CARD },
  ),
  N10: row(
    'status',
    'How recurring is enabled',
    'recurringInit Y; no token without it',
    ['operations.sale.body.recurringInit', 'operations.sale.answer.recurringToken'],
    { toSee: 'no row of a payment link has a token; only a sale asks for one' },
  ),
  N11: row('status', 'The embedded status poll', '§4.2 with the transaction id', [
    'operations.pollStatus',
  ]),
  N12: row(
    'webhooks',
    'Creating, changing and deleting a webhook',
    'POST, PATCH and DELETE; the secret is shown once',
    ['operations.createWebhook', 'operations.updateWebhook', 'operations.deleteWebhook'],
  ),
  N13: row(
    'notifications',
    'Events and payload of a webhook',
    'flat JSON with transactionId and orderId',
    ['webhook.orderName', 'webhook.transactionId'],
  ),
  N14: row('notifications', 'The signature of a webhook', 'X-Signature: HMAC-SHA-256 in hex', [
    'webhook.signature',
  ]),
  N15: row(
    'notifications',
    'Retries of a webhook',
    'three, 30 seconds apart',
    'a notification is a reason to ask, so a missing one costs time only',
  ),
  N16: row('portal', 'The portal login', 'POST /auth/login answers accessToken', ['login']),
  N17: row('portal', 'The record of an API credential', 'id and a masked apiKey, in credentials', [
    'operations.retrieveCredentials.answer',
  ]),
  N18: row(null, 'Rotating an API key', 'the old key stays valid', ['operations.rotateApiKey'], {
    toSee:
      'it may end the key in use, so it is never tried: rotateApiKey names the entry it misses',
  }),
  N19: row(
    'portal',
    'SDK tokens',
    'a list in sdkTokens',
    ['operations.listSdkTokens', 'operations.createSdkToken', 'operations.updateSdkToken'],
    {
      never:
        'new tokens are credentials, so none is made: createSdkToken names the entry it misses',
    },
  ),
  N20: row(
    null,
    'Forms of a phone number',
    'numbers of other countries are accepted',
    'accept Saudi mobile numbers only, in your shop',
    { toSee: 'create a link for such a number, if your shoppers have one' },
  ),
  N21: row(
    'errors',
    'Unknown ids, routes and states',
    '404 in envelope A; a known session never is',
    ['status.notFound'],
    { toSee: 'take the steps errors, link, pay and status' },
  ),
  N22: row(
    null,
    'Rate limits, sizes, time-outs, idempotency',
    'none is promised',
    '429 and Retry-After are heeded wherever they come',
    { toSee: 'no answer was a 429, and nothing is flooded to provoke one' },
  ),
  N23: row(
    'status',
    'Amounts and their decimals',
    'a text with two decimals in an answer',
    'an amount in another form is not taken as paid',
  ),
  N24: row(null, 'Capture', 'once', 'one capture is sent', {
    toSee: `${NO_HOLD}; so do fields besides ours (operations.capture.add, operations.void.add)`,
  }),
  N25: row(
    null,
    'A second void, a void of a sale, a capture after a void',
    '400 in envelope A',
    'no such call is sent twice, and the status decides',
    { toSee: NO_HOLD },
  ),
};

const STATED = 'the specification states it';

/** Rows about what the specification states, by its section. */
const statements = {
  '§1': row(null, 'The gateway answers, and accepts the key', 'it does', STATED, {
    toSee: 'every step asks the gateway',
  }),
  '§2.2': row('status', 'The fields of a status row', 'eight, amounts as texts', STATED),
  '§3': row(
    'trial',
    'The payment, as this kit’s client reads it under the profile to propose',
    'SUCCESS and APPROVED',
    STATED,
  ),
  '§4.1': row(
    'link',
    'Creating a payment link',
    '201 with id and redirectUrl',
    ['operations.createPaymentLink.add'],
    { never: 'a field that it asks for besides the stated ones: read the refusal of the link' },
  ),
  '§4.3': row(
    'refund',
    'A refund in the status',
    'refundStatus shows it, at once or later',
    STATED,
    { toSee: 'send one with --refund; it may settle later' },
  ),
  '§4.9': row('portal', 'Listing webhooks', 'a list in webhooks', STATED),
  '§6': row('notifications', 'A notification and its payment', 'it has our name of the payment', [
    'webhook.orderName',
  ]),
  '§7': row(
    'errors',
    'A wrong key, and an empty link',
    '401 and 400 in envelope B; the 400 with a list of messages',
    STATED,
  ),
};

/** The whole table: the open points, then the statements. */
export const readings = { ...openPoints, ...statements };

/** The id of a row, such as `X1` or `§4.1`. */
export type ReadingId = keyof typeof readings;
