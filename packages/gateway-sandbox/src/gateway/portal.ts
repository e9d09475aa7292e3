import { portalTokenLifeMs, type WebhookChanges } from '../domain/step.ts';
import { iso } from '../domain/clock.ts';
import { isFields, isWebAddress, object, readBody, requiredText } from '../domain/requests.ts';
import type { Read, ReadBody, Reader } from '../domain/requests.ts';
import { webhookTypes, type WebhookType } from '../domain/events.ts';
import { mostSdkTokens, mostWebhooks, sdkTokenStatuses, sdkTokenTypes } from '../domain/tenant.ts';
import type { ApiKey, OperationName, SdkToken, Webhook } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { errorB, type WireReply } from './replies.ts';
import type { AddOperation, Caller, Operation } from './serve.ts';

/** The portal's operations: the login, and the verbs on its three lists (§5). */
export function addPortalOperations(parts: SandboxParts, add: AddOperation): void {
  add(logIn(parts));
  for (const verbs of [keyVerbs(parts), sdkTokenVerbs(parts), webhookVerbs(parts)]) {
    for (const one of verbs) add(one);
  }
}

/** `POST /auth/login` (N16). It does not say whether the name or the password was wrong. */
function logIn(parts: SandboxParts): Operation<{ username: string; password: string }> {
  const { machine, tenants } = parts;
  return {
    name: 'logIn',
    method: 'POST',
    path: '/auth/login',
    credential: 'none',
    input: (_address, body) => body,
    decode: (input) =>
      decodeFields(input, object({ username: requiredText, password: requiredText })),
    perform: ({ username, password }, { environment }) => {
      const tenant = tenants.findLogin(username, password);
      if (tenant === null) {
        return errorB(401, 'Invalid username or password', ['login-invalid', 'assumed N16']);
      }
      if (!machine.tenant(tenant).account.isFound) {
        const refusal = errorB(401, 'Merchant not found', ['merchant-not-found', 'spec §7']);
        return { ...refusal, tenant };
      }
      const { reply } = machine.execute({ kind: 'log-in', tenant, environment });
      const secrets = tenants.secrets(tenant);
      const body = {
        accessToken: secrets.portalToken(reply.token.id),
        tokenType: 'Bearer',
        expiresIn: portalTokenLifeMs / 1000,
        refreshToken: secrets.refreshToken(reply.refreshId),
      };
      return { status: 200, body, decidedBy: 'login', tier: 'assumed N16', tenant };
    },
  };
}

/** A verb on one of the lists. On one record the id in the address counts, not one in the body. */
function verb<Given extends object>(
  name: OperationName,
  route: string,
  read: Reader<Given> | null,
  perform: (given: Given & { readonly id: string }, caller: Caller) => WireReply,
): Operation<object> {
  const [method = '', path = ''] = route.split(' ');
  const isOnRecord = path.endsWith('/:id');
  const whole: Operation<Given & { id: string }> = {
    name,
    method: method as Operation<object>['method'],
    path: `/merchant/account/${path}`,
    credential: 'portal',
    input: ({ recordId: id }, body) => {
      if (isOnRecord) return isFields(body) ? { ...body, id } : { id };
      return read === null ? {} : body;
    },
    decode: (input) => {
      const id = isOnRecord && isFields(input) ? { id: String(input['id']) } : {};
      const decoded = read === null ? { value: {} } : decodeFields(input, read);
      if ('refusal' in decoded) return decoded;
      return { value: { ...decoded.value, ...id } as Given & { id: string } };
    },
    perform,
  };
  return whole as unknown as Operation<object>;
}

/** The fields of a portal call's body, or the 400 with every fault (N21). */
function decodeFields<Value>(
  input: unknown,
  read: Reader<Value>,
): { value: Value } | { refusal: WireReply } {
  const body = readBody(input, read);
  if ('value' in body) return body;
  const missing: ReadBody<Value> | null = isFields(input) ? null : readBody({}, read);
  const more = missing !== null && 'messages' in missing ? missing.messages : [];
  return { refusal: invalidInput([...body.messages, ...more]) };
}

function invalidInput(messages: readonly string[]): WireReply {
  return errorB(400, messages, ['validation', 'assumed N21']);
}

/** A record as the portal answers it; null: it is gone. */
function shown(status: 200 | 201 | 204, body: object | null, tier: string): WireReply {
  return { status, body, decidedBy: 'portal', tier };
}

const unknownRecord = errorB(404, 'Not found', ['unknown-id', 'assumed N21']);

function removed({ kind }: { readonly kind: string }, tier: string): WireReply {
  return kind === 'unknown-id' ? unknownRecord : shown(204, null, tier);
}

function ofEnvironment<Item extends { readonly environment: Environment }>(
  records: readonly Item[],
  { environment }: Caller,
): Item[] {
  return records.filter((one) => one.environment === environment);
}

/** A key's record with the key as it is to be shown (N17). No key of the sandbox expires. */
function keyRecord({ id, environment, status, createdAt }: ApiKey, apiKey: string) {
  return { id, apiKey, environment, status, createdAt: iso(createdAt), expiresAt: null };
}

const masked = (apiKey: string): string => `${'*'.repeat(12)}${apiKey.slice(-4)}`;

/** §4.13, §4.14: a new key is shown in full once; the old ones live until they are revoked (N18). */
function keyVerbs({ machine, policy, tenants }: SandboxParts) {
  const own = (caller: Caller) =>
    ofEnvironment(machine.tenant(caller.tenant).account.apiKeys, caller);
  const keyOf = ({ environment, id }: ApiKey, { tenant }: Caller) =>
    tenants.secrets(tenant).apiKey(environment, id);
  return [
    verb('retrieveCredentials', 'GET credentials', null, (_nothing, caller) => {
      const credentials = own(caller).map((key) => {
        const apiKey = keyOf(key, caller);
        return keyRecord(key, policy.has('fullKeys') ? apiKey : masked(apiKey));
      });
      return shown(200, { credentials }, 'assumed N17');
    }),
    verb('rotateApiKey', 'POST credentials/rotate', null, (_nothing, caller) => {
      const { key } = machine.execute({ kind: 'rotate-key', ...caller }).reply;
      const others = policy.has('rotationRevokes') ? own(caller) : [];
      for (const { id } of others) {
        if (id !== key.id) machine.execute({ kind: 'revoke-key', ...caller, id });
      }
      const apiKey = keyOf(key, caller);
      const record = keyRecord(key, policy.has('noSecrets') ? masked(apiKey) : apiKey);
      return shown(201, record, 'assumed N18');
    }),
    verb('revokeApiKey', 'DELETE credentials/:id', null, ({ id }, caller) =>
      removed(machine.execute({ kind: 'revoke-key', ...caller, id }).reply, 'assumed N18'),
    ),
  ];
}

/** A token's record, without the token (N19). */
function sdkTokenRecord({ createdAt, expiresAt, environment: _environment, ...rest }: SdkToken) {
  return { ...rest, createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
}

/** §4.15 to §4.17: the token itself is answered once, when it is made. */
function sdkTokenVerbs({ machine, policy, tenants }: SandboxParts) {
  const tier = 'assumed N19';
  return [
    verb('listSdkTokens', 'GET sdk-tokens', null, (_nothing, caller) => {
      const own = ofEnvironment(machine.tenant(caller.tenant).sdkTokens, caller);
      return shown(200, { sdkTokens: own.map(sdkTokenRecord) }, tier);
    }),
    verb(
      'createSdkToken',
      'POST sdk-tokens',
      object({
        name: requiredText,
        type: optional(word(sdkTokenTypes), null),
        terminalId: optional(requiredText, null),
      }),
      (given, caller) => {
        const { reply } = machine.execute({ kind: 'create-sdk-token', ...caller, ...given });
        if (reply.kind === 'too-many') {
          return invalidInput([`a merchant has at most ${mostSdkTokens} SDK tokens`]);
        }
        const token = tenants.secrets(caller.tenant).sdkToken(reply.sdkToken.id);
        const secret = policy.has('noSecrets') ? {} : { token };
        return shown(201, { ...sdkTokenRecord(reply.sdkToken), ...secret }, tier);
      },
    ),
    verb(
      'updateSdkToken',
      'PATCH sdk-tokens/:id',
      object({ status: word(sdkTokenStatuses) }),
      (given, caller) => {
        const { reply } = machine.execute({ kind: 'update-sdk-token', ...caller, ...given });
        if (reply.kind === 'unknown-id') return unknownRecord;
        return shown(200, sdkTokenRecord(reply.record), tier);
      },
    ),
  ];
}

function webhookRecord({ id, url, active, events }: Webhook) {
  return { id, url, active, events: events.length === 0 ? [...webhookTypes] : events };
}

/** §4.9 to §4.12; only the create call answers the signing secret, and without `events` it gets all. */
function webhookVerbs({ machine, policy, tenants }: SandboxParts) {
  const tier = 'assumed N12';
  return [
    verb('listWebhooks', 'GET webhooks', null, (_nothing, caller) => {
      const own = ofEnvironment(machine.tenant(caller.tenant).webhooks, caller);
      return shown(200, { webhooks: own.map(webhookRecord) }, 'spec §4.9');
    }),
    verb(
      'createWebhook',
      'POST webhooks',
      object({
        url: urlText,
        events: optional(eventTypes, []),
        active: optional(boolean, true),
      }),
      (given, caller) => {
        const { reply } = machine.execute({ kind: 'create-webhook', ...caller, ...given });
        if (reply.kind === 'too-many') {
          return invalidInput([`a merchant has at most ${mostWebhooks} webhooks`]);
        }
        const secret = tenants.secrets(caller.tenant).webhookSecret(reply.webhook.id);
        const once = policy.has('noSecrets') ? {} : { secret };
        return shown(201, { ...webhookRecord(reply.webhook), ...once }, tier);
      },
    ),
    verb('updateWebhook', 'PATCH webhooks/:id', webhookChanges, ({ id, ...changes }, caller) => {
      const { reply } = machine.execute({ kind: 'update-webhook', ...caller, id, changes });
      if (reply.kind === 'unknown-id') return unknownRecord;
      return shown(200, webhookRecord(reply.record), tier);
    }),
    verb('deleteWebhook', 'DELETE webhooks/:id', null, ({ id }, caller) =>
      removed(machine.execute({ kind: 'delete-webhook', ...caller, id }).reply, tier),
    ),
  ];
}

const changedFields = object({
  url: optional(urlText, undefined),
  events: optional(eventTypes, undefined),
  active: optional(boolean, undefined),
}) as Reader<WebhookChanges>;

function webhookChanges(body: unknown): ReturnType<Reader<WebhookChanges>> {
  const read = changedFields(body);
  const isNone = 'value' in read && Object.keys(read.value).length === 0;
  return isNone ? { messages: ['at least one of url, events and active should be given'] } : read;
}

/** The kinds of event that a body names, each once. */
function eventTypes(value: unknown): ReturnType<Reader<readonly WebhookType[]>> {
  if (!Array.isArray(value)) return { fault: 'must be an array' };
  const wanted = new Set(value.map((one) => findWord(webhookTypes, one)));
  if (!wanted.has(undefined)) return { value: webhookTypes.filter((type) => wanted.has(type)) };
  const words = webhookTypes.join(', ');
  return {
    messages: [`each value in events must be one of the following values: ${words}`],
  };
}

function optional<Value, Otherwise>(
  read: Reader<Value>,
  otherwise: Otherwise,
): Reader<Value | Otherwise> {
  return (value) => (value === undefined ? { value: otherwise } : read(value));
}

function urlText(value: unknown): Read<string> {
  return isWebAddress(value) ? { value } : { fault: 'must be a URL address' };
}

function boolean(value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { fault: 'must be a boolean value' };
}

function word<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => {
    const known = findWord(words, value);
    const fault = `must be one of the following values: ${words.join(', ')}`;
    return known === undefined ? { fault } : { value: known };
  };
}

function findWord<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  const wanted = typeof value === 'string' ? value.toLowerCase() : null;
  return words.find((known) => known.toLowerCase() === wanted);
}
