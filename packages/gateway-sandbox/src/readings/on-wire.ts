import { createHash, createHmac } from 'node:crypto';
import { formatAmount, numericCurrency, isFields, type Fields } from '../domain/requests.ts';
import { iso } from '../domain/clock.ts';
import type { GatewayEvent } from '../domain/events.ts';
import type { Tenant, OperationName } from '../domain/tenant.ts';
import { dataA, errorA, errorB, type WireReply } from '../gateway/replies.ts';
import type { Places, Profile, Readings } from './readings.ts';
import { readingOf, signatureForm, usualProfile } from './readings.ts';

/** The operations answer in the sandbox's own reading, and only here it becomes another. */
export function answerOnWire(
  readings: Readings,
  { name: operation, credential }: { readonly name: OperationName; readonly credential: string },
  reply: WireReply,
): WireReply {
  const { policy, profile } = readings;
  if (policy.size === 0 && profile === usualProfile) return reply;
  const read =
    credential === 'apiKey'
      ? paymentAnswer(readings, operation, reply)
      : policy.has('numericIds')
        ? changeBody(reply, withRecordNumbers)
        : reply;
  return read.status < 300 ? changeBody(read, placed(profile, operation)) : read;
}

function paymentAnswer(readings: Readings, operation: OperationName, reply: WireReply): WireReply {
  if (operation === 'retrieveStatus' || operation === 'pollStatus') {
    return inEnvelope(readings, statusAnswer(readings, reply));
  }
  if (reply.status >= 400) return inEnvelope(readings, reply);
  const { policy } = readings;
  return changeBody(reply, (body) => {
    const data = 'data' in body ? 'data' : 'responseBody';
    const inner = body[data];
    if (!isFields(inner)) return body;
    const { order_id: order, result } = inner;
    const changed = { ...inner };
    if (policy.has('ownOrderNumbers') && typeof order === 'string') {
      changed['order_id'] = ownOrderNumber(order);
    }
    if (policy.has('otherAccepted')) changed['result'] = otherCase(result);
    return { ...body, [data]: policy.has('numericIds') ? withNumbers(changed) : changed };
  });
}

/** N21; an error keeps envelope A where a section of the specification states it. */
function inEnvelope({ policy }: Readings, reply: WireReply): WireReply {
  const { body, status, tier } = reply;
  if (!policy.has('errorsB') || tier.startsWith('spec §') || !isFields(body)) return reply;
  if (status < 400 || !('errorCode' in body)) return reply;
  return { ...reply, body: errorB(status, String(body['message']), ['', tier]).body };
}

function statusAnswer(readings: Readings, reply: WireReply): WireReply {
  const { policy, profile } = readings;
  const { status, decidedBy, tier, body } = reply;
  if (status === 404 && policy.has('emptyForUnknown')) {
    return dataA({ content: [], totalElements: 0 }, { decidedBy, tier: 'assumed N21' });
  }
  if (status !== 200) return reply;
  const { content: rows } = (body as { readonly data: { readonly content: Fields[] } }).data;
  const isNotYet = policy.has('unknownUntilTransaction') || profile.status?.notFound === 'not-yet';
  if (isNotYet && rows.length === 0) {
    return errorA(404, 'Transaction not found', ['no-transaction-yet', 'assumed N21']);
  }
  if (policy.has('nullUntilTransaction') && rows.length === 0) {
    return dataA(null, { decidedBy: 'no-transaction-yet', tier: 'assumed N21' });
  }
  const shown = policy.has('lastAttemptOnly') ? rows.slice(-1) : rows;
  const content = shown.map((row) => rowOnWire(readings, row));
  return dataA({ content, totalElements: content.length }, { decidedBy, tier });
}

const statedFields: ReadonlySet<string> = new Set(
  (
    'transactionId amount transactionStatus paymentStatus refundStatus totalRefundAmount ' +
    'pan cardScheme'
  ).split(' '),
);

function rowOnWire(readings: Readings, row: Fields): Fields {
  const { policy, profile } = readings;
  const { orderId: _orderId, merchantOrderId, ...rest } = row;
  const names = orderNames(readings, String(merchantOrderId), profile.status?.orderName);
  const shown: Fields = { ...rest, ...names };
  const { transactionStatus } = row;
  if (transactionStatus === 'PENDING' && policy.has('nullPending')) {
    for (const name of ['paymentStatus', 'refundStatus', 'totalRefundAmount']) shown[name] = null;
  }
  if (transactionStatus === 'FAILED') {
    if (policy.has('rejectedStatus')) shown['paymentStatus'] = 'REJECTED';
    if (policy.has('absentStatus')) delete shown['paymentStatus'];
  }
  if (policy.has('bareRows')) {
    for (const name of Object.keys(shown)) if (!statedFields.has(name)) delete shown[name];
  }
  return policy.has('numericIds') ? withNumbers(shown) : shown;
}

/** X6. A sale's and a charge's results are other words, and stay. */
function otherCase(result: unknown): unknown {
  if (result === 'accepted') return 'ACCEPTED';
  return result === 'ACCEPTED' ? 'accepted' : result;
}

/** Records of the portal with numbers for ids, alone or in a list. */
function withRecordNumbers(body: Fields): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'id' && typeof value === 'string') return [name, recordNumber(value)];
      if (!Array.isArray(value)) return [name, value];
      return [name, value.map((one) => (isFields(one) ? withRecordNumbers(one) : one))];
    }),
  );
}

const lists: { readonly [Name in OperationName]?: string } = {
  retrieveCredentials: 'credentials',
  listSdkTokens: 'sdkTokens',
};

/** Moves the fields of an answer to the places that the profile names. */
function placed(profile: Profile, operation: OperationName): (body: Fields) => object {
  const { answer } = readingOf(profile, operation);
  return (body) => {
    if (answer === undefined) return body;
    const list = lists[operation];
    if (list !== undefined) return moveList(body, list, answer);
    return moveFields(body, operation === 'sale' ? 'data' : '', answer);
  };
}

function changeBody(reply: WireReply, change: (body: Fields) => object): WireReply {
  return isFields(reply.body) ? { ...reply, body: change(reply.body) } : reply;
}

/** Informative fields that look like numbers, which a gateway may send as such. */
const numeric: ReadonlySet<string> = new Set(
  'rrn currencyCode paymentId payment_id trans_id referenceId orderId order_id'.split(' '),
);

/** The fields with numbers in the place of texts of digits. */
function withNumbers(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      numeric.has(name) && typeof value === 'string' && /^\d{1,15}$/.test(value)
        ? Number(value)
        : value,
    ]),
  );
}

const recordNumber = (id: string): number =>
  createHash('sha256').update(`sandbox record ${id}`).digest().readUIntBE(0, 5);

/** The id of the portal's record that a number stands for; else the text itself. */
export function recordIdOf({ webhooks, sdkTokens, account }: Tenant, text: string): string {
  const records = [...webhooks, ...sdkTokens, ...account.apiKeys];
  return records.find(({ id }) => String(recordNumber(id)) === text)?.id ?? text;
}

/** The gateway's own number of an order: ten digits that follow from the merchant's name of it. */
function ownOrderNumber(merchantOrderId: string): string {
  const digest = createHash('sha256').update(`sandbox order ${merchantOrderId}`).digest();
  return `7${String(digest.readUInt32BE(0) % 1_000_000_000).padStart(9, '0')}`;
}

/** The fields that name the order (N6, N13). `field`: what the profile calls ours; null: nothing. */
function orderNames({ policy }: Readings, name: string, field: string | null | undefined): Fields {
  const orderId = ownOrderNumber(name);
  const own = policy.has('ownOrderNumbers');
  if (policy.has('noOrderName')) return own ? { orderId } : {};
  if (field === null) return { orderId };
  if (field !== undefined) return { orderId, [field]: name };
  return { orderId: own ? orderId : name, merchantOrderId: name };
}

/** Every field is taken away before one is put back, so that two fields can change places. */
function moveFields(body: Fields, base: string, places: Places): Fields {
  const moved = structuredClone(body);
  const from = base === '' ? moved : moved[base];
  if (!isFields(from)) return moved;
  const taken = Object.entries(places).filter(
    ([name, place]) => place !== undefined && Object.hasOwn(from, name),
  );
  const values = taken.map(([name, place]) => ({ place, value: from[name] }));
  for (const [name] of taken) delete from[name];
  for (const { place, value } of values) if (typeof place === 'string') put(moved, place, value);
  return moved;
}

/** A list and the fields of its records moved. At the place "" the list is the whole body. */
function moveList(
  body: Fields,
  list: string,
  { [list]: place, ...places }: Places,
): Fields | readonly unknown[] {
  const records: unknown = body[list];
  const moved = Array.isArray(records)
    ? records.map((record: unknown) => (isFields(record) ? moveFields(record, '', places) : record))
    : records;
  if (place === '' && Array.isArray(moved)) return moved;
  return moveFields({ ...body, [list]: moved }, '', { [list]: place });
}

/** Puts a value at a JSON Pointer (RFC 6901), and makes the objects on the way there. */
function put(body: Fields, pointer: string, value: unknown): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let inner = body;
  for (const name of names.slice(0, -1)) {
    const next = Object.hasOwn(inner, name) ? inner[name] : null;
    const made = isFields(next) ? next : {};
    define(inner, name, made);
    inner = made;
  }
  define(inner, names.at(-1) ?? '', value);
}

/** Also a field called `__proto__` is a field. */
function define(fields: Fields, name: string, value: unknown): void {
  const own = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(fields, name, own);
}

/** A request's fields by our names; where the gateway has another name, ours says nothing. */
export function requestFromWire(
  profile: Profile,
  operation: OperationName,
  { body, isQuery }: { readonly body: unknown; readonly isQuery: boolean },
): { body: unknown; messages: readonly string[] } {
  if (profile === usualProfile || !isFields(body)) return { body, messages: [] };
  const { body: names = {}, add = {} } = readingOf(profile, operation);
  const renamed = Object.entries(names).filter(([, theirs]) => theirs !== undefined);
  const messages = Object.entries(add)
    .filter(([name, value]) => body[name] !== (isQuery ? String(value) : value))
    .map(([name, value]) => `${name} must be ${JSON.stringify(value)}`);
  const fields: Fields = { ...body };
  for (const [ours] of renamed) delete fields[ours];
  for (const [ours, theirs = ''] of renamed) {
    if (Object.hasOwn(body, theirs)) fields[ours] = body[theirs];
  }
  return { body: fields, messages };
}

/** Messages that name fields in their middle; all others begin with the name. */
const NAMES_INSIDE = /^(?:each value in|at least one of) /;

/** A validation's refusal with the gateway's names in place of ours: the sender knows no others. */
export function inTheirNames(
  { profile }: Readings,
  { name: operation }: { readonly name: OperationName },
  refusal: WireReply,
): WireReply {
  const { body: names = {} } = readingOf(profile, operation);
  const theirs = (ours: string) => (Object.hasOwn(names, ours) ? names[ours] : null) ?? ours;
  const renamed = (text: string) =>
    text.replace(NAMES_INSIDE.test(text) ? /[A-Za-z]+/g : /^[A-Za-z]+/, theirs);
  return changeBody(refusal, (body) => {
    const messages: unknown = body['message'];
    return Array.isArray(messages) ? { ...body, message: messages.map(String).map(renamed) } : body;
  });
}

/** The body of a webhook (N13): flat JSON, the same bytes for every attempt. */
export function payloadOf(event: GatewayEvent, readings: Readings): string {
  const { card, createdAt, finishedAt, recurringToken, transactionId, sessionId } = event;
  const { policy, profile } = readings;
  // The profile moves this field to its place.
  const orderField = profile.webhook?.orderName === undefined ? undefined : 'merchantOrderId';
  const fields: Fields = {
    transactionId: policy.has('sameId') ? (sessionId ?? transactionId) : transactionId,
    ...orderNames(readings, event.merchantOrderId, orderField),
    amount: Number(formatAmount(event.amountMinor)),
    currencyCode: numericCurrency(event.currency),
    cardScheme: card.scheme,
    cardNumber: `${card.firstSix}******${card.lastFour}`,
    status: event.status,
    type: event.type,
    createdAt: iso(createdAt),
    finishedAt: finishedAt === null ? null : iso(finishedAt),
    rrn: event.rrn,
    reason: event.reason,
    ...(recurringToken === null ? {} : { recurringToken }),
  };
  const shown = policy.has('numericIds') ? withNumbers(fields) : fields;
  const { transactionId: idPlace, orderName } = profile.webhook ?? {};
  const places = { transactionId: idPlace, merchantOrderId: orderName };
  const body = policy.has('webhookEnvelope')
    ? moveFields({ id: event.id, event: event.type, data: shown }, 'data', places)
    : moveFields(shown, '', places);
  return JSON.stringify(body);
}

/** The same payload with another amount, as an attacker on the way might alter it. */
export const alteredPayload = (event: GatewayEvent, readings: Readings): string =>
  payloadOf({ ...event, amountMinor: event.amountMinor + 1 }, readings);

/**
 * The value of the signature's header (N14): the HMAC of the raw body with the webhook's secret, by
 * default lower-case hex HMAC-SHA-256. `at` is the instant in a signature that has one.
 */
export function signatureOf(profile: Profile, secret: string, body: string, at: number): string {
  const { algorithm, encoding, prefix, timestamped } = signatureForm(profile);
  const seconds = Math.floor(at / 1000);
  const signed = timestamped ? `${seconds}.${body}` : body;
  const mac = createHmac(algorithm, secret).update(signed).digest(encoding);
  return timestamped ? `t=${seconds},v1=${mac}` : prefix + mac;
}
