import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { createHandle, type Handle, type HandleOptions } from './adapters/fetch.ts';
import { createRouter, type Router, type RouterOptions } from './adapters/node.ts';
import { type Clock, timeOf } from './clock.ts';
import { addressesOf, createTokens } from './edges/addresses.ts';
import { createEdge } from './edges/edge.ts';
import { payLinkOf } from './edges/shopper.ts';
import { throwFindings } from './errors.ts';
import { backgroundLoops, type Reports, type TickReport } from './flows/background/tick.ts';
import type { PaymentLinkView } from './flows/checkout/checkout.ts';
import { orderWarning } from './flows/checkout/load-order.ts';
import { UnknownLinks } from './flows/confirm/unknown-links.ts';
import type { FlowContext } from './flows/flow-context.ts';
import { moneyVerbs, type MoneyVerbs, type Run } from './flows/money/money-verbs.ts';
import { createRecurringTokens } from './flows/money/recurring-tokens.ts';
import { reviewVerbs, type ReviewVerbs } from './flows/money/review-verbs.ts';
import { PaymentFlows, readVerbs, type ReadVerbs } from './flows/payment-flows.ts';
import { reportingStore, type StoreTrouble } from './flows/store-opening.ts';
import type { PaymentView } from './flows/views.ts';
import { keyMark } from './gateway/credentials.ts';
import { type GatewayClient, openGateway } from './gateway/gateway-client.ts';
import { readProfile, withProfileRead } from './gateway/profile.ts';
import { carefulLogger, consoleLogger, errorReports, OnceAMinute, silentLogger } from './logger.ts';
import { parseAmount } from './money.ts';
import type { Request } from './optional-peers.ts';
import { mistakesIn } from './options/check-options.ts';
import { DEFAULT_FILE } from './options/environment.ts';
import type { PaymentsOptions } from './options/payments-options.ts';
import { resolveEdgeSettings, resolveWatch } from './options/settings.ts';
import { resolveWiring, type Wiring } from './options/wiring.ts';
import { keepParts } from './payments-parts.ts';
import { sqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';
import { watchGauges } from './telemetry.ts';

/** What `createPayments` makes. */
export interface Payments extends MoneyVerbs, ReadVerbs {
  /**
   * The middleware for Express and any other server on Node, before or after any body parser.
   *
   * @throws {@link ConfigurationError} `router_not_called` where it is mounted without brackets.
   */
  router(options?: RouterOptions): Router;
  /**
   * Answers a fetch-style request below `mountPath`, with the same routes: for Hono, a Next.js route
   * handler and the like. The body must not have been read.
   *
   * @throws {@link ConfigurationError} `not_a_request`.
   * @example
   * app.all('/pay/*', (context) => payments.handle(context.req.raw));
   */
  readonly handle: Handle;
  /** Starts the background work in this process. Elsewhere call {@link Payments.tick} from cron. */
  start(): void;
  /** Does the background work that is due, once. */
  tick(): Promise<TickReport>;
  /** Stops the background work, waits for work under way, and closes the store and the connections. */
  close(): Promise<void>;
  /**
   * Gives an order its payment link: the live one again, or a new one. Answers within 12 seconds; the
   * link that was late is recorded if it comes, and the next call gives it.
   *
   * @throws {@link PaymentsError} `order_not_found`, `invalid_order`, `already_paid`, `in_review`,
   * `order_cancelled`, `attempt_in_progress`, `too_many_attempts`, `gateway_timeout`, `not_confirmed` (an earlier link may
   * be paid, and the gateway does not say), `store_unavailable`.
   * @throws {@link ConfigurationError} `mount_mismatch` where `publicUrl` has a path that no proxy takes
   * off: the shopper who has paid would not come back to the shop.
   * @throws {@link GatewayError} The gateway refused or did not answer; no money moved.
   */
  ensureLink(orderId: string): Promise<PaymentLinkView>;
  /**
   * Asks the gateway about an order now, and records the answer.
   *
   * @returns the payment as verified, or `null` when the order never had one.
   * @throws {@link PaymentsError} `invalid_order`, `store_unavailable`.
   */
  confirm(orderId: string): Promise<PaymentView | null>;
  /**
   * Gives an order up, after asking the gateway once more. Money that arrives all the same becomes
   * `paid_late`: reported, not fulfilled.
   *
   * @param options - `by`: who gives it up, in 1 to 200 characters; the timeline names them.
   * @throws {@link PaymentsError} `already_paid` when the gateway says so, `not_confirmed` when it says
   * nothing, `attempt_in_progress`, `order_not_found`, `invalid_operation` for a wrong name, `store_unavailable`.
   */
  cancel(orderId: string, options?: { readonly by?: string | undefined }): Promise<PaymentView>;
  /** The review list: payments that need a person's decision. */
  readonly review: ReviewVerbs;
  /**
   * The stable address of an order to send by e-mail, in a message or as a QR code. A person who opens
   * it is sent to the order's payment link, which is made when it is needed, or to `pages.success` once
   * the order is paid. `loadOrder` is asked without a request: who has the address may pay the order.
   * The address is the same at each call and valid as long as the secret that signed it, the first of
   * `tokenSecrets` at the time, is one of them.
   *
   * @throws {@link PaymentsError} `invalid_order`.
   * @throws {@link ConfigurationError} `link_route_off`.
   * @example
   * await sendMail(customer.email, `Pay your order: ${payments.payLink('1001')}`);
   */
  payLink(orderId: string): string;
  /**
   * A status address for `<pay-status src>`, with a token of its own; 404 until there is a payment.
   * Who has it sees the order's state and amount, so check first whose order it is.
   */
  statusUrl(orderId: string): string;
  /** The raw client of the gateway. */
  readonly gateway: GatewayClient;
}

/** `Yes` where one of two types is a kind of the other. */
type Fits<One, Other, Yes, No> = [One] extends [Other] ? Yes : [Other] extends [One] ? Yes : No;

/**
 * The payments of a `loadOrder` that takes `Asking`. Where that is no request of Node's, `router()` does
 * not compile; nor does `handle` without the `context`, where that is no fetch-style request either.
 */
export type PaymentsOf<Asking> = Fits<Asking, IncomingMessage, Payments, FetchPayments<Asking>>;

type FetchPayments<Asking> = Omit<Payments, 'router' | 'handle'> & {
  router(this: 'router() gives loadOrder a request of Node: type it as IncomingMessage'): Router;
  handle(request: globalThis.Request, ...options: HandleWith<Asking>): Promise<Response>;
};

type HandleWith<Asking> = Fits<
  Asking,
  globalThis.Request,
  [options?: HandleOptions],
  [options: HandleOptions & { readonly context: Asking }]
>;

/**
 * Puts the kit together: options in, a router and a few verbs out. Nothing is global; several
 * merchants in one process are several calls.
 *
 * @throws {@link ConfigurationError} with every wiring mistake that can be seen at start; each of
 * its `findings` says what, why and how to mend it.
 * @example
 * const payments = createPayments({ gateway, publicUrl, tokenSecrets, loadOrder, pages });
 * app.use('/pay', payments.router());
 * payments.start();
 */
export function createPayments<Tx = unknown, Asking = Request>(
  given: PaymentsOptions<Tx, Asking>,
): PaymentsOf<Asking> {
  const options = withProfileRead(given);
  throwFindings(mistakesIn(options));
  const { tokenSecrets, health: limits = {}, merchant = 'default', webhookSecrets } = options;
  // The first encrypts what is stored, and all decrypt.
  const secrets = [...(options.encryptionKeys ?? []), ...tokenSecrets];
  const wiring = resolveWiring(options);
  const { publicOrigin, publicMount } = wiring;
  const tokens = createTokens(tokenSecrets);
  const recurringTokens = createRecurringTokens(secrets);
  const { clock, ...time } = timeOf(options);
  const reports = reportsOf(options, clock);
  const { logger } = reports;
  const profile = readProfile(options.gateway.profile);
  const { gateway, drift } = openGateway({ clock: options.clock, logger, ...options.gateway });
  const unknownLinks = new UnknownLinks();
  const trouble: StoreTrouble = { reason: null };
  const flows = new PaymentFlows<Tx>({
    gateway,
    readings: { ...profile.status, ...profile.session, areHintsSigned: !!webhookSecrets },
    unknownLinks,
    store: storeOf(options, reports, trouble, secrets),
    scope: `${options.gateway.environment}/${merchant}`,
    shopMarks: [options.gateway.apiKey, publicOrigin + publicMount].flat().map(keyMark),
    clock,
    ...time,
    ...reports,
    ...merchantPartsOf(options),
    recurringTokens,
    warnOfOrder: orderWarning(reports.notices, reports.once),
    addresses: addressesOf(wiring, tokens),
  });
  const settings = resolveEdgeSettings(options, profile);
  const health = { limits, clock, gateway, flows, recurringTokens, unknownLinks, trouble };
  const parts = { flows, wiring, settings, health };
  const edge = createEdge({ ...reports, ...parts, tokens, tokenSecrets, drift });
  const stopGauges = watchGauges({ merchant, clock, flows, gateway });
  const background = backgroundLoops(flows, clock, reports);
  const close = async (): Promise<void> => {
    stopGauges();
    background.stop(); // Starts no more work; the flows wait for work under way, with a limit.
    await flows.close();
    await gateway.close();
  };
  const payments: Payments = {
    gateway,
    router: (asked) => createRouter(edge, wiring, settings, logger, asked),
    handle: createHandle(edge, wiring.mountPath, settings, logger),
    start: () => (tellOfStart(reports, options, wiring), background.start()),
    close,
    ensureLink: (orderId) => edge.checkLinks().then(() => flows.ensureLink(orderId)),
    payLink: (orderId) => payLinkOf(wiring, tokens, orderId),
    ...verbsOf(flows),
  };
  keepParts(payments, { ...parts, options, reports, clock });
  return payments;
}

/** Says what a developer wants to see first, and warns of what few shops mean. */
function tellOfStart<Tx, Asking>(
  { logger, notices }: Reports,
  { gateway, inTransaction, on }: PaymentsOptions<Tx, Asking>,
  { publicOrigin, publicMount, publicUrl, shopPath, mountPath }: Wiring,
): void {
  const line = `payments have started: routes at ${publicOrigin}${publicMount}, gateway ${gateway.baseUrl} (${gateway.environment}), background work in this process`;
  logger.info({}, line);
  const unheard =
    'a paid order stays unnoticed here: give on.paid or inTransaction, unless another process has them or your code asks retrieve()';
  if (inTransaction === undefined && on?.paid === undefined) notices.warn({}, unheard);
  const below = `pages are below ${publicUrl}, where the routes are: unless the whole shop is there, leave ${mountPath} off publicUrl (PUBLIC_URL)`;
  if (mountPath !== '' && shopPath === mountPath) notices.warn({}, below);
}

function verbsOf<Tx>(flows: PaymentFlows<Tx>) {
  const run: Run<Tx> = (work) => flows.run(work);
  return {
    tick: () => flows.tick(),
    confirm: (orderId) => flows.confirm(orderId),
    cancel: (orderId, who) => flows.cancel(orderId, who),
    statusUrl: (orderId) => flows.statusUrl(orderId),
    ...readVerbs(run),
    review: reviewVerbs(run),
    ...moneyVerbs(run),
  } satisfies Partial<Payments>;
}

/** The ways to the merchant; without a logger, what must be known goes to the console. */
function reportsOf<Tx, Asking>(options: PaymentsOptions<Tx, Asking>, clock: Clock): Reports {
  const given = options.logger === console ? consoleLogger : options.logger;
  const logger = carefulLogger(given ?? silentLogger);
  const notices = given === undefined ? consoleLogger : logger;
  const once = new OnceAMinute(() => clock.now());
  return { logger, notices, once, reportError: errorReports(options.onError, once) };
}

function merchantPartsOf<Tx, Asking>(options: PaymentsOptions<Tx, Asking>) {
  const { recheckOrder, inTransaction, hookTimeoutMs, on = {}, random = Math.random } = options;
  return {
    // Each adapter gives what its framework has; the option's type says which that is.
    loadOrder: options.loadOrder as FlowContext<Tx>['loadOrder'],
    recheckOrder,
    recurringCeiling: parseAmount(options.recurringCeiling),
    inTransaction,
    hookTimeoutMs,
    on,
    random,
    watch: resolveWatch(options),
    isProduction: options.gateway.environment === 'production',
  };
}

/** The shop's store, whose failures are reported: on the console where the shop has no logger. */
function storeOf<Tx, Asking>(
  { store, gateway }: PaymentsOptions<Tx, Asking>,
  { notices, once }: Reports,
  trouble: StoreTrouble,
  secrets: readonly string[],
): Store<Tx> {
  const usual = (): Store<Tx> => {
    const words = `payments are stored in ${resolve(DEFAULT_FILE)}: neither DATABASE_URL nor the option store says where`;
    notices.warn({ code: 'missing_store' }, words);
    return sqliteStore({ file: DEFAULT_FILE }) as Store<unknown> as Store<Tx>;
  };
  return reportingStore(store ?? usual(), {
    logger: notices,
    once,
    trouble,
    secrets: [...secrets, ...[gateway.apiKey].flat()],
  });
}
