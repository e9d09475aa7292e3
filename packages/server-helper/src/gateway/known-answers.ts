import type { OperationName } from './operations.ts';
import { type Fields, isFields } from './fields.ts';

/** An operation, or the portal's login that calls share. */
export type AskedOperation = OperationName | 'logIn';

/** A field of an answer as the specification states it or this kit foresees it. */
export interface KnownField {
  /** `null` is never another type: it says as much as no field. */
  readonly types: readonly ('string' | 'number' | 'boolean' | 'object' | 'list')[];
  /** The words that this kit knows, where the field holds one of a few. */
  readonly words?: RegExp;
  /** The fields of the object, or of each record of the list. */
  readonly fields?: KnownFields;
}

/** Fields by their names. */
export type KnownFields = ReadonlyMap<string, KnownField>;

const text: KnownField = { types: ['string'] };
const number: KnownField = { types: ['number'] };
const yesOrNo: KnownField = { types: ['boolean'] };
const oneOf = (words: RegExp): KnownField => ({ types: ['string'], words });
const object = (fields: KnownFields): KnownField => ({ types: ['object'], fields });
const list = (fields: KnownFields): KnownField => ({ types: ['list'], fields });
const known = (fields: Readonly<Record<string, KnownField>>): KnownFields =>
  new Map(Object.entries(fields));

/** Fields that no specification states: a number says the same as its digits. */
const foreseen = (...names: readonly string[]): Readonly<Record<string, KnownField>> =>
  Object.fromEntries(names.map((name) => [name, { types: ['string', 'number'] }]));

/** Fields that a status row may have besides the stated ones (assumptions N6 and N13). */
const ofRows = foreseen(
  'orderId',
  'merchantOrderId',
  'currencyCode',
  'rrn',
  'createdAt',
  'finishedAt',
  'declineReason',
  'recurringToken',
  'cardNumber',
  'status',
  'type',
  'reason',
);

const statusRow = known({
  ...ofRows,
  transactionId: text,
  amount: text,
  transactionStatus: oneOf(/^(?:SUCCESS|FAILED|PENDING)$/),
  paymentStatus: oneOf(/^(?:APPROVED|DECLINED|PENDING)$/),
  refundStatus: oneOf(/^(?:NONE|PARTIAL|FULL)$/),
  totalRefundAmount: text,
  pan: text,
  cardScheme: text,
});

/** A success has no error code (§4.2); a text that says so is read, and counted as unknown. */
const envelopeA = (data: KnownFields): KnownFields =>
  known({ code: number, message: text, errorCode: oneOf(/^$/), data: object(data) });

const status = envelopeA(known({ content: list(statusRow), totalElements: number }));

const accepted = oneOf(/^accepted$/i);

const move = (action: RegExp): KnownFields =>
  envelopeA(
    known({
      ...foreseen('rrn', 'order_id', 'trans_id', 'card_brand'),
      result: accepted,
      action: oneOf(action),
      decline_reason: text,
    }),
  );

const refund = known({
  ...foreseen('referenceId', 'paymentId', 'refundId'),
  result: accepted,
  message: text,
  amount: text,
});

const sale = known({
  ...foreseen('payment_id', 'order_id', 'trans_id', 'rrn', 'card_brand', 'recurringToken'),
  result: oneOf(/^(?:SUCCESS|REDIRECT|DECLINED)$/),
  status: oneOf(/^(?:SUCCESS|REDIRECT|PENDING|FAILED|DECLINED)$/),
  transactionId: text,
  html: text,
  decline_reason: text,
});

const charge = known({
  ...foreseen('payment_id'),
  result: oneOf(/^(?:SUCCESS|DECLINED)$/),
  status: oneOf(/^(?:SUCCESS|PENDING|FAILED|DECLINED)$/),
  transactionId: text,
  decline_reason: text,
});

const webhook = {
  ...foreseen('id'),
  url: text,
  active: yesOrNo,
  events: { types: ['list'] as const },
};
const dates = foreseen('createdAt', 'expiresAt');
const credential = known({
  ...dates,
  ...foreseen('id'),
  apiKey: text,
  environment: text,
  status: oneOf(/^(?:ACTIVE|REVOKED)$/),
});
const sdkToken = known({
  ...dates,
  ...foreseen('id', 'terminalId'),
  token: text,
  name: text,
  type: text,
  status: oneOf(/^(?:ACTIVE|DISABLED)$/),
});

/** The fields of both envelopes of errors, A and B (§4). */
export const knownError: KnownFields = known({
  code: number,
  statusCode: number,
  message: { types: ['string', 'list'] },
  // The specification shows the HTTP status in words; any other may be a success of the gateway's own.
  errorCode: oneOf(/^[45]\d\d$/),
  error: text,
  data: { types: ['object'] },
});

/** The success of an operation as this kit expects it. */
export interface KnownAnswer {
  readonly httpStatus: 200 | 201 | 204;
  /** The whole body, the envelope included. */
  readonly fields: KnownFields;
  /** Whether a 404 is an answer to its question: it names something by an id (assumption N21). */
  readonly namesById?: true;
}

/** A notification as this kit foresees it (assumption N13); the specification states no field. */
export const knownNotification: KnownFields = known({
  ...foreseen('transactionId', 'orderId', 'merchantOrderId', 'currencyCode', 'rrn'),
  ...foreseen('createdAt', 'finishedAt', 'recurringToken'),
  amount: number,
  cardScheme: text,
  cardNumber: text,
  status: oneOf(/^(?:Approved|Declined|Pending|Redirect)$/),
  type: oneOf(/^(?:Purchase|Authorization|Capture|Refund|Void)$/),
  reason: text,
});

/** The successes by the client's method names. */
export const knownAnswers: Readonly<Record<AskedOperation, KnownAnswer>> = {
  createPaymentLink: {
    httpStatus: 201,
    fields: known({ id: text, redirectUrl: text, errorCode: text }),
  },
  retrieveStatus: { httpStatus: 200, fields: status, namesById: true },
  pollStatus: { httpStatus: 200, fields: status, namesById: true },
  refund: { httpStatus: 200, fields: envelopeA(refund), namesById: true },
  sale: { httpStatus: 200, fields: envelopeA(sale) },
  capture: { httpStatus: 200, fields: move(/^capture$/i), namesById: true },
  void: { httpStatus: 200, fields: move(/^creditvoid$/i), namesById: true },
  chargeRecurring: {
    httpStatus: 200,
    fields: known({ statusCode: number, responseBody: object(charge) }),
    namesById: true,
  },
  listWebhooks: { httpStatus: 200, fields: known({ webhooks: list(known(webhook)) }) },
  createWebhook: { httpStatus: 201, fields: known({ ...webhook, secret: text }) },
  updateWebhook: { httpStatus: 200, fields: known(webhook), namesById: true },
  deleteWebhook: { httpStatus: 204, fields: known({}), namesById: true },
  retrieveCredentials: { httpStatus: 200, fields: known({ credentials: list(credential) }) },
  rotateApiKey: { httpStatus: 201, fields: credential },
  listSdkTokens: { httpStatus: 200, fields: known({ sdkTokens: list(sdkToken) }) },
  createSdkToken: { httpStatus: 201, fields: sdkToken },
  updateSdkToken: { httpStatus: 200, fields: sdkToken, namesById: true },
  logIn: {
    httpStatus: 200,
    fields: known({
      ...foreseen('expiresIn', 'expires_in'),
      accessToken: text,
      access_token: text,
      token: text,
      tokenType: text,
      refreshToken: text,
    }),
  },
};

/** What was unexpected in an answer or a notification of the gateway. */
export type DriftKind =
  /** A field that neither the specification nor this kit's readings know. */
  | 'unknown_field'
  /** A word that this kit does not know, in a field that holds one of a few. */
  | 'unknown_word'
  /** A value of another type, such as a number in place of a text. */
  | 'other_type'
  /** Another envelope than the operation's, or none of the envelopes of errors. */
  | 'other_envelope'
  /** An HTTP status that the operation does not answer. */
  | 'unexpected_status'
  /** An answer that could not be read, so that its call failed; a notification that names no payment. */
  | 'unreadable_answer'
  /** A notification that none of the webhook secrets signed in the profile's form. */
  | 'refused_signature'
  /** A notification that a secret signed, or that names a link of ours, and that names too little to follow. */
  | 'unfollowed_hint';

/** Gets each unexpected thing. `name` is the gateway's own spelling of an unknown field. */
export type FieldListener = (kind: DriftKind, place: string, name?: string) => void;

const typeOf = (value: unknown): KnownField['types'][number] =>
  Array.isArray(value) ? 'list' : (typeof value as 'string' | 'number' | 'boolean' | 'object');

/**
 * Compares an object with the fields that are known at its place. Nothing below an unknown field is
 * looked at: the names there may be data, such as the keys of a map.
 *
 * @param place - JSON Pointer of the object; `*` stands for each record of a list.
 */
export function compareFields(
  value: Fields,
  fields: KnownFields,
  place: string,
  on: FieldListener,
): void {
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (field === undefined) on('unknown_field', place, name);
    else if (value[name] !== null) compareField(value[name], field, `${place}/${name}`, on);
  }
}

function compareField(value: unknown, field: KnownField, place: string, on: FieldListener): void {
  if (!field.types.includes(typeOf(value))) on('other_type', place);
  else if (typeof value === 'string') {
    if (field.words?.test(value) === false) on('unknown_word', place);
  } else if (field.fields === undefined) return;
  else if (isFields(value)) compareFields(value, field.fields, place, on);
  else for (const record of value as readonly unknown[]) compareRecord(record, field, place, on);
}

function compareRecord(record: unknown, { fields }: KnownField, place: string, on: FieldListener) {
  if (fields === undefined) return;
  if (isFields(record)) compareFields(record, fields, `${place}/*`, on);
  else on('other_type', `${place}/*`);
}
