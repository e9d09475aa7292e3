import { createHmac } from 'node:crypto';
import { formatAmount, numericCurrency } from '../domain/money/amount.ts';
import type { GatewayEvent } from '../domain/webhooks/gateway-event.ts';

/** The body of a webhook (N13): flat JSON, the same bytes for every attempt. */
export function payloadOf(event: GatewayEvent, sameId: boolean): string {
  const { card, createdAt, finishedAt, recurringToken } = event;
  return JSON.stringify({
    transactionId: sameId ? (event.sessionId ?? event.transactionId) : event.transactionId,
    orderId: event.merchantOrderId,
    merchantOrderId: event.merchantOrderId,
    amount: Number(formatAmount(event.amountMinor)),
    currencyCode: numericCurrency(event.currency),
    cardScheme: card.scheme,
    cardNumber: `${card.firstSix}******${card.lastFour}`,
    status: event.status,
    type: event.type,
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    rrn: event.rrn,
    reason: event.reason,
    ...(recurringToken === null ? {} : { recurringToken }),
  });
}

/** The same payload with another amount, as an attacker on the way might alter it. */
export function alteredPayload(event: GatewayEvent, sameId: boolean): string {
  return payloadOf({ ...event, amountMinor: event.amountMinor + 1 }, sameId);
}

/** `X-Signature` (N14): lower-case hex HMAC-SHA-256 of the raw body with the webhook's secret. */
export function signatureOf(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
