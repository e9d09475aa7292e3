import type { OperationName } from '../operations.ts';
import { dataA, errorA, errorB } from '../routes/wire-reply.ts';
import type { WireReply } from '../routes/wire-reply.ts';
import { recordNumber, withNumbers } from './numbers.ts';
import { orderNamesOfRow, ownOrderNumber } from './order-names.ts';
import { isFields } from '../domain/body-fields.ts';
import { moveFields, moveList } from './places.ts';
import type { Fields } from '../domain/body-fields.ts';
import { readingOf, usualProfile } from './profile.ts';
import type { Profile, Readings } from './profile.ts';
import type { Policies } from './policies.ts';

const payments: ReadonlySet<OperationName> = new Set([
  'createPaymentLink',
  'retrieveStatus',
  'pollStatus',
  'refund',
  'sale',
  'capture',
  'void',
  'chargeRecurring',
]);

/**
 * An answer as the gateway of these readings sends it. The operations answer in the sandbox's own
 * reading, and only here it becomes another.
 */
export function answerOnWire(
  readings: Readings,
  operation: OperationName,
  reply: WireReply,
): WireReply {
  const { policy, profile } = readings;
  if (policy.isEmpty() && profile === usualProfile) return reply;
  const read = payments.has(operation)
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
    const data = ['data', 'responseBody'].find((name) => isFields(body[name]));
    const inner = data === undefined ? null : body[data];
    if (data === undefined || !isFields(inner)) return body;
    const changed = { ...inner };
    if (policy.has('ownOrderNumbers') && typeof inner['order_id'] === 'string') {
      changed['order_id'] = ownOrderNumber(inner['order_id']);
    }
    if (policy.has('otherAccepted')) changed['result'] = otherCase(inner['result']);
    return { ...body, [data]: policy.has('numericIds') ? withNumbers(changed) : changed };
  });
}

/** N21; an error keeps envelope A where a section of the specification states it. */
function inEnvelope({ policy }: Readings, reply: WireReply): WireReply {
  const { body, status, tier } = reply;
  if (!policy.has('errorsB') || tier.startsWith('spec §') || !isFields(body)) return reply;
  if (status < 400 || !('errorCode' in body)) return reply;
  return { ...reply, body: errorB(status, String(body['message']), { decidedBy: '', tier }).body };
}

function statusAnswer(readings: Readings, reply: WireReply): WireReply {
  const { policy, profile } = readings;
  if (reply.status === 404 && policy.has('emptyForUnknown')) {
    return statusReply([], { decidedBy: reply.decidedBy, tier: 'assumed N21' });
  }
  const rows = rowsOf(reply);
  if (rows === null) return reply;
  const isNotYet = policy.has('unknownUntilTransaction') || profile.status?.notFound === 'not-yet';
  if (isNotYet && rows.length === 0) {
    const knowledge = { decidedBy: 'no-transaction-yet', tier: 'assumed N21' };
    return errorA(404, 'Transaction not found', knowledge);
  }
  if (policy.has('nullUntilTransaction') && rows.length === 0) {
    return dataA(null, { decidedBy: 'no-transaction-yet', tier: 'assumed N21' });
  }
  const shown = policy.has('lastAttemptOnly') ? rows.slice(-1) : rows;
  const content = shown.map((row) => rowOnWire(readings, row));
  return statusReply(content, { decidedBy: reply.decidedBy, tier: reply.tier });
}

function statusReply(
  content: readonly Fields[],
  knowledge: { readonly decidedBy: string; readonly tier: string },
): WireReply {
  return dataA({ content, totalElements: content.length }, knowledge);
}

function rowsOf({ status, body }: WireReply): readonly Fields[] | null {
  const data = status === 200 && isFields(body) ? body['data'] : null;
  const content = isFields(data) ? data['content'] : null;
  return Array.isArray(content) ? content.filter(isFields) : null;
}

/** The fields of §2.2. */
const statedFields: ReadonlySet<string> = new Set([
  'transactionId',
  'amount',
  'transactionStatus',
  'paymentStatus',
  'refundStatus',
  'totalRefundAmount',
  'pan',
  'cardScheme',
]);

function rowOnWire(readings: Readings, row: Fields): Fields {
  const { policy } = readings;
  const { orderId: _orderId, merchantOrderId, ...rest } = row;
  const named = { ...rest, ...orderNamesOfRow(readings, String(merchantOrderId)) };
  const worded = { ...named, ...wordsOf(policy, row) };
  const declined = row['transactionStatus'] === 'FAILED';
  const fields = Object.entries(worded).filter(([name]) => {
    if (declined && name === 'paymentStatus' && policy.has('absentStatus')) return false;
    return !policy.has('bareRows') || statedFields.has(name);
  });
  return policy.has('numericIds')
    ? withNumbers(Object.fromEntries(fields))
    : Object.fromEntries(fields);
}

/** The words of N4 that a policy changes. */
function wordsOf(policy: Policies, { transactionStatus }: Fields): Fields {
  if (transactionStatus === 'PENDING' && policy.has('nullPending')) {
    return { paymentStatus: null, refundStatus: null, totalRefundAmount: null };
  }
  const isRejected = transactionStatus === 'FAILED' && policy.has('rejectedStatus');
  return isRejected ? { paymentStatus: 'REJECTED' } : {};
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
      return [name, Array.isArray(value) ? value.map(numbered) : value];
    }),
  );
}

function numbered(value: unknown): unknown {
  return isFields(value) ? withRecordNumbers(value) : value;
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
