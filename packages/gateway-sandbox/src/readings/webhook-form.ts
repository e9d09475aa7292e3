import { createHmac } from 'node:crypto';
import { formatAmount, numericCurrency } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import type { GatewayEvent } from '../domain/events.ts';
import { withNumbers } from './numbers.ts';
import { orderNamesOfWebhook } from './order-names.ts';
import { moveFields } from './places.ts';
import type { Fields } from '../domain/body-fields.ts';
import { signatureForm } from './profile.ts';
import type { Profile, Readings } from './profile.ts';

/** The body of a webhook (N13): flat JSON, the same bytes for every attempt. */
export function payloadOf(event: GatewayEvent, readings: Readings): string {
  const { card, createdAt, finishedAt, recurringToken, transactionId, sessionId } = event;
  const { policy } = readings;
  const fields: Fields = {
    transactionId: policy.has('sameId') ? (sessionId ?? transactionId) : transactionId,
    ...orderNamesOfWebhook(readings, event.merchantOrderId),
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
  return JSON.stringify(placed(shown, event, readings));
}

/** The payload with the fields of the profile in their places, in an envelope if there is one. */
function placed(fields: Fields, event: GatewayEvent, { policy, profile }: Readings): Fields {
  const { transactionId, orderName } = profile.webhook ?? {};
  if (!policy.has('webhookEnvelope')) {
    return moveFields(fields, '', { transactionId, merchantOrderId: orderName });
  }
  const enveloped = { id: event.id, event: event.type, data: fields };
  return moveFields(enveloped, 'data', { transactionId, merchantOrderId: orderName });
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
