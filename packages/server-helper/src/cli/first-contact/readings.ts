import { openPoints } from './open-points.ts';
import type { Reading } from './reading.ts';

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
    item: 'A wrong key, and an empty phone number',
    ours: '401 and 400 in envelope B; the 400 with a list of messages',
    entries: STATED,
    step: 'errors',
  },
} as const satisfies Readonly<Record<string, Reading>>;

/** The whole table: the open points, then the statements. */
export const readings = { ...openPoints, ...statements };

/** The id of a row, such as `X1` or `§4.1`. */
export type ReadingId = keyof typeof readings;

export const readingIds = Object.keys(readings) as readonly ReadingId[];
