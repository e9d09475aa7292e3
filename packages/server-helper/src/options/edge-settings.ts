import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import { type Profile, readProfile } from '../gateway/profile.ts';
import { isStrongEnough, MIN_FOREIGN_BYTES } from './secret-strength.ts';
import type { Limits } from './edge-options.ts';
import type { PaymentsOptions } from './payments-options.ts';

/** Requests a minute; `false` for no limit. */
export type LimitNumbers = Required<Omit<Limits, 'shopperKey'>>;

/** The options of the routes, checked and filled in once. */
export interface EdgeSettings {
  /** What a checkout may bring beside the order's id. */
  readonly dataFields: readonly string[];
  readonly bodyTimeoutMs: number;
  /** `null` where webhooks are taken unsigned. */
  readonly webhookSignature: SignatureSettings | null;
  /** Where a notification bears our name for the payment, in the order of trial. */
  readonly webhookOrderNames: readonly string[];
  /** Where a notification bears a transaction's id; `null` where the gateway is asked about none. */
  readonly webhookTransaction: string | null;
  readonly limits: LimitNumbers;
  /** Names a request's shopper by the shop's own key; `null` where there is none. */
  readonly shopperKey: ((request: unknown) => unknown) | null;
  readonly shedLoad: boolean;
}

/** How webhooks are signed; the header's name is in lower case. */
export interface SignatureSettings extends Readonly<Profile['webhook']['signature']> {
  readonly secrets: readonly string[];
}

/** Where a notification bears our name for the payment (assumption N13). */
const ORDER_NAMES = ['/merchantOrderId', '/orderId'];

type EdgeOptions = Pick<
  PaymentsOptions<never, never>,
  | 'bodyTimeoutMs'
  | 'dataFields'
  | 'webhookSecrets'
  | 'webhookSignatureHeader'
  | 'limits'
  | 'shedLoad'
>;

/** How long a sender may take for a request's body. */
const BODY_TIMEOUT_MS = 10_000;

/** Far above what a busy shop behind one address asks, and far below what hurts. */
const usualLimits: LimitNumbers = {
  checkoutsPerAddress: 600,
  checkoutsPerOrder: 60,
  checkoutsPerShopper: 60,
  pollsPerAddress: 12_000,
  pollsPerOrder: 240,
  returnsPerAddress: 1_200,
  webhooksPerAddress: 12_000,
  healthPerAddress: 6_000,
};

const noLimits: LimitNumbers = {
  checkoutsPerAddress: false,
  checkoutsPerOrder: false,
  checkoutsPerShopper: false,
  pollsPerAddress: false,
  pollsPerOrder: false,
  returnsPerAddress: false,
  webhooksPerAddress: false,
  healthPerAddress: false,
};

/** A header's name (RFC 9110, §5.1). */
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Checks the options of the routes at start.
 *
 * @throws {@link ConfigurationError} `invalid_timeout`, `invalid_webhook_secret`, `invalid_limit`,
 * all at once.
 */
export function resolveEdgeSettings(
  options: EdgeOptions,
  { webhook, status }: Pick<Profile, 'webhook' | 'status'> = readProfile(undefined),
): EdgeSettings {
  const { bodyTimeoutMs = BODY_TIMEOUT_MS, webhookSecrets, limits = {} } = options;
  const { orderName, signature } = webhook;
  const { webhookSignatureHeader = signature.header } = options;
  throwEveryMistake([
    () => checkTimeout(bodyTimeoutMs),
    () => checkWebhookSecrets(webhookSecrets),
    () => checkHeader(webhookSignatureHeader, options),
    () => checkLimits(limits),
  ]);
  const { shopperKey, ...numbers }: Limits<never> = limits || noLimits;
  const given = Object.entries(numbers).filter(([, limit]) => limit !== undefined);
  return {
    dataFields: [...(options.dataFields ?? [])],
    bodyTimeoutMs,
    webhookSignature:
      webhookSecrets === undefined
        ? null
        : {
            ...signature,
            secrets: [...webhookSecrets],
            header: webhookSignatureHeader.toLowerCase(),
          },
    webhookTransaction: status.asksFor === 'session' ? null : webhook.transactionId,
    webhookOrderNames: orderName === undefined ? ORDER_NAMES : [orderName],
    limits: { ...usualLimits, ...Object.fromEntries(given) },
    // Each adapter gives what its framework has; the option's type says which that is.
    shopperKey: (shopperKey as EdgeSettings['shopperKey'] | undefined) ?? null,
    shedLoad: options.shedLoad ?? true,
  };
}

/** Whether any limit counts addresses. */
export function countsAddresses(limits: LimitNumbers): boolean {
  return Object.entries(limits).some(
    ([name, limit]) => name.endsWith('PerAddress') && limit !== false,
  );
}

function checkTimeout(bodyTimeoutMs: unknown): void {
  if (Number.isSafeInteger(bodyTimeoutMs) && Number(bodyTimeoutMs) >= 1) return;
  throw new ConfigurationError('invalid_timeout', {
    setting: 'bodyTimeoutMs',
    what: 'bodyTimeoutMs must be a whole number of milliseconds, 1 or more.',
    why: 'A sender who never ends would hold a connection for ever.',
    fix: 'Give a number such as 10000, or leave it out.',
  });
}

/** An empty list would switch the check off without a word, just when a variable is not set. */
function checkWebhookSecrets(secrets: unknown): void {
  if (secrets === undefined) return;
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(isStrongEnough)) return;
  throw new ConfigurationError('invalid_webhook_secret', {
    setting: 'webhookSecrets',
    what: `webhookSecrets must be a list of one or more secrets, each of ${MIN_FOREIGN_BYTES} bytes or more of some variety.`,
    why: 'Anyone who guesses one can sign webhooks; without one no signature could match.',
    fix: 'Give the secrets that the gateway told when the webhook was created, or leave the option out.',
  });
}

function checkHeader(header: unknown, { webhookSecrets, ...options }: EdgeOptions): void {
  const isAlone = options.webhookSignatureHeader !== undefined && webhookSecrets === undefined;
  if (typeof header === 'string' && HEADER.test(header) && !isAlone) return;
  throw new ConfigurationError('invalid_webhook_secret', {
    setting: 'webhookSignatureHeader',
    what: isAlone
      ? 'webhookSignatureHeader is given without webhookSecrets.'
      : 'webhookSignatureHeader is no name of a header.',
    why: 'Signatures would not be checked.',
    fix: 'Give webhookSecrets and a name such as "X-Signature", or leave both out.',
  });
}

function checkLimits(limits: unknown): void {
  if (limits === false) return;
  const isObject = typeof limits === 'object' && limits !== null;
  const { shopperKey, ...numbers } = { ...(limits as object) } as Readonly<Record<string, unknown>>;
  const wrong = isObject
    ? Object.entries(numbers).find(([name, limit]) => !isLimit(name, limit))?.[0]
    : 'limits';
  if (wrong === undefined) {
    checkShopperKey(shopperKey, numbers['checkoutsPerShopper']);
    return;
  }
  throw new ConfigurationError('invalid_limit', {
    setting: wrong === 'limits' ? wrong : `limits.${wrong}`.slice(0, 60),
    what: 'limits is false or an object of whole numbers a minute, 1 or more, or false.',
    why: 'A limit that is misspelt or no number would not hold.',
    fix: `Use the names ${Object.keys(usualLimits).join(', ')}.`,
  });
}

function checkShopperKey(shopperKey: unknown, perShopper: unknown): void {
  const isAlone = shopperKey === undefined && Number.isInteger(perShopper);
  if (!isAlone && (shopperKey === undefined || typeof shopperKey === 'function')) return;
  throw new ConfigurationError('invalid_limit', {
    setting: 'limits.shopperKey',
    what: isAlone
      ? 'limits.checkoutsPerShopper is given without limits.shopperKey.'
      : 'limits.shopperKey must be a function.',
    why: 'Without a name of its own no shopper is counted.',
    fix: 'Give a function that names a request’s shopper, or leave both out.',
  });
}

function isLimit(name: string, limit: unknown): boolean {
  const isNumber = Number.isSafeInteger(limit) && Number(limit) >= 1;
  return Object.hasOwn(usualLimits, name) && (limit === undefined || limit === false || isNumber);
}
