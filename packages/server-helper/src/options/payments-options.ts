import type { Request } from '../optional-peers.ts';
import type { Clock } from '../clock.ts';
import type { GatewayClientOptions } from '../gateway/gateway-client.ts';
import type { ErrorHandler, Logger } from '../logger.ts';
import type { Amount } from '../money.ts';
import type { PaymentEventOf, PaymentEventType } from '../payments/record.ts';
import type { CommitHook, Store } from '../stores/store.ts';

/** A merchant's order, as `loadOrder` answers it. The price comes from here and from nowhere else. */
export interface Order {
  readonly orderId: string;
  /**
   * The price: a decimal string with two decimals such as `"115.00"`, or whole minor units (halalas,
   * cents) such as `{ minorUnits: 11500 }`. At least one minor unit. A number is refused with
   * `invalid_order`.
   */
  readonly amount: Amount;
  /**
   * ISO 4217 alphabetic code.
   * @defaultValue `"SAR"` (§4.1)
   */
  readonly currency?: string;
  readonly customer: {
    readonly name?: string | null;
    readonly email?: string | null;
    /** Saudi mobile in any usual form, or a foreign number of 8 to 15 digits (§4.1). */
    readonly phone: string;
  };
  /**
   * Parameters for the hosted page's address, such as `{ lang: 'ar' }`, which the sandbox takes. The
   * specification names none (§2.1): give another gateway only what it documents. A parameter that the
   * gateway set stays as it is, and the link is stored without yours.
   * @defaultValue none
   */
  readonly pageQuery?: Readonly<Record<string, string>>;
}

/**
 * What a checkout brought beside the order's id: the fields that {@link PaymentsOptions.dataFields}
 * names, from the element's `data` or from a form. Text from a browser, so check each field.
 */
export type CheckoutData = Readonly<Record<string, unknown>>;

/**
 * Where the shopper is sent after the return: paths below `publicUrl`, or addresses of its origin or of
 * one in `cors.origins`. `:orderId` is replaced by the order's id.
 */
export interface Pages {
  /** The gateway confirmed the payment. */
  readonly success: string;
  /** The outcome is not known yet, or a person must decide: a page with `<pay-status>`. */
  readonly pending: string;
  /** Declined or expired: a page that offers to try again. */
  readonly failure: string;
}

/** Handles the events of one type. */
type Handler<Type extends PaymentEventType> = (event: PaymentEventOf<Type>) => void | Promise<void>;

/**
 * Handlers of what happened: called at least once each, so they compare `event.id` with what they did.
 * {@link EventFields} has what each event holds.
 */
export interface EventHandlers {
  /** The shop has the order's money: ship. `transactionId` is what a refund names. */
  readonly paid?: Handler<'paid'>;
  /** The card was declined; the shopper may try again. */
  readonly failed?: Handler<'failed'>;
  /** The link has ended without money. */
  readonly expired?: Handler<'expired'>;
  /** Money came for an order that was cancelled or had expired with its link: refund it, or ship all the same. */
  readonly paidLate?: Handler<'paidLate'>;
  /** The order was paid a second time: refund `transactionId`, which is the second. */
  readonly duplicateCharge?: Handler<'duplicateCharge'>;
  /** A person must decide: `reason` says why, and the review list has the rest. */
  readonly review?: Handler<'review'>;
  /** Money went back; `refunded` is the sum so far. */
  readonly refunded?: Handler<'refunded'>;
  /** The card's issuer holds the money: capture it, then ship. */
  readonly authorized?: Handler<'authorized'>;
  /** Held money was taken: ship. */
  readonly captured?: Handler<'captured'>;
  /** Held money was let go. */
  readonly voided?: Handler<'voided'>;
  /** A recurring charge took `amount`. */
  readonly charged?: Handler<'charged'>;
}

/**
 * Options of `createPayments`.
 *
 * @typeParam Tx - The transaction that the store gives to `inTransaction`.
 * @typeParam Asking - What `loadOrder` is given: Express's request through `payments.router()`;
 * through `payments.handle(request)` the fetch-style request, or the `context` it was handed.
 */
export interface PaymentsOptions<Tx, Asking = Request> {
  /** The gateway, its environment and keys. */
  readonly gateway: GatewayClientOptions;
  /**
   * The merchant of these payments, when several merchants run side by side. A store written for
   * another merchant or environment is refused, since the same order id is another order there, and
   * so is in production a shop of which no API key and no address is known to the store.
   * @defaultValue `"default"`
   */
  readonly merchant?: string;
  /**
   * The shop's own address as shoppers see it; https in production. The Host header is never used. A
   * shop below a path names it, whether or not a proxy takes the path off: `https://shop.example/shop`.
   */
  readonly publicUrl: string;
  /**
   * Where the router is mounted, as in `app.use('/pay', payments.router())`; with or without the path
   * of `publicUrl` before it.
   * @defaultValue `"/pay"`
   */
  readonly mountPath?: string;
  /** Secrets of the addresses we hand out, 32 characters or more each; the first signs, all verify. */
  readonly tokenSecrets: readonly string[];
  /**
   * Secrets that encrypt recurring tokens where payments are stored, 32 characters or more each; the
   * first encrypts, all decrypt. Without them the first of `tokenSecrets` encrypts. All of
   * `tokenSecrets` decrypt in either case. A token that no secret decrypts charges nothing, so a
   * former secret stays in a list until no order's token needs it.
   * @defaultValue none
   */
  readonly encryptionKeys?: readonly string[];
  /**
   * Where payments are stored. It must be given in production: where `NODE_ENV` or the gateway's
   * environment says so.
   * @defaultValue `sqliteStore({ file: '.data/payments.db' })`
   */
  readonly store?: Store<Tx>;
  /**
   * Finds an order. Answer `null` when there is none, or when it does not belong to the sender of the
   * request; the shopper then gets a 404. `undefined` counts as `null` and is warned of. `request` is
   * the framework's own (its type is taken from how you write it), and absent where no shopper asks:
   * answer the order itself then.
   *
   * It is asked again, without a request, when the gateway's answer would make an order paid or
   * authorized. Where the price or the currency changed, or it answers `null`, nothing is shipped and
   * a person must review the payment (`order_changed`, `order_missing`). Where it throws, or takes
   * longer than `hookTimeoutMs`, nothing is recorded, and the gateway is asked again.
   *
   * `data` is what the checkout brought ({@link PaymentsOptions.dataFields}): a note, a delivery slot,
   * never a price. Store it here if you need it. Wherever the order is asked for again (money was
   * found, the shop's own code asks, the order is cancelled) there is no request and `data` is `{}`,
   * so a price that depends on it would be another price then, and the payment a matter for review.
   */
  readonly loadOrder: (
    orderId: string,
    request: Asking | undefined,
    data: CheckoutData,
  ) => Order | null | undefined | Promise<Order | null | undefined>;
  /**
   * The fields that a checkout may bring beside `orderId`, for {@link PaymentsOptions.loadOrder}: those
   * of the element's `data`, or of a form. A checkout with any other field is refused with
   * `invalid_body`, as is one whose fields have more than 4 KiB together or are nested more than 4
   * deep. `amount`, `currency` and `customer` cannot be named.
   * @defaultValue none
   */
  readonly dataFields?: readonly string[];
  /**
   * Whether {@link PaymentsOptions.loadOrder} is asked for the price again when money was found. A
   * shop whose prices never change after checkout may save the call.
   * @defaultValue `true`
   */
  readonly recheckOrder?: boolean;
  /**
   * The most that one recurring charge may take, in the order's currency: a decimal string with two
   * decimals. `payments.chargeRecurring` refuses more with `amount_too_large`, and sends nothing.
   * @defaultValue the order's amount
   */
  readonly recurringCeiling?: string;
  /**
   * The merchant's SQL inside the commit that records the event: exactly once, in the same
   * database. If it throws, the payment is not recorded and is tried again; the exception is given to
   * {@link PaymentsOptions.onError}, and the call that met it rejects with `hook_failed` and that
   * `cause`. When
   * PostgreSQL rolled the commit back because of others, it is called again in another transaction.
   */
  readonly inTransaction?: CommitHook<Tx>;
  /**
   * How long {@link PaymentsOptions.inTransaction} and {@link PaymentsOptions.loadOrder} may take, in milliseconds,
   * 1 to 50,000; then they count as if they had thrown. A synchronous store (SQLite) cannot interrupt its hook.
   * @defaultValue `10_000`
   */
  readonly hookTimeoutMs?: number;
  /**
   * Handlers called at least once per event, with back-off: for ten orders at once in a process, for
   * one order's events one after the other, in the order of what happened. Events of a type without
   * a handler are left to the processes on the same store that have one.
   */
  readonly on?: EventHandlers;
  /**
   * Gets every exception of the merchant's own code as it was thrown, with its place: `loadOrder`,
   * `inTransaction`, `on.paid` and the other handlers, `limits.shopperKey`; and, once a minute and kind,
   * what the kit's own work met and did not expect: `background`, `request`. A shopper learns nothing of
   * it. Where `onError` itself fails, both errors are written to the console.
   *
   * @defaultValue one `console.error` with the place, the order and the stack
   * @example
   * onError: (error, { where, orderId }) => monitor.captureException(error, { where, orderId })
   */
  readonly onError?: ErrorHandler;
  /** The pages of the shop for a returning shopper. */
  readonly pages: Pages;
  /**
   * Front ends of other origins than `publicUrl`.
   * @defaultValue none: pages of other origins get no answer that they can read
   */
  readonly cors?: CorsOptions;
  /** @defaultValue every route under its usual name */
  readonly routes?: Routes;
  /**
   * How long a sender may take for a request's body, in milliseconds; then 408.
   * @defaultValue `10_000`
   */
  readonly bodyTimeoutMs?: number;
  /**
   * Times after a payment at which the order's session is checked again without a hint, in
   * milliseconds, ascending: for refunds on the dashboard, second charges and reversals of which no
   * webhook tells. `[]` for none; a hint about such an order is followed in any case.
   * @defaultValue after 1 hour and after 1, 3, 7 and 14 days
   */
  readonly afterPayment?: readonly number[];
  /**
   * Status checks a second that all processes on the store make without a shopper who waits: for
   * webhooks, for young links and for old links. Returns and polls of shoppers are not counted.
   * @defaultValue `20`
   */
  readonly checksPerSecond?: number;
  /**
   * How many of {@link PaymentsOptions.checksPerSecond} are for links that no shopper waits for any
   * more: those of abandoned orders, and those that are late after an outage of the gateway.
   * @defaultValue a quarter of `checksPerSecond`
   */
  readonly oldChecksPerSecond?: number;
  /** What `GET /health` calls `degraded`, and who is given the details. */
  readonly health?: HealthOptions;
  /**
   * Secrets of the gateway's webhook signatures, of 16 bytes or more each; each is tried, so that
   * one can be replaced. With them, a webhook whose signature matches none gets a 401.
   * @defaultValue none: webhooks are taken unsigned, as the hints that they are
   */
  readonly webhookSecrets?: readonly string[];
  /**
   * The header of the signature (assumption N14), before the profile's `webhook.signature.header`.
   * @defaultValue the profile's, which is `"X-Signature"` unless it says otherwise
   */
  readonly webhookSignatureHeader?: string;
  /**
   * How many requests one address or order may send; `false` for no limits at all. Behind a proxy,
   * set Express's `trust proxy`, or hand `payments.handle` the `address`.
   * @defaultValue the defaults of {@link Limits}
   */
  readonly limits?: Limits<Asking> | false;
  /**
   * Whether a process that cannot answer all that arrives refuses status polls, and then checkouts,
   * with 503 `overloaded` and `Retry-After`. Webhooks and returns are always taken.
   * @defaultValue `true`
   */
  readonly shedLoad?: boolean;
  /**
   * The destination of log lines; shaped like pino.
   * @defaultValue silent, but for what is written to the console once a minute and kind: a store
   * that fails, an order of `loadOrder`'s that cannot be paid, and a gateway that gives no payment
   * link. Exceptions go to
   * {@link PaymentsOptions.onError}, with a logger too.
   */
  readonly logger?: Logger;
  /** @defaultValue the machine's clock */
  readonly clock?: Clock;
  /** Numbers in [0, 1), for jitter only. @defaultValue `Math.random` */
  readonly random?: () => number;
}

/** Paths below the mount; `false` leaves a route out, but for the return, which the gateway needs. */
export interface Routes {
  /** @defaultValue `"/checkout"` */
  readonly checkout?: string | false;
  /** The addresses of `payments.payLink`. @defaultValue `"/link"` */
  readonly link?: string | false;
  /** @defaultValue `"/return"` */
  readonly return?: string;
  /** @defaultValue `"/status"` */
  readonly status?: string | false;
  /** @defaultValue `"/webhook"` */
  readonly webhook?: string | false;
  /** @defaultValue `"/health"` */
  readonly health?: string | false;
  /** @defaultValue `/live` below the health route, and left out where that is */
  readonly live?: string | false;
  /** @defaultValue `/ready` below the health route, and left out where that is */
  readonly ready?: string | false;
}

/** Front ends of other origins, which may start payments and read their state. */
export interface CorsOptions {
  /**
   * Exact origins, such as `https://www.shop.example`; https in production. Their pages may ask the
   * checkout and the status route with the shopper's cookies, and `pages` may be there. Once there is
   * a list, the checkout takes requests from these origins and the shop's own, and no longer from
   * others of the same site.
   */
  readonly origins: readonly string[];
}

/** What `GET /health` calls `degraded`, and who is given the details; see `docs/operations.md`. */
export interface HealthOptions {
  /** How late the latest status check, or event, may be, in milliseconds. @defaultValue `900_000`; events `300_000` */
  readonly overdueMs?: number;
  /** How long a money operation's outcome may be unknown, in milliseconds. @defaultValue `86_400_000` */
  readonly unknownMs?: number;
  /** How many status checks, or events, may wait; 1 to 999. @defaultValue `500` */
  readonly waiting?: number;
  /**
   * Whether `degraded` answers 503 instead of 200. For a monitor; a load balancer would take away
   * processes that can still record payments.
   * @defaultValue `false`
   */
  readonly failsWhenDegraded?: boolean;
  /**
   * Who sends it as `Authorization: Bearer …` is given the details, as this machine is; anyone else
   * learns the status and its word. 16 bytes or more.
   * @defaultValue none: details for this machine alone
   */
  readonly token?: string;
}

/**
 * Requests a minute; `false` for no limit. The first tenth of each is counted by every process for
 * itself, the rest in the store by all together. This machine's own address is never counted.
 *
 * @typeParam Asking - The request of {@link Limits.shopperKey}: what `loadOrder` is given.
 */
export interface Limits<Asking = Request> {
  /** @defaultValue `600` */
  readonly checkoutsPerAddress?: number | false;
  /** Counted once the order is known to be the shopper's. @defaultValue `60` */
  readonly checkoutsPerOrder?: number | false;
  /** @defaultValue `12_000` */
  readonly pollsPerAddress?: number | false;
  /** Counted once the token is known to be ours. @defaultValue `240` */
  readonly pollsPerOrder?: number | false;
  /**
   * Names the shopper of a request, such as the id of a session or an account: a text of the shop's
   * own making, not one that the sender may choose anew. `undefined` for a shopper without a name.
   * @defaultValue none: shoppers are counted by address alone
   */
  readonly shopperKey?: (request: Asking) => string | null | undefined;
  /** Counted where {@link Limits.shopperKey} names the shopper. @defaultValue `60` */
  readonly checkoutsPerShopper?: number | false;
  /**
   * Returns beyond the limit are sent to `pages.pending` and ask nobody; the background checks find
   * their payments.
   * @defaultValue `1_200`
   */
  readonly returnsPerAddress?: number | false;
  /**
   * The gateway may send all from one address; it repeats what was refused (N15), and the background
   * checks find what was lost. A shop of more than 200 notifications a second raises it.
   * @defaultValue `12_000`
   */
  readonly webhooksPerAddress?: number | false;
  /** @defaultValue `6_000` */
  readonly healthPerAddress?: number | false;
}
