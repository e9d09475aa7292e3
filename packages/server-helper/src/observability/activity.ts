import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Why the gateway is asked: what a hint came from, the `watch` without any, or the merchant's own `call`. */
export type Trigger = 'checkout' | 'return' | 'status' | 'webhook' | 'watch' | 'call';

/** What is under way, so that whatever it leads to can be told to belong to it. */
export interface Activity {
  /** Of the HTTP request; absent where none caused it. */
  readonly requestId?: string | undefined;
  readonly trigger: Trigger;
}

const storage = new AsyncLocalStorage<Activity>();

/** What is under way here; `undefined` where nobody said. */
export const currentActivity = (): Activity | undefined => storage.getStore();

/** Does work as part of an activity. */
export const withActivity = <T>(activity: Activity, work: () => T): T =>
  storage.run(activity, work);

/** Text that can stand in a header and a log line without meaning anything else there. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$/;

/** The sender's id of a request when it is a safe token, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && SAFE_ID.test(given) ? given : randomUUID();
