import { z } from 'zod';
import {
  errorInAnswer,
  errorOfStatus,
  errorOfTransport,
  failure,
  unreadable,
  type CallContext,
} from './answer-error.ts';
import { noteRefusal, type Credential, type SendWith } from './credentials.ts';
import { openEnvelope } from './envelope.ts';
import type { GatewayError } from './gateway-error.ts';
import { parseJson } from './json.ts';
import { TransportError, type Transport, type TransportAnswer } from './transport.ts';

/** Who logs in to the merchant portal (§5). */
export interface PortalSettings {
  readonly username: string;
  readonly password: string;
}

/** Where the portal token comes from (§5, assumption N16). */
export const LOGIN_PATH = '/auth/login';

const headerText = z.string().regex(/^[\x21-\x7E]{1,8192}$/);

/** The login's answer; three spellings of the token circulate (assumption N16). */
const loginAnswer = z
  .object({
    accessToken: headerText.optional(),
    access_token: headerText.optional(),
    token: headerText.optional(),
  })
  .transform((answer) => answer.accessToken ?? answer.access_token ?? answer.token);

/** What a login ended with; each call that waited for it makes its own error of it. */
type LoginResult =
  | { readonly token: string }
  | { readonly fault: (context: CallContext) => GatewayError };

/** What a login needs around it. */
export interface LoginDoor {
  readonly transport: Transport;
  /** The whole path, base path included. */
  readonly path: string;
  readonly timeoutMs: number;
  /** Told of each new token, which from then on is a secret of every call. */
  readonly onLogin: (token: string) => void;
}

/**
 * The portal's bearer token: fetched when first needed, shared by all calls, fetched anew once when
 * a call finds it refused. Calls that wait share one login, which runs to its own deadline: whoever
 * gives up leaves it to the others. A refused password ends the call; it is never tried in a loop.
 */
export class PortalLogin implements Credential {
  readonly #settings: PortalSettings;
  readonly #door: LoginDoor;
  #token: string | undefined;
  #login: Promise<LoginResult> | undefined;

  constructor(settings: PortalSettings, door: LoginDoor) {
    this.#settings = settings;
    this.#door = door;
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

  /** A token that was refused meanwhile may already have been replaced by another call's login. */
  async #tokenOtherThan(
    refused: string | undefined,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<string> {
    if (this.#token === refused) this.#token = undefined;
    const token = this.#token ?? (await this.#joinLogin(context, signal));
    context.secrets.push(token);
    return token;
  }

  async #joinLogin(context: CallContext, signal: AbortSignal): Promise<string> {
    this.#login ??= this.#logIn().finally(() => {
      this.#login = undefined;
    });
    const result = await unlessAborted(this.#login, signal);
    if ('fault' in result) throw result.fault(context);
    return result.token;
  }

  async #logIn(): Promise<LoginResult> {
    const { transport, path, timeoutMs, onLogin } = this.#door;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await transport.send({
        method: 'POST',
        path,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(this.#settings),
        signal,
      });
      const result = readLogin(answer);
      if ('fault' in result) return result;
      this.#token = result.token;
      onLogin(result.token);
      return result;
    } catch (error) {
      if (!signal.aborted && !(error instanceof TransportError)) throw error;
      return { fault: (context) => errorOfNoAnswer(context, error) };
    }
  }
}

function readLogin(answer: TransportAnswer): LoginResult {
  const ofLogin =
    (make: (context: CallContext) => GatewayError) =>
    (context: CallContext): GatewayError =>
      asLoginError(context, make(context), answer);
  if (answer.status < 200 || answer.status > 299) {
    return { fault: ofLogin((context) => errorOfStatus(context, answer)) };
  }
  const opened = openEnvelope('bare', parseJson(answer.body));
  if (opened.kind === 'error') {
    return { fault: ofLogin((context) => errorInAnswer(context, answer, opened.errorCode)) };
  }
  const token = opened.kind === 'data' ? loginAnswer.safeParse(opened.data).data : undefined;
  if (token !== undefined) return { token };
  return { fault: ofLogin((context) => unreadable(context, answer, 'it holds no token')) };
}

function errorOfNoAnswer(context: CallContext, error: unknown): GatewayError {
  if (error instanceof TransportError) {
    return asLoginError(context, errorOfTransport(context, error));
  }
  const why = 'the portal login was not answered in time';
  return failure(context, 'timeout', 'not-sent', why, { retryable: true });
}

/**
 * Says what a failed login means for the call that needed it: a refusal moved nothing, and whatever
 * else became of the login, the call itself was not sent.
 */
function asLoginError(
  context: CallContext,
  { code, outcome, retryable }: GatewayError,
  answer?: TransportAnswer,
): GatewayError {
  const why = answer === undefined ? 'got no whole answer' : `was answered HTTP ${answer.status}`;
  const ofCall = outcome === 'rejected' ? 'rejected' : 'not-sent';
  const text = `the portal login failed: it ${why}`;
  return failure(context, code, ofCall, text, { answer, retryable });
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
