// The package's index loads an adapter for every database there is, so that the three modules which
// we need are imported by their paths. Types it brings for its index only.
// @ts-expect-error No types at this path.
import UntypedMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
// @ts-expect-error No types at this path.
import UntypedResult from 'rate-limiter-flexible/lib/RateLimiterRes.js';
// @ts-expect-error No types at this path.
import UntypedStore from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type * as Flexible from 'rate-limiter-flexible';

/** Counts in this process. */
export const RateLimiterMemory = UntypedMemory as typeof Flexible.RateLimiterMemory;

/** Counts in a store of one's own. */
export const RateLimiterStore = UntypedStore as typeof Flexible.RateLimiterStoreAbstract;

/** What a counter says, as a value or as a rejection. */
export const RateLimiterResult = UntypedResult as typeof Flexible.RateLimiterRes;

/** What a counter says. */
export type RateLimiterResult = Flexible.RateLimiterRes;
