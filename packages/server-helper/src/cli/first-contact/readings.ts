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
  /** This kit's reading, in short. */
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

const NO_CARD = 'it takes a sale with a card number, which this command never handles';
const NO_HOLD = 'it takes an authorization, which only a sale with a card makes';

/** Every open point, as `contract/fidelity/assumptions.yaml` lists them. */
const openPoints = {
  X1: {
    item: '§4.2, the name of the status query',
    ours: 'id',
    entries: ['status.parameter'],
    step: 'status',
  },
  X2: {
    item: '§4.2, what `id` identifies',
    ours: 'the checkout session',
    entries: ['status.asksFor'],
    step: 'status',
  },
  X3: {
    item: '§4.3, the path of the refund',
    ours: '/payment/s2s/refund',
    entries: ['operations.refund.path'],
    step: 'refund',
    never: 'a field that every refund needs besides ours (operations.refund.add)',
  },
  X4: {
    item: '§4.7, the path of the recurring charge',
    ours: '/payment/checkout/recurring',
    entries: ['operations.chargeRecurring.path'],
    step: 'errors',
    never: 'a field that every charge needs besides ours (operations.chargeRecurring.add)',
  },
  X5: {
    item: '§4.3, the smallest refund',
    ours: '0.01 is accepted',
    entries: 'give back at least the amount that is accepted; the 400 for less is reported',
    step: 'refund',
  },
  X6: {
    item: '§4.3, §4.5 and §4.6, the word that takes a money move on',
    ours: 'accepted, in either case',
    entries: 'any other word is no yes',
    step: 'refund',
  },
  X7: {
    item: '§7, the envelope of a refund above the balance',
    ours: 'A; B is read too',
    entries: 'both envelopes are read',
    step: 'refund',
  },
  N1: {
    item: 'What is appended to successUrl and failureUrl',
    ours: 'nothing',
    entries: 'a return address proves nothing, so nothing in it is believed',
    step: 'status',
    toSee: 'paste the address where the browser ended, or give it: --returned URL',
  },
  N2: {
    item: 'A session after a failed payment',
    ours: 'stays payable; a row for each try',
    entries: ['session.afterFailure'],
    step: 'status',
    toSee: 'pay first with a card that is declined, then with one that is approved',
  },
  N3: {
    item: 'A session after 48 hours',
    ours: 'answers what happened before',
    entries: ['session.afterEnd'],
    step: 'status',
    toSee: 'after two days take the step status with this run’s --session and --order',
  },
  N4: {
    item: 'paymentStatus besides APPROVED',
    ours: 'DECLINED with FAILED, PENDING while open',
    entries: 'every word but APPROVED is not paid',
    step: 'status',
    toSee: 'pay first with a declined card, then with one that asks for 3-D Secure',
  },
  N5: {
    item: 'Transitions of transactionStatus',
    ours: 'PENDING to SUCCESS or FAILED, both final',
    entries: 'rows that contradict what was recorded are reviewed',
    step: 'status',
    toSee: 'pay with a card that asks for 3-D Secure, and wait on its page for some seconds',
  },
  N6: {
    item: 'Extra fields of a status row',
    ours: 'merchantOrderId or orderId has our name',
    entries: ['status.orderName'],
    step: 'status',
  },
  N7: {
    item: 'The request of a direct sale',
    ours: 'JSON with a card object',
    entries: ['operations.sale.body', 'operations.sale.add'],
    step: 'errors',
    toSee: `${NO_CARD}; a field that the refusal of an empty sale asks for, and that this kit does not send, goes into operations.sale.add`,
  },
  N8: {
    item: 'The hash of a direct sale',
    ours: 'optional',
    entries: ['sale.hash'],
    step: null,
    toSee: NO_CARD,
  },
  N9: {
    item: 'The answer of a direct sale',
    ours: 'envelope A; html with REDIRECT',
    entries: ['operations.sale.answer'],
    step: null,
    toSee: NO_CARD,
  },
  N10: {
    item: 'How recurring is enabled',
    ours: 'recurringInit Y; no token without it',
    entries: ['operations.sale.body.recurringInit', 'operations.sale.answer.recurringToken'],
    step: 'status',
    toSee: 'no row of a payment link has a token; only a sale asks for one',
  },
  N11: {
    item: 'The embedded status poll',
    ours: '§4.2 with the transaction id',
    entries: ['operations.pollStatus'],
    step: 'status',
  },
  N12: {
    item: 'Creating, changing and deleting a webhook',
    ours: 'POST, PATCH and DELETE; the secret is shown once',
    entries: ['operations.createWebhook', 'operations.updateWebhook', 'operations.deleteWebhook'],
    step: 'webhooks',
  },
  N13: {
    item: 'Events and payload of a webhook',
    ours: 'flat JSON with transactionId and orderId',
    entries: ['webhook.orderName', 'webhook.transactionId'],
    step: 'notifications',
  },
  N14: {
    item: 'The signature of a webhook',
    ours: 'X-Signature: HMAC-SHA-256 in hex',
    entries: ['webhook.signature'],
    step: 'notifications',
  },
  N15: {
    item: 'Retries of a webhook',
    ours: 'three, 30 seconds apart',
    entries: 'a notification is a reason to ask, so a missing one costs time only',
    step: 'notifications',
  },
  N16: {
    item: 'The portal login',
    ours: 'POST /auth/login answers accessToken',
    entries: ['login'],
    step: 'portal',
  },
  N17: {
    item: 'The record of an API credential',
    ours: 'id and a masked apiKey, in credentials',
    entries: ['operations.retrieveCredentials.answer'],
    step: 'portal',
  },
  N18: {
    item: 'Rotating an API key',
    ours: 'the old key stays valid',
    entries: ['operations.rotateApiKey'],
    step: null,
    toSee:
      'it may end the key in use, so it is never tried: rotateApiKey names the entry it misses',
  },
  N19: {
    item: 'SDK tokens',
    ours: 'a list in sdkTokens',
    entries: ['operations.listSdkTokens', 'operations.createSdkToken', 'operations.updateSdkToken'],
    step: 'portal',
    never: 'new tokens are credentials, so none is made: createSdkToken names the entry it misses',
  },
  N20: {
    item: 'Forms of a phone number',
    ours: 'numbers of other countries are accepted',
    entries: 'accept Saudi mobile numbers only, in your shop',
    step: null,
    toSee: 'create a link for such a number, if your shoppers have one',
  },
  N21: {
    item: 'Unknown ids, routes and states',
    ours: '404 in envelope A; a known session never is',
    entries: ['status.notFound'],
    step: 'errors',
    toSee: 'take the steps errors, link, pay and status',
  },
  N22: {
    item: 'Rate limits, sizes, time-outs, idempotency',
    ours: 'none is promised',
    entries: '429 and Retry-After are heeded wherever they come',
    step: null,
    toSee: 'no answer was a 429, and nothing is flooded to provoke one',
  },
  N23: {
    item: 'Amounts and their decimals',
    ours: 'a text with two decimals in an answer',
    entries: 'an amount in another form is not taken as paid',
    step: 'status',
  },
  N24: {
    item: 'Capture',
    ours: 'once',
    entries: 'one capture is sent',
    step: null,
    toSee: `${NO_HOLD}; so do fields besides ours (operations.capture.add, operations.void.add)`,
  },
  N25: {
    item: 'A second void, a void of a sale, a capture after a void',
    ours: '400 in envelope A',
    entries: 'no such call is sent twice, and the status decides',
    step: null,
    toSee: NO_HOLD,
  },
} as const satisfies Readonly<Record<string, Reading>>;

const STATED = 'the specification states it';

/** Rows about what the specification states, by its section. */
const statements = {
  '§1': {
    item: 'The gateway answers, and accepts the key',
    ours: 'it does',
    entries: STATED,
    step: null,
    toSee: 'every step asks the gateway',
  },
  '§2.2': {
    item: 'The fields of a status row',
    ours: 'eight, amounts as texts',
    entries: STATED,
    step: 'status',
  },
  '§3': {
    item: 'The payment, as this kit’s client reads it under the profile to propose',
    ours: 'SUCCESS and APPROVED',
    entries: STATED,
    step: 'trial',
  },
  '§4.1': {
    item: 'Creating a payment link',
    ours: '201 with id and redirectUrl',
    entries: ['operations.createPaymentLink.add'],
    step: 'link',
    never: 'a field that it asks for besides the stated ones: read the refusal of the link',
  },
  '§4.3': {
    item: 'A refund in the status',
    ours: 'refundStatus shows it, at once or later',
    entries: STATED,
    step: 'refund',
    toSee: 'send one with --refund; it may settle later',
  },
  '§4.9': {
    item: 'Listing webhooks',
    ours: 'a list in webhooks',
    entries: STATED,
    step: 'portal',
  },
  '§6': {
    item: 'A notification and its payment',
    ours: 'it has our name of the payment',
    entries: ['webhook.orderName'],
    step: 'notifications',
  },
  '§7': {
    item: 'A wrong key, and an empty link',
    ours: '401 and 400 in envelope B; the 400 with a list of messages',
    entries: STATED,
    step: 'errors',
  },
} as const satisfies Readonly<Record<string, Reading>>;

/** The whole table: the open points, then the statements. */
export const readings = { ...openPoints, ...statements };

/** The id of a row, such as `X1` or `§4.1`. */
export type ReadingId = keyof typeof readings;
