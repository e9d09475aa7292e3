import type { Request } from '../optional-peers.ts';

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
  /** How late the latest status check, or delivery of an event, may be, in milliseconds. @defaultValue `900_000` */
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
