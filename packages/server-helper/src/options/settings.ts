import type { Profile } from '../gateway/profile.ts';
import { usualWatch, type WatchSettings } from '../payments/watch.ts';
import type { Limits, PaymentsOptions } from './payments-options.ts';

export type LimitNumbers = Required<Omit<Limits, 'shopperKey'>>;

export type EdgeSettings = ReturnType<typeof resolveEdgeSettings>;

/** How webhooks are signed; the header's name is in lower case. */
export type SignatureSettings = NonNullable<EdgeSettings['webhookSignature']>;

/** Where a notification bears our name for the payment (assumption N13). */
const ORDER_NAMES = ['/merchantOrderId', '/orderId'];

type AnyOptions = Omit<PaymentsOptions<never, never>, 'store'>;

const BODY_TIMEOUT_MS = 10_000;

/** Far above what a busy shop behind one address asks, and far below what hurts. */
export const usualLimits: LimitNumbers = {
  checkoutsPerAddress: 600,
  checkoutsPerOrder: 60,
  checkoutsPerShopper: 60,
  pollsPerAddress: 12_000,
  pollsPerOrder: 240,
  returnsPerAddress: 1_200,
  webhooksPerAddress: 12_000,
  healthPerAddress: 6_000,
};

/** Fills in the options of the routes. @param options - Without mistakes. */
export function resolveEdgeSettings(
  options: Partial<AnyOptions>,
  { webhook, status }: Pick<Profile, 'webhook' | 'status'>,
) {
  const { webhookSecrets, limits = {} } = options;
  const { orderName, signature, transactionId } = webhook;
  const { webhookSignatureHeader = signature.header } = options;
  const { shopperKey, ...given }: Limits<never> = limits || {};
  const limitOf = ([name, usual]: [string, number | false]) =>
    [name, limits !== false && (given[name as keyof LimitNumbers] ?? usual)] as const;
  return {
    /** What a checkout may bring beside the order's id. */
    dataFields: [...(options.dataFields ?? [])],
    bodyTimeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    /** `null` where webhooks are taken unsigned. */
    webhookSignature: webhookSecrets
      ? {
          ...signature,
          secrets: [...webhookSecrets] as readonly string[],
          header: webhookSignatureHeader.toLowerCase(),
        }
      : null,
    /** Where a notification bears a transaction's id; `null` where the gateway is asked about none. */
    webhookTransaction: status.asksFor === 'session' ? null : transactionId,
    /** Where a notification bears our name for the payment, in the order of trial. */
    webhookOrderNames: orderName === undefined ? ORDER_NAMES : [orderName],
    limits: Object.fromEntries(Object.entries(usualLimits).map(limitOf)) as LimitNumbers,
    /** Names a request's shopper by the shop's own key. Each adapter gives what its framework has. */
    shopperKey: shopperKey as ((request: unknown) => unknown) | undefined,
    shedLoad: options.shedLoad ?? true,
  };
}

export const countsAddresses = (limits: LimitNumbers): boolean =>
  Object.entries(limits).some(([name, limit]) => name.endsWith('PerAddress') && limit !== false);

const OLD_SHARE = 4;

/** Fills in the options of the background checks. @param options - Without mistakes. */
export function resolveWatch(
  options: Pick<AnyOptions, 'afterPayment' | 'checksPerSecond' | 'oldChecksPerSecond'>,
): WatchSettings {
  const { checksPerSecond = usualWatch.checksPerSecond } = options;
  const quarter = Math.max(1, Math.floor(checksPerSecond / OLD_SHARE));
  const { afterPayment = usualWatch.afterPayment, oldChecksPerSecond = quarter } = options;
  return { afterPayment: [...afterPayment], checksPerSecond, oldChecksPerSecond };
}
