import { isFields, isWebAddress, readBody, requiredText } from '../domain/requests.ts';
import type { BodyFields, Read, Reader } from '../domain/requests.ts';
import { portalTokenLifeMs } from '../domain/account.ts';
import type { WebhookChanges } from '../domain/account.ts';
import { iso } from '../domain/clock.ts';
import {
  mostSdkTokens,
  mostWebhooks,
  sdkTokenStatuses,
  sdkTokenTypes,
  webhookTypes,
} from '../domain/tenant.ts';
import type { ApiKey, SdkToken, Webhook, WebhookType } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import type { Machine } from '../machine.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { errorB } from './replies.ts';
import type { WireReply } from './replies.ts';
import type { CallAddress, Caller, Operation } from './serve.ts';

type Add = <Input>(operation: Operation<Input>) => void;

/** The portal's operations: the login, and the verbs on its three lists (§5). */
export function addPortalOperations(parts: SandboxParts, add: Add): void {
  add(logIn(parts));
  addKeyOperations(parts, add);
  addSdkTokenOperations(parts, add);
  addWebhookOperations(parts, add);
}

/** An operation without input. */
const question = {
  credential: 'portal',
  method: 'GET',
  input: () => ({}),
  decode: () => ({ value: {} }),
} as const;

const creation = {
  credential: 'portal',
  method: 'POST',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** On one record: the id in the address counts, not an id in the body. */
const change = {
  credential: 'portal',
  method: 'PATCH',
  input: ({ recordId: id }: CallAddress, body: unknown) =>
    isFields(body) ? { ...body, id } : { id },
} as const;

const removal = {
  ...change,
  method: 'DELETE',
  decode: (input: unknown) => ({ value: { id: recordId(input) } }),
} as const;

/** The id that `change` put there. */
function recordId(input: unknown): string {
  return isFields(input) ? String(input['id']) : '';
}

/** The records of the caller's environment. */
function ofEnvironment<Item extends { readonly environment: Environment }>(
  records: readonly Item[],
  { environment }: Caller,
): Item[] {
  return records.filter((one) => one.environment === environment);
}

/** The fields of a portal call's body, or the 400 with every fault (N21). */
function decodeFields<Value>(
  input: unknown,
  read: (fields: BodyFields) => Value,
): { value: Value } | { refusal: WireReply } {
  const body = readBody(input, read);
  if ('request' in body) return { value: body.request };
  const missing = isFields(input) ? null : readBody({}, read);
  const more = missing !== null && 'messages' in missing ? missing.messages : [];
  return { refusal: invalidInput([...body.messages, ...more]) };
}

/** The 400 of a portal call; nothing changed. */
function invalidInput(messages: readonly string[]): WireReply {
  return errorB(400, messages, { decidedBy: 'validation', tier: 'assumed N21' });
}

function urlText(value: unknown): Read<string> {
  return isWebAddress(value) ? { value } : { fault: 'must be a URL address' };
}

function boolean(value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { fault: 'must be a boolean value' };
}

/** One of some words, in any case. */
function word<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => {
    const known = findWord(words, value);
    return known === undefined
      ? { fault: `must be one of the following values: ${words.join(', ')}` }
      : { value: known };
  };
}

function findWord<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find(
    (known) => typeof value === 'string' && known.toLowerCase() === value.toLowerCase(),
  );
}

/** A record as the portal answers it. */
function portalReply(status: 200 | 201, body: object, tier: string): WireReply {
  return { status, body, decidedBy: 'portal', tier };
}

/** The 404 of an unknown id (N21). */
const unknownRecord = errorB(404, 'Not found', { decidedBy: 'unknown-id', tier: 'assumed N21' });

/** 204: the record is gone. */
function removed(kind: string, tier: string): WireReply {
  if (kind === 'unknown-id') return unknownRecord;
  return { status: 204, body: null, decidedBy: 'portal', tier };
}

const keysPath = '/merchant/account/credentials';
const shownDigits = 4;

/** A key's record with the key as it is to be shown (N17). No key of the sandbox expires. */
function keyRecord({ id, environment, status, createdAt }: ApiKey, apiKey: string) {
  return { id, apiKey, environment, status, createdAt: iso(createdAt), expiresAt: null };
}

function masked(apiKey: string): string {
  return `${'*'.repeat(12)}${apiKey.slice(-shownDigits)}`;
}

function addKeyOperations({ machine, policy, tenants }: SandboxParts, add: Add): void {
  // §4.13, N17.
  add({
    ...question,
    name: 'retrieveCredentials',
    path: keysPath,
    perform: (_nothing, caller) => {
      const secrets = tenants.secrets(caller.tenant);
      const keys = ofEnvironment(machine.tenant(caller.tenant).account.apiKeys, caller);
      const credentials = keys.map((key) => {
        const apiKey = secrets.apiKey(key.environment, key.id);
        return keyRecord(key, policy.has('fullKeys') ? apiKey : masked(apiKey));
      });
      return portalReply(200, { credentials }, 'assumed N17');
    },
  });
  // §4.14, N18: the new key in full, this once; the old ones live until they are revoked.
  add({
    ...question,
    name: 'rotateApiKey',
    method: 'POST',
    path: `${keysPath}/rotate`,
    perform: (_nothing, caller) => {
      const { reply } = machine.execute({ kind: 'rotate-key', ...caller });
      const apiKey = tenants.secrets(caller.tenant).apiKey(caller.environment, reply.key.id);
      if (policy.has('rotationRevokes')) revokeOthers(machine, caller, reply.key.id);
      const shown = policy.has('noSecrets') ? masked(apiKey) : apiKey;
      return portalReply(201, keyRecord(reply.key, shown), 'assumed N18');
    },
  });
  // N18.
  add({
    ...removal,
    name: 'revokeApiKey',
    path: `${keysPath}/:id`,
    perform: (given, caller) =>
      removed(
        machine.execute({ kind: 'revoke-key', ...caller, ...given }).reply.kind,
        'assumed N18',
      ),
  });
}

/** The policy `rotationRevokes`: the new key is the only one of its environment. */
function revokeOthers(machine: Machine, caller: Caller, newest: string): void {
  for (const { id } of ofEnvironment(machine.tenant(caller.tenant).account.apiKeys, caller)) {
    if (id !== newest) machine.execute({ kind: 'revoke-key', ...caller, id });
  }
}

/** `POST /auth/login` (§5, N16). It does not say whether the name or the password was wrong. */
function logIn({
  machine,
  tenants,
}: SandboxParts): Operation<{ username: string; password: string }> {
  return {
    name: 'logIn',
    method: 'POST',
    path: '/auth/login',
    credential: 'none',
    input: (_address, body) => body,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        username: fields.take('username', requiredText, ''),
        password: fields.take('password', requiredText, ''),
      })),
    perform: ({ username, password }, { environment }) => {
      const tenant = tenants.findLogin(username, password);
      if (tenant === null) {
        return errorB(401, 'Invalid username or password', {
          decidedBy: 'login-invalid',
          tier: 'assumed N16',
        });
      }
      if (!machine.tenant(tenant).account.isFound) {
        const reply = errorB(401, 'Merchant not found', {
          decidedBy: 'merchant-not-found',
          tier: 'spec §7',
        });
        return { ...reply, tenant };
      }
      const { reply } = machine.execute({ kind: 'log-in', tenant, environment });
      const secrets = tenants.secrets(tenant);
      return {
        status: 200,
        body: {
          accessToken: secrets.portalToken(reply.token.id),
          tokenType: 'Bearer',
          expiresIn: portalTokenLifeMs / 1000,
          refreshToken: secrets.refreshToken(reply.refreshId),
        },
        decidedBy: 'login',
        tier: 'assumed N16',
        tenant,
      };
    },
  };
}

const sdkTokensPath = '/merchant/account/sdk-tokens';

/** A token's record, without the token (N19). */
function sdkTokenRecord({ createdAt, expiresAt, environment: _environment, ...rest }: SdkToken) {
  return { ...rest, createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
}

function addSdkTokenOperations({ machine, policy, tenants }: SandboxParts, add: Add): void {
  const tier = 'assumed N19';
  // §4.15.
  add({
    ...question,
    name: 'listSdkTokens',
    path: sdkTokensPath,
    perform: (_nothing, caller) => {
      const own = ofEnvironment(machine.tenant(caller.tenant).sdkTokens, caller);
      return portalReply(200, { sdkTokens: own.map(sdkTokenRecord) }, tier);
    },
  });
  // §4.16: the token itself is answered this once.
  add({
    ...creation,
    name: 'createSdkToken',
    path: sdkTokensPath,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        name: fields.take('name', requiredText, ''),
        type: fields.has('type') ? fields.take('type', word(sdkTokenTypes), null) : null,
        terminalId: fields.has('terminalId') ? fields.take('terminalId', requiredText, '') : null,
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'create-sdk-token', ...caller, ...given });
      if (reply.kind === 'too-many') {
        return invalidInput([`a merchant has at most ${mostSdkTokens} SDK tokens`]);
      }
      const token = tenants.secrets(caller.tenant).sdkToken(reply.sdkToken.id);
      const secret = policy.has('noSecrets') ? {} : { token };
      return portalReply(201, { ...sdkTokenRecord(reply.sdkToken), ...secret }, tier);
    },
  });
  // §4.17.
  add({
    ...change,
    name: 'updateSdkToken',
    path: `${sdkTokensPath}/:id`,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        id: recordId(input),
        status: fields.take('status', word(sdkTokenStatuses), 'ACTIVE'),
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'update-sdk-token', ...caller, ...given });
      return reply.kind === 'unknown-id'
        ? unknownRecord
        : portalReply(200, sdkTokenRecord(reply.sdkToken), tier);
    },
  });
}

const webhooksPath = '/merchant/account/webhooks';

/** A webhook as the wire shows it; only the create call answers the signing secret. */
function webhookRecord({ id, url, active, events }: Webhook) {
  return { id, url, active, events: events.length === 0 ? [...webhookTypes] : events };
}

/** The kinds of event that a body names, each once. */
function takeEvents(fields: BodyFields): readonly WebhookType[] {
  const wanted = fields.take('events', list, []).map((one) => findWord(webhookTypes, one));
  if (wanted.every((one) => one !== undefined)) {
    return webhookTypes.filter((type) => wanted.includes(type));
  }
  const words = webhookTypes.join(', ');
  fields.messages.push(`each value in events must be one of the following values: ${words}`);
  return [];
}

function list(value: unknown): Read<readonly unknown[]> {
  return Array.isArray(value) ? { value } : { fault: 'must be an array' };
}

/** The fields to change. Absent fields keep their values. */
function takeChanges(fields: BodyFields): WebhookChanges {
  const changes: WebhookChanges = {
    ...(fields.has('url') ? { url: fields.take('url', urlText, '') } : {}),
    ...(fields.has('events') ? { events: takeEvents(fields) } : {}),
    ...(fields.has('active') ? { active: fields.take('active', boolean, true) } : {}),
  };
  if (Object.keys(changes).length === 0) {
    fields.messages.push('at least one of url, events and active should be given');
  }
  return changes;
}

function addWebhookOperations({ machine, policy, tenants }: SandboxParts, add: Add): void {
  const tier = 'assumed N12';
  add({
    ...question,
    name: 'listWebhooks',
    path: webhooksPath,
    perform: (_nothing, caller) => {
      const own = ofEnvironment(machine.tenant(caller.tenant).webhooks, caller);
      return portalReply(200, { webhooks: own.map(webhookRecord) }, 'spec §4.9');
    },
  });
  // §4.10: without `events` it gets all.
  add({
    ...creation,
    name: 'createWebhook',
    path: webhooksPath,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        url: fields.take('url', urlText, ''),
        events: fields.has('events') ? takeEvents(fields) : [],
        active: fields.has('active') ? fields.take('active', boolean, true) : true,
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'create-webhook', ...caller, ...given });
      if (reply.kind === 'too-many') {
        return invalidInput([`a merchant has at most ${mostWebhooks} webhooks`]);
      }
      const secret = tenants.secrets(caller.tenant).webhookSecret(reply.webhook.id);
      const shown = policy.has('noSecrets') ? {} : { secret };
      return portalReply(201, { ...webhookRecord(reply.webhook), ...shown }, tier);
    },
  });
  // §4.11.
  add({
    ...change,
    name: 'updateWebhook',
    path: `${webhooksPath}/:id`,
    decode: (input) =>
      decodeFields(input, (fields) => ({ id: recordId(input), changes: takeChanges(fields) })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'update-webhook', ...caller, ...given });
      return reply.kind === 'unknown-id'
        ? unknownRecord
        : portalReply(200, webhookRecord(reply.webhook), tier);
    },
  });
  // §4.12.
  add({
    ...removal,
    name: 'deleteWebhook',
    path: `${webhooksPath}/:id`,
    perform: (given, caller) =>
      removed(machine.execute({ kind: 'delete-webhook', ...caller, ...given }).reply.kind, tier),
  });
}
