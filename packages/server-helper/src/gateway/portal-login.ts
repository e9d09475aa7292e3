import type { Clock } from '../clock.ts';
import type { CallContext } from './answer-error.ts';
import type { PortalSettings } from './client-settings.ts';
import { noteRefusal, type Credential, type SendWith } from './credentials.ts';
import {
  errorOfLogin,
  logIn,
  type FailedLogin,
  type LoginDependencies,
  type PortalToken,
} from './login-request.ts';
import { isRefusedCredential } from './meaning.ts';
import type { TransportAnswer } from './transport.ts';

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/**
 * Remembers that the portal refused a password, for 5 seconds at first and twice as long each time
 * after, 5 minutes at most. The password stays the same until the shop starts anew, and a portal
 * locks an account that guesses. A clock that jumps can only end the pause too early.
 */
export class RefusedLogin<Refusal> {
  readonly #clock: Clock;
  #refusal: Refusal | undefined;
  #refusedAt = 0;
  #pauseMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The refusal, while it is too early to try again. */
  get current(): Refusal | undefined {
    const passed = this.#clock.now() - this.#refusedAt;
    return passed >= 0 && passed < this.#pauseMs ? this.#refusal : undefined;
  }

  remember(refusal: Refusal): void {
    this.#refusal = refusal;
    this.#refusedAt = this.#clock.now();
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
  }

  forget(): void {
    this.#refusal = undefined;
    this.#pauseMs = 0;
  }
}

/** Gets the results of logins. */
export interface LoginListener {
  /** A new token, from then on a secret of every call. */
  readonly onLogin: (token: string) => void;
  /** The portal refused the password. */
  readonly onRefusal: () => void;
}

/** How long before its end a token is replaced; at half its life if that is later. */
const RENEWAL_MS = 5_000;

/**
 * The portal's bearer token, shared by all calls. It is fetched when first needed, when it is about to
 * end, and once when a call finds it refused. Calls that wait share one login with its own deadline; a
 * call that gives up leaves the login to the others. A refused password is not tried again for a
 * while, so that many calls do not lock the account.
 */
export class PortalLogin implements Credential {
  readonly #settings: PortalSettings;
  readonly #dependencies: LoginDependencies;
  readonly #listener: LoginListener;
  readonly #refused: RefusedLogin<FailedLogin>;
  #token: string | undefined;
  /** When to fetch another token; `null` when the portal did not say how long this one lives. */
  #renewAt: number | null = null;
  #login: Promise<PortalToken | FailedLogin> | undefined;

  constructor(settings: PortalSettings, dependencies: LoginDependencies, listener: LoginListener) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#listener = listener;
    this.#refused = new RefusedLogin(dependencies.clock);
  }

  async send(
    sendWith: SendWith,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<TransportAnswer> {
    const first = await this.#tokenOtherThan(undefined, context, signal);
    const answer = await sendWith({ authorization: `Bearer ${first}` });
    if (answer.status !== 401) return answer;
    noteRefusal(context);
    const second = await this.#tokenOtherThan(first, context, signal);
    return sendWith({ authorization: `Bearer ${second}` });
  }

  /** Another call's login may already have replaced a token that was refused. */
  async #tokenOtherThan(
    refused: string | undefined,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<string> {
    const isEnding = this.#renewAt !== null && this.#dependencies.clock.now() >= this.#renewAt;
    if (isEnding || this.#token === refused) this.#token = undefined;
    return this.#token ?? this.#joinLogin(context, signal);
  }

  async #joinLogin(context: CallContext, signal: AbortSignal): Promise<string> {
    const refusal = this.#refused.current;
    if (refusal !== undefined) throw errorOfLogin(context, refusal);
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    const result = await unlessAborted(this.#login, signal);
    if ('meaning' in result) throw errorOfLogin(context, result);
    return result.token;
  }

  async #logIn(): Promise<PortalToken | FailedLogin> {
    const result = await logIn(this.#settings, this.#dependencies);
    if ('token' in result) this.#take(result);
    else if (isRefusedCredential(result.meaning.code)) {
      this.#refused.remember(result);
      this.#listener.onRefusal();
    }
    return result;
  }

  #take({ token, lifetimeMs }: PortalToken): void {
    const now = this.#dependencies.clock.now();
    const isLong = lifetimeMs !== null && lifetimeMs > 2 * RENEWAL_MS;
    this.#token = token;
    this.#renewAt =
      lifetimeMs === null ? null : now + (isLong ? lifetimeMs - RENEWAL_MS : lifetimeMs / 2);
    this.#refused.forget();
    this.#listener.onLogin(token);
  }
}

/** Waits for a shared promise until the caller gives up; the promise goes on for the others. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the signal's own reason
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
