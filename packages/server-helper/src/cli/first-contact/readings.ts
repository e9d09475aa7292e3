import openPoints from './open-points.json' with { type: 'json' };

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

/** What a row says of its reading, beside what the reading is about. */
interface Row {
  readonly ours: string;
  readonly step: StepName | null;
  /** Why no entry of a profile expresses another reading; absent where one does. */
  readonly why?: string;
  /** How to see it. @defaultValue the step's way */
  readonly toSee?: string;
  /** A part that no step sees, and how to see it. */
  readonly never?: string;
}

const row = (step: Row['step'], ours: string, more: Omit<Row, 'step' | 'ours'> = {}): Row => ({
  step,
  ours,
  ...more,
});

const NO_CARD = 'it takes a sale with a card number, which this command never handles';
const NO_HOLD = 'it takes an authorization, which only a sale with a card makes';

/** What the specification leaves open. */
const ofOpenPoints = {
  X1: row('status', 'id'),
  X2: row('status', 'the checkout session'),
  X3: row('refund', '/payment/s2s/refund', {
    never: 'a field that every refund needs besides ours (operations.refund.add)',
  }),
  X4: row('errors', '/payment/checkout/recurring', {
    never: 'a field that every charge needs besides ours (operations.chargeRecurring.add)',
  }),
  X5: row('refund', '0.01 is accepted', {
    why: 'give back at least the amount that is accepted; the 400 for less is reported',
  }),
  X6: row('refund', 'accepted, in either case', { why: 'any other word is no yes' }),
  X7: row('refund', 'A; B is read too', { why: 'both envelopes are read' }),
  N1: row('status', 'nothing', {
    why: 'a return address proves nothing, so nothing in it is believed',
    toSee: 'paste the address where the browser ended, or give it: --returned URL',
  }),
  N2: row('status', 'stays payable; a row for each try', {
    toSee: 'pay first with a card that is declined, then with one that is approved',
  }),
  N3: row('status', 'answers what happened before', {
    toSee: 'after two days take the step status with this run’s --session and --order',
  }),
  N4: row('status', 'DECLINED with FAILED, PENDING while open', {
    why: 'every word but APPROVED is not paid',
    toSee: 'pay first with a declined card, then with one that asks for 3-D Secure',
  }),
  N5: row('status', 'PENDING to SUCCESS or FAILED, both final', {
    why: 'rows that contradict what was recorded are reviewed',
    toSee: 'pay with a card that asks for 3-D Secure, and wait on its page for some seconds',
  }),
  N6: row('status', 'merchantOrderId or orderId has our name'),
  N7: row('errors', 'JSON with a card object', {
    toSee: `${NO_CARD}; a field that the refusal of an empty sale asks for, and that this kit does not send, goes into operations.sale.add`,
  }),
  N8: row(null, 'optional', { toSee: NO_CARD }),
  N9: row(null, 'envelope A; html with REDIRECT', { toSee: NO_CARD }),
  N10: row('status', 'recurringInit Y; no token without it', {
    toSee: 'no row of a payment link has a token; only a sale asks for one',
  }),
  N11: row('status', '§4.2 with the transaction id'),
  N12: row('webhooks', 'POST, PATCH and DELETE; the secret is shown once'),
  N13: row('notifications', 'flat JSON with transactionId and orderId'),
  N14: row('notifications', 'X-Signature: HMAC-SHA-256 in hex'),
  N15: row('notifications', 'three, 30 seconds apart', {
    why: 'a notification is a reason to ask, so a missing one costs time only',
  }),
  N16: row('portal', 'POST /auth/login answers accessToken'),
  N17: row('portal', 'id and a masked apiKey, in credentials'),
  N18: row(null, 'the old key stays valid', {
    toSee:
      'it may end the key in use, so it is never tried: rotateApiKey names the entry it misses',
  }),
  N19: row('portal', 'a list in sdkTokens', {
    never: 'new tokens are credentials, so none is made: createSdkToken names the entry it misses',
  }),
  N20: row(null, 'numbers of other countries are accepted', {
    why: 'accept Saudi mobile numbers only, in your shop',
    toSee: 'create a link for such a number, if your shoppers have one',
  }),
  N21: row('errors', '404 in envelope A; a known session never is', {
    toSee: 'take the steps errors, link, pay and status',
  }),
  N22: row(null, 'none is promised', {
    why: '429 and Retry-After are heeded wherever they come',
    toSee: 'no answer was a 429, and nothing is flooded to provoke one',
  }),
  N23: row('status', 'a text with two decimals in an answer', {
    why: 'an amount in another form is not taken as paid',
  }),
  N24: row(null, 'once', {
    why: 'one capture is sent',
    toSee: `${NO_HOLD}; so do fields besides ours (operations.capture.add, operations.void.add)`,
  }),
  N25: row(null, '400 in envelope A', {
    why: 'no such call is sent twice, and the status decides',
    toSee: NO_HOLD,
  }),
} as const satisfies Readonly<Record<keyof typeof openPoints, Row>>;

const why = 'the specification states it';

/** What the specification states, by its section. */
const statements = {
  '§1': {
    item: 'The gateway answers, and accepts the key',
    ...row(null, 'it does', { why, toSee: 'every step asks the gateway' }),
  },
  '§2.2': {
    item: 'The fields of a status row',
    ...row('status', 'eight, amounts as texts', { why }),
  },
  '§3': {
    item: 'The payment, as this kit’s client reads it under the profile to propose',
    ...row('trial', 'SUCCESS and APPROVED', { why }),
  },
  '§4.1': {
    item: 'Creating a payment link',
    profile: ['operations.createPaymentLink.add'],
    ...row('link', '201 with id and redirectUrl', {
      never: 'a field that it asks for besides the stated ones: read the refusal of the link',
    }),
  },
  '§4.3': {
    item: 'A refund in the status',
    ...row('refund', 'refundStatus shows it, at once or later', {
      why,
      toSee: 'send one with --refund; it may settle later',
    }),
  },
  '§4.9': { item: 'Listing webhooks', ...row('portal', 'a list in webhooks', { why }) },
  '§6': {
    item: 'A notification and its payment',
    profile: ['webhook.orderName'],
    ...row('notifications', 'it has our name of the payment'),
  },
  '§7': {
    item: 'A wrong key, and an empty link',
    ...row('errors', '401 and 400 in envelope B; the 400 with a list of messages', { why }),
  },
};

/** The id of a row, such as `X1` or `§4.1`. */
export type ReadingId = keyof typeof openPoints | keyof typeof statements;

/** One row of the table: a point that the specification leaves open, or something that it states. */
export interface Reading extends Row {
  readonly id: ReadingId;
  readonly item: string;
  /** The places in a gateway profile that express another reading. */
  readonly profile: readonly string[];
}

const rowsOf = (
  known: Readonly<Record<string, Pick<Reading, 'item'> & Partial<Pick<Reading, 'profile'>>>>,
  texts: Readonly<Record<string, Row>>,
): readonly Reading[] =>
  Object.entries(texts).map(([id, text]) => ({
    id: id as ReadingId,
    item: '',
    profile: [],
    ...known[id],
    ...text,
  }));

export const readings: readonly Reading[] = [
  ...rowsOf(openPoints, ofOpenPoints),
  ...rowsOf(statements, statements),
];
