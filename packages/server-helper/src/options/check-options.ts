import { resolveEdgeSettings } from './edge-settings.ts';
import { ConfigurationError, everyMistake, type Finding, invalidOption } from '../errors.ts';
import { readClientSettings } from '../gateway/settings.ts';
import type { CorsOptions, HealthOptions } from './edge-options.ts';
import type { EventHandlers, PaymentsOptions } from './payments-options.ts';
import { checkDataFields } from './data-fields.ts';
import { checkSecrets } from './secret-rules.ts';
import { isStrongEnough, MAKE_A_SECRET, MIN_FOREIGN_BYTES } from './secret-strength.ts';
import { parseAmount } from '../money.ts';
import { MAX_COUNTED, type Store } from '../stores/store.ts';
import { createTokens } from '../edges/tokens.ts';
import { resolveWatch } from './watch-settings.ts';
import { checkStore } from './settings-from-env.ts';
import { resolveWiring } from './wiring.ts';

/** Every option, so that a misspelt one is noticed; the compiler keeps the list whole. */
const optionNames: Readonly<Record<keyof PaymentsOptions<unknown>, true>> = {
  gateway: true,
  merchant: true,
  publicUrl: true,
  mountPath: true,
  tokenSecrets: true,
  encryptionKeys: true,
  store: true,
  loadOrder: true,
  dataFields: true,
  recheckOrder: true,
  recurringCeiling: true,
  inTransaction: true,
  hookTimeoutMs: true,
  on: true,
  onError: true,
  pages: true,
  cors: true,
  routes: true,
  bodyTimeoutMs: true,
  afterPayment: true,
  checksPerSecond: true,
  oldChecksPerSecond: true,
  health: true,
  webhookSecrets: true,
  webhookSignatureHeader: true,
  limits: true,
  shedLoad: true,
  logger: true,
  clock: true,
  random: true,
};

const healthNames: Readonly<Record<keyof HealthOptions, true>> = {
  overdueMs: true,
  unknownMs: true,
  waiting: true,
  failsWhenDegraded: true,
  token: true,
};

const corsNames: Readonly<Record<keyof CorsOptions, true>> = { origins: true };

const handlerNames: Readonly<Record<keyof EventHandlers, true>> = {
  paid: true,
  failed: true,
  expired: true,
  paidLate: true,
  duplicateCharge: true,
  review: true,
  refunded: true,
  authorized: true,
  captured: true,
  voided: true,
  charged: true,
};

/** Options of any store and any framework: nothing is called here. */
type AnyOptions = Omit<PaymentsOptions<never, never>, 'store'> & {
  readonly store?: Pick<Store<never>, 'hookStyle'>;
};

/** Everything that is wrong with the options, as far as it can be seen without a network. */
export function mistakesIn(options: AnyOptions | undefined): readonly Finding[] {
  const given = (options ?? {}) as AnyOptions;
  return everyMistake([
    () => readClientSettings(given.gateway),
    () => resolveWiring(given),
    () => createTokens(given.tokenSecrets),
    () => resolveEdgeSettings(given),
    () => resolveWatch(given),
    () => checkSecrets(given),
    () => {
      const { store, gateway } = given;
      checkStore('store', store !== undefined, gateway?.environment, process.env);
    },
    () => checkNames('', given, optionNames),
    () => checkNames('on.', given.on ?? {}, handlerNames),
    () => checkNames('health.', given.health ?? {}, healthNames),
    () => checkNames('cors.', given.cors ?? {}, corsNames),
    () => checkHealth(given.health ?? {}),
    () => checkHealthToken(given.health?.token),
    () => checkFunction('loadOrder', given.loadOrder),
    () => checkDataFields(given.dataFields),
    () => checkSwitch('recheckOrder', given.recheckOrder),
    () => ceilingOf(given.recurringCeiling),
    () => checkFunction('inTransaction', given.inTransaction ?? (() => undefined)),
    () => checkFunction('onError', given.onError ?? (() => undefined)),
    ...Object.entries(given.on ?? {}).map(([name, handler]) => () => {
      if (handler !== undefined) checkFunction(`on.${name}`, handler);
    }),
    () => checkMerchant(given.merchant),
    () => checkHook(given),
    () => checkHookTimeout(given.hookTimeoutMs),
  ]);
}

/**
 * Checks all options at start.
 *
 * @throws {@link ConfigurationError} with every mistake in them.
 */
export function checkOptions(options: AnyOptions): void {
  const [first, ...others] = mistakesIn(options);
  if (first !== undefined) throw new ConfigurationError(first.code, first, others);
}

function checkNames(prefix: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const setting = `${prefix}${unknown}`.slice(0, 60);
  throw invalidOption({
    setting,
    what: `There is no option ${setting}.`,
    why: 'A misspelt option would be left out without a word.',
    fix: `Leave it out, or use one of ${Object.keys(known).join(', ')}.`,
  });
}

function checkFunction(setting: string, given: unknown): void {
  if (typeof given === 'function') return;
  throw invalidOption({
    setting,
    what: `The option ${setting} must be a function.`,
    why: 'The kit calls it.',
    fix:
      setting === 'loadOrder'
        ? 'Give a function that finds an order by its id, or answers null.'
        : 'Give a function, or leave it out.',
  });
}

function checkMerchant(merchant: unknown): void {
  if (merchant === undefined || (typeof merchant === 'string' && merchant.trim() !== '')) return;
  throw invalidOption({
    setting: 'merchant',
    what: 'The option merchant must be a name.',
    why: 'A store is marked with the merchant whose payments it holds.',
    fix: 'Give a name that stays the same, or leave it out.',
  });
}

function checkHealth({ overdueMs = 1, unknownMs = 1, waiting = 1 }: HealthOptions): void {
  const isPositive = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;
  if (
    isPositive(overdueMs) &&
    isPositive(unknownMs) &&
    isPositive(waiting) &&
    waiting < MAX_COUNTED
  )
    return;
  throw invalidOption({
    setting: 'health',
    what: `The limits of health must be whole numbers of at least 1, and waiting below ${MAX_COUNTED}.`,
    why: 'Another limit would never be reached, or always.',
    fix: 'Give such numbers, or leave them out.',
  });
}

function checkHealthToken(token: unknown): void {
  if (token === undefined || isStrongEnough(token)) return;
  throw invalidOption({
    setting: 'health.token',
    what: `health.token must be a text of ${MIN_FOREIGN_BYTES} bytes or more of some variety.`,
    why: 'Anyone who guesses it reads how the shop’s payments do.',
    fix: `Make one with: ${MAKE_A_SECRET} — or leave it out.`,
  });
}

/** A text such as "false" would switch on what it should switch off. */
function checkSwitch(setting: string, given: unknown = true): void {
  if (typeof given === 'boolean') return;
  throw invalidOption({
    setting,
    what: `${setting} must be true or false.`,
    why: 'Another value would be taken for true.',
    fix: 'Give true or false, or leave it out.',
  });
}

/**
 * The option `recurringCeiling` in minor units; `undefined` where it is left out.
 *
 * @throws {@link ConfigurationError} `invalid_option`.
 */
export function ceilingOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const minorUnits = parseAmount(given) ?? 0;
  if (minorUnits > 0 && Number.isSafeInteger(minorUnits)) return minorUnits;
  throw invalidOption({
    setting: 'recurringCeiling',
    what: 'recurringCeiling must be a decimal string with two decimals, at least "0.01".',
    why: 'It bounds what one recurring charge may take.',
    fix: 'Give an amount such as "500.00", or leave it out for the amount of the order.',
  });
}

/** A synchronous store holds its only write lock while the hook runs, so the hook must not wait. */
function checkHook({ store, inTransaction }: AnyOptions): void {
  const isSync = (store?.hookStyle ?? 'sync') === 'sync';
  if (!isSync || inTransaction?.constructor.name !== 'AsyncFunction') return;
  throw new ConfigurationError('asynchronous_hook', {
    setting: 'inTransaction',
    what: 'inTransaction must be synchronous with this store.',
    why: 'The store holds its only write lock while it runs.',
    fix: 'Write with the given connection, without async and await, or use PostgreSQL.',
  });
}

/** Less than the minute that a lease lasts. */
const MAX_HOOK_TIMEOUT_MS = 50_000;

function checkHookTimeout(hookTimeoutMs: unknown = 1): void {
  const isWhole = Number.isSafeInteger(hookTimeoutMs);
  if (isWhole && Number(hookTimeoutMs) >= 1 && Number(hookTimeoutMs) <= MAX_HOOK_TIMEOUT_MS) return;
  throw new ConfigurationError('invalid_timeout', {
    setting: 'hookTimeoutMs',
    what: `hookTimeoutMs must be a whole number of milliseconds, 1 to ${MAX_HOOK_TIMEOUT_MS}.`,
    why: 'A commit whose work never ends would hold its order and a connection for ever.',
    fix: 'Give a number such as 10000, or leave it out.',
  });
}
