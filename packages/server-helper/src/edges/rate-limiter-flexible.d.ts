// The package's index loads an adapter for every database there is; these two are what we need.
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import type { RateLimiterMemory } from 'rate-limiter-flexible';
  const limiter: typeof RateLimiterMemory;
  export default limiter;
}
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import type { RateLimiterStoreAbstract } from 'rate-limiter-flexible';
  const limiter: typeof RateLimiterStoreAbstract;
  export default limiter;
}
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  import type { RateLimiterRes } from 'rate-limiter-flexible';
  const result: typeof RateLimiterRes;
  export default result;
}
