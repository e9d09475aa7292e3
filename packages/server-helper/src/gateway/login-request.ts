import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { errorOf, type CallContext } from './answer-error.ts';
import type { PortalSettings } from './client-settings.ts';
import { traceOf } from './diagnostics.ts';
import type { DriftCounter } from './drift.ts';
import { openEnvelope, parseJson } from './envelope.ts';
import type { GatewayError } from './gateway-error.ts';
import type { Profile } from './profile.ts';
import {
  meaningOfErrorCode,
  meaningOfFault,
  meaningOfStatus,
  unreadableBecause,
  type Meaning,
} from './meaning.ts';
import { translateFields, valueAt } from './translation.ts';
import { TransportError, type Transport, type TransportAnswer } from './transport.ts';

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
