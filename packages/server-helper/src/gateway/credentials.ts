import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { type CallContext, errorOfLogin } from './answer.ts';
import type { Caller, Credential, SendWith } from './call.ts';
import { GatewayError } from './gateway-error.ts';
import { filledText, foreseen, numberOr } from './fields.ts';
import { isRefusedCredential, refusedBy } from './meaning.ts';
import { type Operation, valueAt } from './operation.ts';
import type { Profile } from './profile.ts';
import type { PortalSettings } from './settings.ts';
import type { TransportAnswer } from './transport.ts';

/** Notes that a send was refused: a next one that never leaves does not make it unsent. */
function noteRefusal(context: CallContext): void {
  if (context.outcomeSoFar === 'not-sent') context.outcomeSoFar = 'rejected';
}

/** Stands for an API key, or an address, where neither itself must be: in the store. */
export const keyMark = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, 8);

/**
 * API keys, several while they rotate (§5). The one that worked last is tried first, but for a question about what
 * another one made: a session belongs to the account whose key made it, and some accounts show any session
 * without rows. What a key's account does not know, the others are asked about.
 */
export class ApiKeys implements Credential {
  readonly #keys: readonly string[];
  readonly #marks: readonly string[];
  #index = 0;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    this.#marks = keys.map(keyMark);
  }

  send(sendWith: SendWith, context: CallContext): Promise<TransportAnswer> {
    if (this.#keys.length > 1) return this.#inTurn(sendWith, context);
    context.answeredBy = this.#marks;
    return sendWith(this.#header(0));
  }

  #header(index: number): Readonly<Record<string, string>> {
    return { 'x-api-key': this.#keys[index] ?? '' };
  }

  async #inTurn(sendWith: SendWith, context: CallContext): Promise<TransportAnswer> {
    const own = this.#marks.findIndex((mark) => context.madeBy.includes(mark));
    const first = own === -1 ? this.#index : own;
    let unknown: TransportAnswer | undefined;
    const unknownTo: string[] = [];
    for (let offset = 0; ; offset += 1) {
      const index = (first + offset) % this.#keys.length;
      const mark = this.#marks[index] ?? '';
      const answer = await sendWith(this.#header(index));
      const isRefused = answer.status === 401;
      if (!isRefused && unknown === undefined && index !== own) this.#index = index;
      // A question about what another account may know.
      const isUnknown = context.operation.method === 'GET' && refusedBy(answer) !== undefined;
      if (isUnknown) {
        unknown ??= answer;
        unknownTo.push(mark);
      }
      context.answeredBy = isUnknown || isRefused ? unknownTo : [mark];
      if (!isUnknown && !isRefused) return answer;
      if (offset + 1 === this.#keys.length) return unknown ?? answer;
      if (isRefused) noteRefusal(context);
    }
  }
}

/** The portal's login (§5, assumption N16), which calls share. */
export const logIn = {
  method: 'POST',
  name: 'logIn',
  path: '/auth/login',
  credential: 'none',
  input: z.strictObject({ username: filledText, password: filledText }),
  envelope: 'bare',
  answer: z.looseObject({}),
  foreseen: z.object({
    accessToken: z.string(),
    access_token: z.string(),
    token: z.string(),
    tokenType: z.string(),
    refreshToken: z.string(),
    ...foreseen('expiresIn', 'expires_in'),
  }),
} as const satisfies Operation;

/** Spellings that circulate (assumption N16); the profile's own pointer takes their place. */
const usualTokens = ['/accessToken', '/access_token', '/token'];
const usualLifetimes = ['/expiresIn', '/expires_in'];

const headerText = z.string().regex(/^[\x21-\x7E]{1,8192}$/);

/** Less than a second counts as a mistake: it would mean a login for every call. */
const lifetime = numberOr(/^\d{1,15}(?:\.\d+)?$/).pipe(z.number().min(1));

/** The first value at one of the places that has a form. */
const firstAt = <T>(body: unknown, places: readonly string[], form: z.ZodType<T>): T | undefined =>
  places
    .map((place) => form.safeParse(valueAt(body, place)).data)
    .find((read) => read !== undefined);

interface LoginSettings {
  readonly portal: PortalSettings;
  /** Where the profile says that the login's answer holds its fields. */
  readonly places: Pick<Profile['login'], 'token' | 'expiresInSeconds'>;
  /** Sends the login; it is made after the credentials. */
  readonly caller: () => Pick<Caller, 'exchange'>;
  readonly clock: Clock;
  /** Gets a new token, from then on a secret of every call. */
  readonly onLogin: (token: string) => void;
  readonly logger: Logger;
}

/** How long before its end a token is replaced; at half its life if that is later. */
const RENEWAL_MS = 5_000;
/** After a refused password no login is tried for so long, and twice as long each time after. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/**
 * The portal's bearer token, shared by all calls. It is fetched when first needed, when it is about to
 * end, and once when a call finds it refused. Calls that wait share one login with its own deadline; a
 * call that gives up leaves the login to the others. A refused password is not tried again for a
 * while: the password stays the same until the shop starts anew, and a portal locks an account that guesses.
 */
export class PortalLogin implements Credential {
  readonly #settings: LoginSettings;
  #token: string | undefined;
  /** When to fetch another token; never when the portal did not say how long this one lives. */
  #renewAt = Infinity;
  #login: Promise<string | GatewayError> | undefined;
  /** How the portal refused the password last, when, and for how long that holds. */
  #refused: { error: GatewayError; at: number; pauseMs: number } | undefined;

  constructor(settings: LoginSettings) {
    this.#settings = settings;
  }

  async send(sendWith: SendWith, context: CallContext): Promise<TransportAnswer> {
    const first = await this.#tokenOtherThan(undefined, context);
    const answer = await sendWith({ authorization: `Bearer ${first}` });
    if (answer.status !== 401) return answer;
    noteRefusal(context);
    const second = await this.#tokenOtherThan(first, context);
    return sendWith({ authorization: `Bearer ${second}` });
  }

  /** Another call's login may already have replaced a token that was refused. */
  async #tokenOtherThan(refused: string | undefined, context: CallContext): Promise<string> {
    const isEnding = this.#settings.clock.now() >= this.#renewAt;
    if (isEnding || this.#token === refused) this.#token = undefined;
    if (this.#token !== undefined) return this.#token;
    const refusal = this.#refusal();
    if (refusal !== undefined) throw errorOfLogin(context, refusal);
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    const result = await unlessAborted(this.#login, context.limit.signal);
    if (typeof result !== 'string') throw errorOfLogin(context, result);
    return result;
  }

  /** The refusal, while it is too early to try again. A clock that jumps can only end the pause too early. */
  #refusal(): GatewayError | undefined {
    const { error, at = 0, pauseMs = 0 } = this.#refused ?? {};
    const passed = this.#settings.clock.now() - at;
    return passed >= 0 && passed < pauseMs ? error : undefined;
  }

  /** @returns the token, or why there is none: each call that waited makes its own error of that. */
  async #logIn(): Promise<string | GatewayError> {
    const { portal, caller, places, clock, logger } = this.#settings;
    const { username, password } = portal;
    const tokensAt = places.token === undefined ? usualTokens : [places.token];
    const lifetimesAt =
      places.expiresInSeconds === undefined ? usualLifetimes : [places.expiresInSeconds];
    const tokenIn = (body: object): string | undefined => firstAt(body, tokensAt, headerText);
    const where = places.token ?? 'a usual place';
    const refuse = (body: object): string | undefined =>
      tokenIn(body) === undefined
        ? `the answer holds no token at ${where} (gateway.profile: login.token)`
        : undefined;
    const call = { operation: logIn, body: { username, password }, secrets: [username, password] };
    try {
      const body = await caller().exchange(call, undefined, { refuse });
      const token = tokenIn(body) ?? '';
      const lifetimeMs = (firstAt(body, lifetimesAt, lifetime) ?? Infinity) * 1_000;
      this.#renewAt = clock.now() + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs / 2);
      this.#token = token;
      this.#refused = undefined;
      this.#settings.onLogin(token);
      logger.info({}, 'logged in to the gateway’s portal');
      return token;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (isRefusedCredential(error.code)) this.#remember(error);
      return error;
    }
  }

  #remember(error: GatewayError): void {
    const longer = Math.max(FIRST_PAUSE_MS, (this.#refused?.pauseMs ?? 0) * 2);
    const pauseMs = Math.min(MAX_PAUSE_MS, longer);
    this.#refused = { error, at: this.#settings.clock.now(), pauseMs };
    this.#settings.logger.error({}, 'the gateway’s portal refused the password');
  }
}

/** Waits for a shared promise until the caller gives up; the promise goes on for the others. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the signal's own reason
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
