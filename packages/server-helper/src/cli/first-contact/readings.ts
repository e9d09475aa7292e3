/** An open point of the specification: X is a contradiction, N a detail that is not shown. */
export interface Reading {
  readonly item: string;
  /** This kit's reading, in short. */
  readonly ours: string;
  /** The places in a gateway profile that express another reading. */
  readonly entries: readonly string[];
  /** Why no profile expresses another reading, where none does. */
  readonly none?: string;
  /** Why the command does not see this point. */
  readonly unseen: string;
}

const PAY = 'pay the link and ask its status (steps link, pay and status)';
const REFUND = 'a refund is sent only when you ask for one: --refund';
const PORTAL = 'set GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD, and take the step portal';
const NO_CARD = 'a sale takes a card number, and this command never handles one';
const NO_HOLD = 'it takes an authorization, which only a sale makes';
const NOTIFICATIONS =
  'notifications go to an address that the gateway reaches: register your shop’s and look at /health';

/** Every open point, as `contract/fidelity/assumptions.yaml` lists them. */
export const readings = {
  X1: {
    item: '§4.2, the name of the status query',
    ours: 'id',
    entries: ['status.parameter'],
    unseen: PAY,
  },
  X2: {
    item: '§4.2, what `id` identifies',
    ours: 'the checkout session',
    entries: ['status.asksFor'],
    unseen: PAY,
  },
  X3: {
    item: '§4.3, the path of the refund',
    ours: '/payment/s2s/refund',
    entries: ['operations.refund.path'],
    unseen: REFUND,
  },
  X4: {
    item: '§4.7, the path of the recurring charge',
    ours: '/payment/checkout/recurring',
    entries: ['operations.chargeRecurring.path'],
    unseen: 'a recurring charge takes a stored token, which only a sale makes',
  },
  X5: {
    item: '§4.3, the smallest refund',
    ours: '0.01 is taken',
    entries: [],
    none: 'the gateway’s 400 is reported',
    unseen: REFUND,
  },
  X6: {
    item: '§4.3, §4.5 and §4.6, the word that takes a money move on',
    ours: 'accepted, in either case',
    entries: [],
    none: 'any other word is no yes',
    unseen: REFUND,
  },
  X7: {
    item: '§7, the envelope of a refund above the balance',
    ours: 'A; B is read too',
    entries: [],
    none: 'both envelopes are read',
    unseen: REFUND,
  },
  N1: {
    item: 'What is appended to successUrl and failureUrl',
    ours: 'nothing',
    entries: [],
    none: 'a return address proves nothing, so nothing in it is believed',
    unseen: 'give the address where the browser ended: --returned URL',
  },
  N2: {
    item: 'A session after a failed payment',
    ours: 'stays payable; a row for each try',
    entries: ['session.afterFailure'],
    unseen: 'pay first with a card that is declined, then with one that is approved',
  },
  N3: {
    item: 'A session after 48 hours',
    ours: 'answers what happened before',
    entries: [],
    none: 'what was recorded stays; a 404 proves nothing',
    unseen: 'it takes two days: then take the step status with --session',
  },
  N4: {
    item: 'paymentStatus besides APPROVED',
    ours: 'DECLINED with FAILED, PENDING while open',
    entries: [],
    none: 'every word but APPROVED is not paid',
    unseen: 'only a declined or an open payment shows it',
  },
  N5: {
    item: 'Transitions of transactionStatus',
    ours: 'PENDING to SUCCESS or FAILED, both final',
    entries: [],
    none: 'rows that contradict what was recorded are reviewed',
    unseen: 'the payment was decided before the first question',
  },
  N6: {
    item: 'Extra fields of a status row',
    ours: 'merchantOrderId or orderId bears our name',
    entries: ['status.orderName'],
    unseen: PAY,
  },
  N7: {
    item: 'The request of a direct sale',
    ours: 'JSON with a card object',
    entries: ['operations.sale.body', 'operations.sale.add'],
    unseen: NO_CARD,
  },
  N8: {
    item: 'The hash of a direct sale',
    ours: 'optional',
    entries: ['sale.hash'],
    unseen: NO_CARD,
  },
  N9: {
    item: 'The answer of a direct sale',
    ours: 'envelope A; html with REDIRECT',
    entries: ['operations.sale.answer'],
    unseen: NO_CARD,
  },
  N10: {
    item: 'How recurring is enabled',
    ours: 'recurringInit Y; no token without it',
    entries: ['operations.sale.body.recurringInit', 'operations.sale.answer.recurringToken'],
    unseen: 'no row of a payment link bears a token; only a sale asks for one',
  },
  N11: {
    item: 'The embedded status poll',
    ours: '§4.2 with the transaction id',
    entries: ['operations.pollStatus'],
    unseen: PAY,
  },
  N12: {
    item: 'Creating, changing and deleting a webhook',
    ours: 'POST, PATCH and DELETE; the secret is told once',
    entries: ['operations.createWebhook', 'operations.updateWebhook', 'operations.deleteWebhook'],
    unseen: 'a webhook is made only when you ask for one: --portal-writes',
  },
  N13: {
    item: 'Events and payload of a webhook',
    ours: 'flat JSON with transactionId and orderId',
    entries: ['webhook.orderName', 'webhook.transactionId'],
    unseen: NOTIFICATIONS,
  },
  N14: {
    item: 'The signature of a webhook',
    ours: 'X-Signature: HMAC-SHA-256 in hex',
    entries: ['webhook.signature'],
    unseen: NOTIFICATIONS,
  },
  N15: {
    item: 'Retries of a webhook',
    ours: 'three, 30 seconds apart',
    entries: [],
    none: 'a notification is a reason to ask, so a missing one costs time only',
    unseen: NOTIFICATIONS,
  },
  N16: {
    item: 'The portal login',
    ours: 'POST /auth/login answers accessToken',
    entries: ['login'],
    unseen: PORTAL,
  },
  N17: {
    item: 'The record of an API credential',
    ours: 'id and a masked apiKey, in credentials',
    entries: ['operations.retrieveCredentials.answer'],
    unseen: PORTAL,
  },
  N18: {
    item: 'Rotating an API key',
    ours: 'the old key lives on',
    entries: ['operations.rotateApiKey'],
    unseen: 'it makes a new key and may end the one in use, so it is never tried',
  },
  N19: {
    item: 'SDK tokens',
    ours: 'a list in sdkTokens',
    entries: ['operations.listSdkTokens', 'operations.createSdkToken', 'operations.updateSdkToken'],
    unseen: PORTAL,
  },
  N20: {
    item: 'Forms of a phone number',
    ours: 'numbers of other countries are taken',
    entries: [],
    none: 'take Saudi mobile numbers only, in your shop',
    unseen: 'take the step phones, which makes one more link',
  },
  N21: {
    item: 'Unknown ids, routes and states',
    ours: '404 in envelope A; a known session never is',
    entries: ['status.notFound'],
    unseen: 'take the steps errors, link, pay and status',
  },
  N22: {
    item: 'Rate limits, sizes, time-outs, idempotency',
    ours: 'none is promised',
    entries: [],
    none: '429 and Retry-After are heeded wherever they come',
    unseen: 'no answer was a 429, and nothing is flooded to provoke one',
  },
  N23: {
    item: 'Amounts and their decimals',
    ours: 'a text with two decimals in an answer',
    entries: [],
    none: 'an amount in another form is not taken as paid',
    unseen: PAY,
  },
  N24: { item: 'Capture', ours: 'once', entries: [], none: 'one capture is sent', unseen: NO_HOLD },
  N25: {
    item: 'A second void, a void of a sale, a capture after a void',
    ours: '400 in envelope A',
    entries: [],
    none: 'no such call is sent twice, and the status decides',
    unseen: NO_HOLD,
  },
} as const satisfies Readonly<Record<string, Reading>>;

/** The id of an open point, such as `X1`. */
export type ReadingId = keyof typeof readings;

/** Every open point in its order. */
export const readingIds = Object.keys(readings) as readonly ReadingId[];
