import { type Finding, findingsOf } from '../errors.ts';
import { readClientSettings } from '../gateway/settings.ts';
import { parseAmount } from '../money.ts';
import { usualWatch } from '../payments/watch.ts';
import { MAX_COUNTED, type Store } from '../stores/store.ts';
import { storeRule } from './environment.ts';
import type { EventHandlers, HealthOptions, Limits, PaymentsOptions } from './payments-options.ts';
import * as rules from '../option-rules.ts';
import { isStrongEnough, MAKE_A_SECRET, MIN_FOREIGN_BYTES, secretRules } from './secrets.ts';
import { usualLimits } from './settings.ts';
import { wiringRules } from './wiring.ts';

/** Options of any store and any framework: nothing is called here. */
type AnyOptions = Omit<PaymentsOptions<never, never>, 'store'> & {
  readonly store?: Pick<Store<never>, 'hookStyle'>;
};

/** Everything that is wrong with the options, as far as it can be seen without a network. */
export function mistakesIn(options: AnyOptions | undefined): readonly Finding[] {
  const given = (options ?? {}) as AnyOptions;
  return [...findingsOf(() => readClientSettings(given.gateway)), ...schemaOf(given)(given, '')];
}

/** The schema of all options. The compiler keeps it whole, so that a misspelt one is noticed. */
function schemaOf(given: AnyOptions) {
  return rules.group({
    ...wiringRules(given),
    ...secretRules(given),
    ...webhookRules(given),
    ...checkRules(given),
    merchant: rules.optional(rules.field(rules.aText)),
    loadOrder: rules.field(rules.callable),
    onError: rules.aFunction,
    dataFields: rules.option(
      (names) =>
        rules.isListOf(
          (name) => typeof name === 'string' && DATA_FIELD.test(name) && !shopsOwn.has(name),
        )(names) && names.length <= MAX_DATA_FIELDS,
      `dataFields must be a list of at most ${MAX_DATA_FIELDS} names of letters, digits, dots, dashes and underscores, without ${[...shopsOwn].join(', ')}.`,
      'A browser that named the price, or the customer, could change it.',
      'Give the names of the fields in the element’s data or in your form, such as ["note"], or leave it out.',
    ),
    recheckOrder: rules.aSwitch,
    recurringCeiling: rules.option(
      (amount) => rules.isWhole(1)(parseAmount(amount)),
      'recurringCeiling must be a decimal string with two decimals, at least "0.01".',
      'It bounds what one recurring charge may take.',
      'Give an amount such as "500.00", or leave it out for the amount of the order.',
    ),
    hookTimeoutMs: rules.aDuration(
      'A commit whose work never ends would hold its order and a connection for ever.',
      MAX_HOOK_TIMEOUT_MS,
    ),
    bodyTimeoutMs: rules.aDuration('A sender who never ends would hold a connection for ever.'),
    inTransaction: rules.optional(rules.field(rules.callable, hookRule(given))),
    limits: limitsRule(given.limits),
    health: rules.optional(rules.group(health)),
    on: rules.optional(rules.group(handlers)),
    store: rules.field(storeRule(given.gateway?.environment, process.env), isStore),
    shedLoad: rules.aSwitch,
    logger: rules.aLogger,
    clock: rules.aClock,
    random: rules.aFunction,
  } satisfies Record<keyof PaymentsOptions<unknown>, rules.Part>);
}

const isStore = rules.must(
  (store) => store === undefined || ['sync', 'async'].includes(Object(store).hookStyle),
  'The option store is no store.',
  'Payments would be stored elsewhere, or nowhere.',
  'Give what sqliteStore, postgresStore or mysqlStore returns, or leave it out.',
);

/** Less than the minute that a lease lasts. */
const MAX_HOOK_TIMEOUT_MS = 50_000;
const DATA_FIELD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const MAX_DATA_FIELDS = 40;
/** What the shop itself says of an order: of these a browser is never believed, so none is taken. */
const shopsOwn: ReadonlySet<unknown> = new Set(['orderId', 'amount', 'currency', 'customer']);

/** A synchronous store holds its only write lock while the hook runs, so the hook must not wait. */
const hookRule = ({ store }: AnyOptions): rules.Rule =>
  rules.must(
    (hook) => store?.hookStyle === 'async' || hook?.constructor.name !== 'AsyncFunction',
    'inTransaction must be synchronous with this store.',
    'The store holds its only write lock while it runs.',
    'Write with the given connection, without async and await, or use PostgreSQL.',
    'asynchronous_hook',
  );

const handlers = {
  paid: rules.aFunction,
  failed: rules.aFunction,
  expired: rules.aFunction,
  paidLate: rules.aFunction,
  duplicateCharge: rules.aFunction,
  review: rules.aFunction,
  refunded: rules.aFunction,
  authorized: rules.aFunction,
  captured: rules.aFunction,
  voided: rules.aFunction,
  charged: rules.aFunction,
} satisfies Record<keyof EventHandlers, rules.Part>;

const healthLimit = (most?: number) =>
  rules.option(
    rules.isWhole(1, most),
    `The limits of health must be whole numbers of at least 1, and waiting below ${MAX_COUNTED}.`,
    'Another limit would never be reached, or always.',
    'Give such numbers, or leave them out.',
  );

const health = {
  overdueMs: healthLimit(),
  unknownMs: healthLimit(),
  waiting: healthLimit(MAX_COUNTED - 1),
  failsWhenDegraded: rules.aSwitch,
  token: rules.option(
    isStrongEnough,
    `health.token must be a text of ${MIN_FOREIGN_BYTES} bytes or more of some variety.`,
    'Anyone who guesses it reads how the shop’s payments do.',
    `Make one with: ${MAKE_A_SECRET} — or leave it out.`,
  ),
} satisfies Record<keyof HealthOptions, rules.Part>;

/** A schedule that is longer would keep too many paid orders in the index of due checks. */
const MAX_AFTER_PAYMENT_MS = 90 * 86_400_000;
const MAX_TIMES = 50;
const MAX_CHECKS_PER_SECOND = 10_000;

/** When, and how often, the gateway is asked without a shopper who waits. */
function checkRules({ checksPerSecond = usualWatch.checksPerSecond }: AnyOptions) {
  const rate = (setting: string, most: number) =>
    rules.option(
      rules.isWhole(1, most),
      `${setting} must be a whole number of status checks, 1 to ${most}.`,
      'All processes share it; without any, links would not be checked.',
      'Give such a number, or leave it out.',
    );
  const isTime = (time: unknown, index: number, all: readonly unknown[]): boolean =>
    rules.isWhole(Number(all[index - 1] ?? 0) + 1, MAX_AFTER_PAYMENT_MS)(time);
  return {
    afterPayment: rules.option(
      (times) => rules.isListOf(isTime)(times) && times.length <= MAX_TIMES,
      `afterPayment must be a list of at most ${MAX_TIMES} whole numbers of milliseconds, ascending, up to ${MAX_AFTER_PAYMENT_MS}.`,
      'A paid order is checked again at these times after its payment.',
      'Give such a list, [] for no checks without a hint, or leave it out.',
    ),
    checksPerSecond: rate('checksPerSecond', MAX_CHECKS_PER_SECOND),
    oldChecksPerSecond: rate('oldChecksPerSecond', checksPerSecond),
  };
}

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

function webhookRules({ webhookSecrets }: AnyOptions) {
  const isAlone = webhookSecrets === undefined;
  const code = 'invalid_webhook_secret';
  return {
    // An empty list would switch the check off without a word, just when a variable is not set.
    webhookSecrets: rules.option(
      rules.isListOf(isStrongEnough, 1),
      `webhookSecrets must be a list of one or more secrets, each of ${MIN_FOREIGN_BYTES} bytes or more of some variety.`,
      'Anyone who guesses one can sign webhooks; without one no signature could match.',
      'Give the secrets that the gateway told when the webhook was created, or leave the option out.',
      code,
    ),
    webhookSignatureHeader: rules.option(
      (header) => typeof header === 'string' && HEADER.test(header) && !isAlone,
      isAlone
        ? 'webhookSignatureHeader is given without webhookSecrets.'
        : 'webhookSignatureHeader is no name of a header.',
      'Signatures would not be checked.',
      'Give webhookSecrets and a name such as "X-Signature", or leave both out.',
      code,
    ),
  };
}

function limitsRule(limits: AnyOptions['limits']) {
  const mistaken: rules.Mistaken = {
    code: 'invalid_limit',
    what: 'limits is false or an object of whole numbers a minute, 1 or more, or false.',
    why: 'A limit that is misspelt or no number would not hold.',
    fix: `Use the names ${Object.keys(usualLimits).join(', ')}.`,
  };
  const isLimit = (given: unknown): boolean => given === false || rules.isWhole(1)(given);
  const aLimit = rules.optional(rules.field((given) => (isLimit(given) ? undefined : mistaken)));
  const { shopperKey, checkoutsPerShopper }: Limits<never> = limits || {};
  const isAlone = shopperKey === undefined && rules.isWhole(1)(checkoutsPerShopper);
  const shape = {
    ...Object.fromEntries(Object.keys(usualLimits).map((name) => [name, aLimit])),
    shopperKey: rules.field(
      rules.must(
        (key) => !isAlone && (key === undefined || rules.isFunction(key)),
        isAlone
          ? 'limits.checkoutsPerShopper is given without limits.shopperKey.'
          : 'limits.shopperKey must be a function.',
        'Without a name of its own no shopper is counted.',
        'Give a function that names a request’s shopper, or leave both out.',
        mistaken.code,
      ),
    ),
  };
  return limits === false ? () => [] : rules.optional(rules.group(shape, mistaken));
}
