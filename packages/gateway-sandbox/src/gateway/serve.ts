import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import { iso } from '../domain/clock.ts';
import type { AnswerPlan } from '../domain/outcome.ts';
import { isFields } from '../domain/requests.ts';
import { defaultTenant, findOperation, type Tenant, type OperationName } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import { endsTheCall, type CallPlace, type Fault, type Target } from '../faults.ts';
import { errorB, invalid, sendReply, type WireReply } from './replies.ts';
import { pauseFor, readJson, jsonType, sendText } from '../http/messages.ts';
import type { BodyFault, ReadBody } from '../http/messages.ts';
import { answerOnWire, inTheirNames, recordIdOf, requestFromWire } from '../readings/on-wire.ts';
import { redactRequest, withoutCardNumbers } from '../redaction.ts';
import type { LoggedRequest } from '../request-log.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { looksLikeApiKey, looksLikePortalToken } from '../tenants.ts';

/** One operation of the gateway: reading and carrying out are apart, so faults fit in between. */
export interface Operation<Input> {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `:id` is the segment of a record's id. */
  readonly path: string;
  /** Which credential opens it (§5); a login needs none. */
  readonly credential: 'apiKey' | 'portal' | 'none';
  /** The storable part of the call, and its subject. */
  readonly input: (address: CallAddress, body: unknown) => unknown;
  readonly decode: (
    input: unknown,
    caller: Pick<Caller, 'tenant'>,
  ) => { value: Input } | { refusal: WireReply };
  readonly perform: (value: Input, caller: Caller) => WireReply | Promise<WireReply>;
}

export type AddOperation = <Input>(operation: Operation<Input>) => void;

export interface Caller {
  readonly tenant: string;
  readonly environment: Environment;
  /** How far behind the answer to a question has to be, in milliseconds; 0 but for a fault. */
  readonly lagMs: number;
  readonly sameId: boolean;
}

/** The part of a call outside its body. */
export interface CallAddress {
  readonly query: ParsedUrlQuery;
  /** The value of a path's `:id`; empty where the path has none. */
  readonly recordId: string;
}

export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  address: CallAddress & { readonly path: string },
) => Promise<void>;

const ofBody = ['body', 'assumed N22'] as const;

const bodyRefusals: Record<BodyFault, WireReply> = {
  malformed: errorB(400, 'Request body is not valid JSON', ofBody),
  'not-json': errorB(415, 'Content-Type must be application/json', ofBody),
  'too-large': errorB(413, 'Request body is too large', ofBody),
};

/** A route for one operation: key, body, validation, commit, reply, with faults between them. */
export function serveOperation<Input>(
  parts: SandboxParts,
  environment: Environment,
  operation: Operation<Input>,
): Serve {
  return async (request, response, address) => {
    const begun = performance.now();
    const requestId = parts.requestLog.nextId();
    const authenticate = authentications[operation.credential];
    const { tenant, refusal } = authenticate(request, parts, environment);
    // A question has no body.
    const isRead = refusal === null && request.method !== 'GET';
    const read = isRead ? await readJson(request) : { body: {} };
    const { input, faults } = readInput(parts, tenant, operation, address, read);
    const merchantOrderId = orderOfCall(parts.machine.tenant(tenant), input);
    const target = { operation: findOperation(operation.name), merchantOrderId };
    const injected = nothingInjected();
    const call = { parts, tenant, target, response, requestId, injected, operation, environment };
    const body = faults === null ? { input } : { refusal: faults };
    const reply = await answer(call, refusal, body);
    const sent = injected.ended !== null && injected.faults.length > 0 ? null : reply;
    const entry: LoggedRequest = {
      id: requestId,
      at: iso(parts.machine.now(tenant)),
      operation: operation.name,
      environment,
      method: operation.method,
      path: withoutCardNumbers(address.path),
      status: injected.ended === null ? (reply?.status ?? null) : injected.ended.status,
      merchantOrderId: merchantOrderId === null ? null : withoutCardNumbers(merchantOrderId),
      sessionId: reply?.sessionId ?? null,
      decidedBy: sent?.decidedBy ?? 'fault',
      tier: sent?.tier ?? 'fault',
      request: redactRequest(input),
      faults: injected.faults,
      durationMs: Math.round(performance.now() - begun),
    };
    const shown = injected.ended === null ? reply?.body : null;
    parts.requestLog.add(reply?.tenant ?? tenant, entry, shown);
  };
}

interface Call<Input> extends CallInProgress {
  readonly operation: Operation<Input>;
  readonly environment: Environment;
}

/** A refused call meets only the faults before its validation, one without a credential none. */
async function answer<Input>(
  call: Call<Input>,
  refusal: WireReply | null,
  body: { readonly refusal: WireReply } | { readonly input: unknown },
): Promise<WireReply | null> {
  const { parts, operation, environment, tenant, response, requestId, injected } = call;
  const finish = async (reply: WireReply): Promise<WireReply> => {
    if (reply.answer !== undefined && (await isCut(parts, response, reply.answer))) {
      injected.ended = { status: null };
    } else sendReply(response, reply, requestId);
    return reply;
  };
  const onWire = (reply: WireReply) => answerOnWire(parts, operation, reply);
  if (refusal !== null) return finish(refusal);
  if (await injectFaults(call, 'before-validation')) return null;
  const decoded = 'refusal' in body ? body : operation.decode(body.input, { tenant });
  if ('refusal' in decoded) return finish(onWire(inTheirNames(parts, operation, decoded.refusal)));

  if (await injectFaults(call, 'before-commit')) return null;
  const { lagMs } = injected;
  const caller = { tenant, environment, lagMs, sameId: parts.policy.has('sameId') };
  const reply = onWire(await operation.perform(decoded.value, caller));
  if (await injectFaults(call, 'after-commit', reply)) return reply;
  return (await injectFaults(call, 'body', reply)) ? reply : finish(reply);
}

/** Holds an answer back, or cuts the connection in its place, as the payment's outcome says. */
export async function isCut(
  { closing }: SandboxParts,
  response: ServerResponse,
  { delayMs, cut }: AnswerPlan,
): Promise<boolean> {
  if (delayMs > 0) await pauseFor(response, closing, delayMs);
  if (cut) response.socket?.resetAndDestroy();
  return cut;
}

/** The call in the sandbox's own reading, and the refusal of a call that is not the gateway's. */
function readInput<Input>(
  { machine, policy, profile }: SandboxParts,
  tenant: string,
  operation: Operation<Input>,
  address: CallAddress,
  read: ReadBody,
): { input: unknown; faults: WireReply | null } {
  if ('fault' in read) return { input: {}, faults: bodyRefusals[read.fault] };
  const isQuery = operation.method === 'GET';
  const given = { body: isQuery ? { ...address.query } : read.body, isQuery };
  const { body, messages } = requestFromWire(profile, operation.name, given);
  const recordId = policy.has('numericIds')
    ? recordIdOf(machine.tenant(tenant), address.recordId)
    : address.recordId;
  const input = operation.input({ query: address.query, recordId }, body);
  const faults = messages.length === 0 ? null : invalid(messages, input, 'sandbox');
  return { input, faults };
}

/** The order that a call names, or the one of the session or transaction that it names. */
function orderOfCall(tenant: Tenant, input: unknown): string | null {
  const named = textOf(input, 'merchantOrderId') ?? textOf(input, 'orderId');
  if (named !== null) return named;
  const id = textOf(input, 'transactionId') ?? textOf(input, 'id') ?? textOf(input, 'sessionId');
  if (id === null) return null;
  const session = tenant.transactions.get(id)?.session ?? tenant.sessions.get(id);
  return session?.merchantOrderId ?? null;
}

function textOf(input: unknown, name: string): string | null {
  const value = isFields(input) && Object.hasOwn(input, name) ? input[name] : null;
  return typeof value === 'string' ? value : null;
}

/** The caller, or the 401 (§7); a refused call belongs to the tenant whose credential it bore. */
interface Authentication {
  readonly tenant: string;
  readonly refusal: WireReply | null;
}

/** The check of the credential that an operation asks for, before anything else of it is read. */
const authentications = {
  none: () => ({ tenant: defaultTenant, refusal: null }),
  apiKey: authenticateKey,
  portal: authenticatePortal,
} as const;

function authenticateKey(
  { headers }: IncomingMessage,
  parts: SandboxParts,
  environment: Environment,
): Authentication {
  const presented = String(headers['x-api-key'] ?? '');
  const hasAuthorization = (headers.authorization ?? '') !== '';
  if (looksLikePortalToken(presented) || (presented === '' && hasAuthorization)) {
    return refused('portal-token-for-payment');
  }
  if (presented === '') return refused('api-key-missing');
  const found = parts.tenants.findKey(presented);
  if (found === null) return refused('api-key-invalid');
  if (found.key.status === 'REVOKED') return refused('api-key-revoked', found.tenant);
  return admitted(parts, found, environment, 'API key');
}

function authenticatePortal(
  { headers }: IncomingMessage,
  parts: SandboxParts,
  environment: Environment,
): Authentication {
  const header = headers.authorization ?? '';
  const presented = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  if (looksLikeApiKey(presented) || (header === '' && headers['x-api-key'])) {
    return refused('api-key-for-portal');
  }
  if (header === '') return refused('bearer-token-missing');
  const found = parts.tenants.findPortalToken(presented);
  if (found === null) return refused('bearer-token-invalid');
  const { tenant, token } = found;
  if (parts.machine.now(tenant) >= token.expiresAt) return refused('bearer-token-expired', tenant);
  const own = { tenant, environment: token.environment };
  return admitted(parts, own, environment, 'Portal token');
}

/** A credential that is good opens its own environment only, for a merchant that is found. */
function admitted(
  { machine }: SandboxParts,
  own: { readonly tenant: string; readonly environment: Environment },
  environment: Environment,
  what: string,
): Authentication {
  const { tenant } = own;
  if (own.environment !== environment) {
    const message = `${what} does not belong to the ${environment} environment`;
    const hint = `It belongs to ${own.environment}, whose base address ends in /${own.environment}/v1.`;
    return { tenant, refusal: errorB(401, message, ['wrong-environment', 'spec §7', hint]) };
  }
  const { isFound } = machine.tenant(tenant).account;
  return isFound ? { tenant, refusal: null } : refused('merchant-not-found', tenant);
}

const toLogIn = 'Log in with POST /auth/login and send Authorization: Bearer <accessToken>.';

/** The other 401s by their rules: the message on the wire and the remedy. */
const unauthorized = {
  'portal-token-for-payment': [
    'A portal token cannot be used for payment APIs; send the API key in x-api-key',
    'Payment calls take the API key in x-api-key; the portal token opens /merchant/account only.',
  ],
  'api-key-for-portal': ['An API key cannot be used for portal APIs', toLogIn],
  'merchant-not-found': [
    'Merchant not found',
    'The tenant was switched so; PATCH /_sandbox/v1/tenants/<id> {"merchant": "found"} ends it.',
  ],
  'api-key-missing': ['API key is missing', 'Send the merchant API key in the header x-api-key.'],
  'api-key-invalid': [
    'Invalid API key',
    'No tenant of this sandbox has this key; GET /_sandbox/v1/info has the keys.',
  ],
  'api-key-revoked': ['Invalid API key', 'This key was revoked; use the one that replaced it.'],
  'bearer-token-missing': ['Authorization header is missing', toLogIn],
  'bearer-token-invalid': [
    'Invalid or expired token',
    'This sandbox gave no such token, or it was revoked; log in again.',
  ],
  'bearer-token-expired': [
    'Invalid or expired token',
    'The token has expired on the clock of the sandbox; log in again.',
  ],
} as const;

function refused(rule: keyof typeof unauthorized, tenant = defaultTenant): Authentication {
  const [message, hint] = unauthorized[rule];
  const isWrongType = rule === 'portal-token-for-payment' || rule === 'api-key-for-portal';
  const decidedBy = isWrongType ? 'wrong-credential-type' : rule;
  return { tenant, refusal: errorB(401, message, [decidedBy, 'spec §7', hint]) };
}

interface CallInProgress {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly target: Target;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly injected: Injected;
}

interface Injected {
  /** Set once the answer was given, or never will be: the status that the caller saw, if any. */
  ended: { readonly status: number | null } | null;
  lagMs: number;
  /** The faults' places and kinds, for the requests list. */
  readonly faults: string[];
}

export const nothingInjected = (): Injected => ({ ended: null, lagMs: 0, faults: [] });

/** Lets the faults that wait at a place act on a call; true: they ended it. */
export async function injectFaults(
  call: CallInProgress,
  place: CallPlace,
  reply: WireReply | null = null,
): Promise<boolean> {
  const { parts, tenant, target, response, injected } = call;
  for (const fault of parts.faults.take(tenant, place, target)) {
    injected.faults.push(`${fault.place} ${fault.kind}`);
    if (endsTheCall(fault)) {
      injected.ended = { status: await endCall(fault, call, reply) };
    } else if (fault.kind === 'stale') injected.lagMs = fault.latencyMs;
    else await pauseFor(response, parts.closing, fault.latencyMs);
  }
  return injected.ended !== null;
}

const maintenancePage = `<!doctype html><html lang="en"><title>Maintenance</title>
<h1>We will be back shortly</h1><p>The service is under maintenance.</p></html>
`;

/** A stall ends after this long, so that no connection stays for ever. */
const longestStallMs = 10 * 60 * 1000;

/** The answers that faults make of the operation's, which is null before it. */
function spoiledAnswers(status: number, reply: WireReply | null) {
  const usual = reply?.status ?? 200;
  const plain = reply === null ? 'OK' : JSON.stringify(reply.body);
  return new Map<Fault['kind'], readonly [status: number, type: string, text: string]>([
    ['html', [status, 'text/html; charset=utf-8', maintenancePage]],
    ['empty', [200, jsonType, '']],
    ['wrong-type', [usual, 'text/plain; charset=utf-8', plain]],
    ['wrong-fields', [usual, jsonType, JSON.stringify(withWrongTypes(reply?.body ?? {}))]],
  ]);
}

async function endCall(
  fault: Fault,
  call: CallInProgress,
  reply: WireReply | null,
): Promise<number | null> {
  const { response, requestId } = call;
  const { kind, status, location, retryAfterSeconds } = fault;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', String(retryAfterSeconds));
  response.setHeader('x-sandbox-request-id', requestId);
  response.setHeader('x-sandbox-decided-by', 'fault');
  const spoiled = spoiledAnswers(status, reply).get(kind);
  if (spoiled !== undefined) {
    sendText(response, ...spoiled);
    return spoiled[0];
  }
  if (kind === 'redirect') {
    response.writeHead(302, { location, 'content-length': 0 }).end();
    return 302;
  }
  if (kind !== 'status') return breakOff(fault, call, reply);
  sendReply(response, errorB(status, 'Injected fault', ['fault', 'fault']), requestId);
  return status;
}

/** `cut` is an orderly end, `stall` silence. In the `body`, head and half of it go out first. */
async function breakOff(
  { kind, place, latencyMs }: Fault,
  { response, parts }: CallInProgress,
  reply: WireReply | null,
): Promise<number | null> {
  const rest = place === 'body' && reply !== null ? await sendHalf(response, reply) : null;
  if (kind === 'latency') {
    await pauseFor(response, parts.closing, latencyMs);
    response.end(rest);
  } else if (kind === 'reset') response.socket?.resetAndDestroy();
  else {
    if (kind === 'stall') await pauseFor(response, parts.closing, longestStallMs);
    response.socket?.destroy();
  }
  return rest === null ? null : (reply?.status ?? null);
}

/** Sends the head and half of the body; answers the other half. */
async function sendHalf(response: ServerResponse, { status, body }: WireReply): Promise<Buffer> {
  const bytes = Buffer.from(JSON.stringify(body));
  const middle = Math.floor(bytes.length / 2);
  response.writeHead(status, { 'content-type': jsonType, 'content-length': bytes.length });
  await new Promise<void>((resolve) => {
    response.write(bytes.subarray(0, middle), () => resolve());
  });
  return bytes.subarray(middle);
}

/** Numbers as texts, texts as numbers, lists as objects: valid JSON that no decoder should take. */
function withWrongTypes(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return { 0: withWrongTypes(value[0] ?? null) };
  if (typeof value !== 'object' || value === null) return [value];
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, withWrongTypes(inner)]),
  );
}
