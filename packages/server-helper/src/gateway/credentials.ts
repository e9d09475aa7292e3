import { createHash } from 'node:crypto';
import { type CallContext, errorOf } from './answer-error.ts';
import { type Transport, type TransportAnswer, TransportError } from './transport.ts';
import type { Clock } from '../clock.ts';
import type { PortalSettings } from './client-settings.ts';
import {
  isRefusedCredential,
  type Meaning,
  meaningOfErrorCode,
  meaningOfFault,
  meaningOfStatus,
  refusesQuestion,
  unreadableBecause,
} from './meaning.ts';
import { z } from 'zod';
import { traceOf } from './diagnostics.ts';
import type { DriftCounter } from './drift.ts';
import { openEnvelope, parseJson } from './envelope.ts';
import type { GatewayError } from './gateway-error.ts';
import type { Profile } from './profile.ts';
import { translateFields, valueAt } from './translation.ts';

/** Sends one request of a call with the given headers added. */
export type SendWith = (headers: Readonly<Record<string, string>>) => Promise<TransportAnswer>;

/**
 * A credential that opens operations. It sends a call's request, and once more where a 401 may be
 * followed by a better answer: a 401 says that nothing was done, so that any method may go again.
 */
export interface Credential {
  send(sendWith: SendWith, context: CallContext, signal: AbortSignal): Promise<TransportAnswer>;
}

/** Notes that a send was refused: a next one that never leaves does not make it unsent. */
export function noteRefusal(context: CallContext): void {
  if (context.outcomeSoFar === 'not-sent') context.outcomeSoFar = 'rejected';
}

/** Stands for an API key where the key itself must not be: in an order's document. */
const keyMark = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, 8);

/** The calls that ask about a session or a transaction, which another key's account may know. */
const questions: ReadonlySet<string> = new Set(['retrieveStatus', 'pollStatus']);

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
      const isUnknown = this.#isUnknown(answer, context);
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

  /** Whether a key's account knows nothing of what it was asked about: another account may. */
  #isUnknown({ status, body }: TransportAnswer, { operation }: CallContext): boolean {
    return questions.has(operation) && refusesQuestion({ status, body: parseJson(body) });
  }
}

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

/** Where a login is sent, and how. */
export interface LoginDependencies {
  readonly transport: Transport;
  readonly basePath: string;
  readonly profile: Profile['login'];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly drift: DriftCounter;
}

/** A login that gave no token; each call that waited for it makes its own error of it. */
export interface FailedLogin {
  readonly meaning: Meaning;
  readonly answer?: TransportAnswer;
}

/** A login that gave a token. */
export interface PortalToken {
  readonly token: string;
  /** How long it lives from now on; `null` when the portal does not say. */
  readonly lifetimeMs: number | null;
}

/** Spellings that circulate (assumption N16); the profile's own pointer takes their place. */
const usualTokens = ['/accessToken', '/access_token', '/token'];
const usualLifetimes = ['/expiresIn', '/expires_in'];

const headerText = z.string().regex(/^[\x21-\x7E]{1,8192}$/);

/** Less than a second counts as a mistake: it would mean a login for every call. */
const lifetime = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(1));

/** The first value at one of the places that has a form. */
const firstAt = <T>(body: unknown, places: readonly string[], form: z.ZodType<T>): T | undefined =>
  places
    .map((place) => form.safeParse(valueAt(body, place)).data)
    .find((read) => read !== undefined);

/** Sends one login with its own deadline, once. */
export async function logIn(
  settings: PortalSettings,
  dependencies: LoginDependencies,
): Promise<PortalToken | FailedLogin> {
  const trace = traceOf('logIn');
  const result = await sendLogin(settings, dependencies, trace);
  if ('token' in result) trace?.ended({ outcome: 'success' });
  else trace?.ended({ ...result.meaning, httpStatus: result.answer?.status });
  return result;
}

async function sendLogin(
  settings: PortalSettings,
  { transport, basePath, profile, timeoutMs, clock, drift }: LoginDependencies,
  trace: ReturnType<typeof traceOf>,
): Promise<PortalToken | FailedLogin> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify(translateFields(settings, profile));
  const path = `${basePath}${profile.path}`;
  try {
    trace?.sent();
    const answer = await transport.send({ method: 'POST', path, headers, body, signal });
    trace?.answered(answer.status);
    const secrets = (): readonly string[] => [settings.username, settings.password];
    if (answer.status >= 200 && answer.status <= 299) {
      return readLogin(answer, profile, drift, secrets);
    }
    drift.refusal('logIn', answer, secrets);
    return { meaning: meaningOfStatus(answer, clock.now(), false), answer };
  } catch (error) {
    if (signal.aborted) return { meaning: silence };
    if (error instanceof TransportError) return { meaning: meaningOfFault(error) };
    throw error;
  }
}

const login = { mayHaveActed: true, movesMoney: false } as const;

const silence: Meaning = {
  code: 'timeout',
  outcome: 'unknown',
  why: 'it was not answered in time',
  retryable: true,
};

/** Reads the answer of a login that the portal calls a success, and counts what is not expected. */
function readLogin(
  answer: TransportAnswer,
  profile: Profile['login'],
  drift: DriftCounter,
  secrets: () => readonly string[],
): PortalToken | FailedLogin {
  const parsed = parseJson(answer.body);
  const opened = openEnvelope('bare', parsed);
  if (parsed !== undefined) drift.success('logIn', answer, parsed, opened.kind, secrets);
  if (opened.kind === 'error') {
    return { meaning: meaningOfErrorCode(opened.errorCode, answer, login), answer };
  }
  const body = opened.kind === 'data' ? opened.data : undefined;
  const { token: tokenAt, expiresInSeconds: lifetimeAt } = profile;
  const token = firstAt(body, tokenAt === undefined ? usualTokens : [tokenAt], headerText);
  const seconds = firstAt(body, lifetimeAt === undefined ? usualLifetimes : [lifetimeAt], lifetime);
  if (token !== undefined) return { token, lifetimeMs: seconds ? seconds * 1_000 : null };
  drift.note('logIn', 'unreadable_answer');
  const why = `the answer holds no token at ${tokenAt ?? 'a usual place'} (gateway.profile: login.token)`;
  return { meaning: unreadableBecause(why), answer };
}

/**
 * The error of a call that needed a failed login. A refused login is `rejected`; after any other
 * failure of the login, the call itself was `not-sent`.
 */
export function errorOfLogin(context: CallContext, { meaning, answer }: FailedLogin): GatewayError {
  const outcome = meaning.outcome === 'rejected' ? 'rejected' : 'not-sent';
  const why = `the portal login failed: ${meaning.why}`;
  return errorOf(context, { ...meaning, outcome, why }, answer);
}
