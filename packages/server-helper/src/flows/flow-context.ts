import type { PaymentsError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { MerchantOrderId } from '../ids.ts';
import type { MoneyMoveMethods } from '../gateway/money-moves.ts';
import type { PaymentLinkMethods } from '../gateway/payment-links.ts';
import type { SaleMethods } from '../gateway/sale.ts';
import type { AskingGateway, StatusReadings } from './confirm/ask.ts';
import type { Logger, OnceAMinute, ReportError } from '../logger.ts';
import type { CheckoutData, EventHandlers, Order } from '../options/payments-options.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type { WatchSettings } from '../payments/watch.ts';
import type { UnknownLinks } from './confirm/unknown-links.ts';
import type { SingleFlight } from './waiting.ts';
import type { RecurringTokens } from './money/recurring-tokens.ts';
import type { CommitHook, Store } from '../stores/store.ts';

/** Reports an order of `loadOrder`'s that cannot be paid, or that there is none; `words` say the fix. */
export type WarnOfOrder = (orderId: string, error: PaymentsError, words?: string) => void;

/** What flows work with: gateway, store, clock, randomness, the merchant's own functions. */
export interface FlowContext<Tx> {
  readonly gateway: AskingGateway & Readonly<PaymentLinkMethods & MoneyMoveMethods & SaleMethods>;
  /** @defaultValue by sessions, a 404 or an end says nothing, and a page takes cards after a failed one */
  readonly readings?: StatusReadings | undefined;
  /** Absent where no link is asked about by several keys, and health is not asked. */
  readonly unknownLinks?: UnknownLinks | undefined;
  /** Whether the gateway's money is real. @defaultValue `false` */
  readonly isProduction?: boolean | undefined;
  readonly store: Store<Tx>;
  /** Whose payments these are; a store of another scope is refused. */
  readonly scope: string;
  /** Of the API keys and the routes' address; absent where only a person works with the store. */
  readonly shopMarks?: readonly string[] | undefined;
  readonly clock: Clock;
  /** Moves the clock to the database's; absent where the clock is not the machine's. */
  readonly alignClock?: ((offsetMs: number) => void) | undefined;
  readonly random: () => number;
  readonly logger: Logger;
  /** Keeps what others repeat from filling the log. */
  readonly once?: OnceAMinute | undefined;
  /** Where the shop reads what it must know; absent where nothing is told. */
  readonly notices?: Pick<Logger, 'warn'> | undefined;
  /** The merchant's function. The framework determines the type of the request. */
  readonly loadOrder: (
    orderId: string,
    request: unknown,
    data: CheckoutData,
  ) => Order | null | undefined | Promise<Order | null | undefined>;
  /** Absent where no order of a merchant's is loaded. */
  readonly warnOfOrder?: WarnOfOrder | undefined;
  /** Whether `loadOrder` is asked for the price again when money was found. @defaultValue `true` */
  readonly recheckOrder?: boolean | undefined;
  /** Encrypts the tokens in the records. */
  readonly recurringTokens: RecurringTokens;
  /** The most that one recurring charge may take, in minor units; absent: the order's amount. */
  readonly recurringCeiling?: number | undefined;
  readonly inTransaction: CommitHook<Tx> | undefined;
  /** How long `inTransaction`, and `loadOrder` without a shopper, may take, in milliseconds. */
  readonly hookTimeoutMs?: number | undefined;
  /** Reports an exception to the merchant. */
  readonly reportError?: ReportError | undefined;
  readonly on: EventHandlers;
  /** How paid orders are watched, and how fast. @defaultValue `usualWatch` */
  readonly watch?: WatchSettings | undefined;
  readonly addresses: Addresses;
  /** The hints that this process is storing; absent where few come. */
  readonly hints?: SingleFlight<StoredHint> | undefined;
}

/** The hint about an attempt that was stored last. */
export interface StoredHint {
  /** Whether the attempt takes hints. */
  readonly isTaken: boolean;
  /** The order's record then. */
  readonly record: PaymentRecord | null;
  readonly at: number;
}

/** The addresses that we hand out, with tokens that cannot be guessed. */
export interface Addresses {
  /** New ones of a link or a sale, with one token: which of them is called proves nothing. */
  returnUrls(name: MerchantOrderId): { readonly successUrl: string; readonly failureUrl: string };
  /** Where `<pay-status>` asks; `null` when the status route is left out. */
  statusUrl(orderId: string, seed?: string): string | null;
}
