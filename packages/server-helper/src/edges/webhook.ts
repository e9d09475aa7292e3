import { attemptOfName, isMerchantOrderId, type MerchantOrderId } from '../ids.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { bodyProblem, decodeBody } from './body.ts';
import { problem } from './problem.ts';
import type { RouteContext } from './route-table.ts';
import { valueAt } from '../gateway/translation.ts';
import { NAMELESS } from '../payments/transaction-hint.ts';
import { inEqualTime } from './equal-time.ts';
import { hintedId } from './hinted-ids.ts';
import { faultOfSignature } from './webhook-signature.ts';

const MAX_BODY_BYTES = 65_536;

const unsigned = problem('invalid_signature', 'The webhook is not signed with a secret of ours.', {
  headers: { 'www-authenticate': 'Signature' },
});

const acknowledged: Answer = { status: 200, json: {} };

/**
 * `POST /webhook`: a reason to ask the gateway, never proof. The answer is the same for a known order,
 * an unknown order and nonsense, so that no answer reveals which orders exist. Where anyone may send
 * one, a known order and an unknown one take the same time as well.
 */
export async function webhookArrived(request: EdgeRequest, context: RouteContext): Promise<Answer> {
  const { flows, checks, settings, health, drift, onError } = context;
  await checks.webhooksPerAddress(request.address);
  const raw = await request.readBody(MAX_BODY_BYTES);
  // An incomplete body may hold a hint, so it is not acknowledged.
  if (raw.kind !== 'bytes' && raw.kind !== 'parsed') return bodyProblem(raw.kind, MAX_BODY_BYTES);
  const signature = settings.webhookSignature;
  const fault = signature && faultOfSignature(request, raw, signature, health.now());
  if (fault !== null) {
    drift.note('webhook', 'refused_signature', fault);
    return unsigned;
  }
  const body = decodeBody(request, raw, MAX_BODY_BYTES);
  const notification = body.kind === 'problem' ? undefined : body.value;
  const isWhole = drift.notification(notification, neededOf(settings), signature?.secrets ?? []);
  const merchantOrderId = nameIn(notification, settings.webhookOrderNames);
  if (merchantOrderId === undefined) {
    if (!isWhole && signature !== null) drift.note('webhook', 'unfollowed_hint');
    return acknowledged;
  }
  const storeHint = async (): Promise<void> => {
    const isNamed = await noteTransaction(context, merchantOrderId, notification);
    const isOurs = await flows.hint(merchantOrderId, signature !== null);
    if (isOurs && !isNamed) drift.note('webhook', 'unfollowed_hint');
  };
  try {
    await (signature === null ? inEqualTime(storeHint) : storeHint());
    return acknowledged;
  } catch (error) {
    onError(error);
    // The gateway repeats a notification that is not acknowledged.
    return problem('store_unavailable', 'The notification could not be stored. Send it again.', {
      headers: { 'retry-after': '5' },
    });
  }
}

/** The places of which a notification has to fill one each. */
const neededOf = ({ webhookOrderNames, webhookTransaction }: RouteContext['settings']) => [
  webhookOrderNames,
  ...(webhookTransaction === null ? [] : [[webhookTransaction]]),
];

/**
 * Stores which transaction a notification names, or that it names none, where the gateway is asked about these.
 *
 * @returns whether it names one, or needs to name none.
 */
async function noteTransaction(
  { flows, settings }: RouteContext,
  name: MerchantOrderId,
  notification: unknown,
): Promise<boolean> {
  const { webhookTransaction: place, webhookSignature } = settings;
  const orderId = attemptOfName(name)?.orderId;
  if (place === null || orderId === undefined) return true;
  const id = hintedId(valueAt(notification, place));
  const source = webhookSignature === null ? 'unsigned' : 'signed';
  await flows.noteTransactions(orderId, [{ transactionId: id ?? NAMELESS, source }]);
  return id !== undefined;
}

/**
 * The name of the payment in a notification (assumption N13); its other fields are ignored. A text
 * that has not the form of an attempt's name never reaches the store, which might fail on it.
 */
function nameIn(notification: unknown, places: readonly string[]): MerchantOrderId | undefined {
  return places.map((place) => valueAt(notification, place)).find(isMerchantOrderId);
}
