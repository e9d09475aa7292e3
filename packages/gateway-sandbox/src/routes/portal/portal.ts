import { isWebAddress, readBody, requiredText } from '../../domain/body-fields.ts';
import type { BodyFields, Read, Reader } from '../../domain/body-fields.ts';
import { iso } from '../../domain/clock/clock.ts';
import { portalTokenLifeMs } from '../../domain/portal.ts';
import {
  mostSdkTokens,
  mostWebhooks,
  sdkTokenStatuses,
  sdkTokenTypes,
  webhookTypes,
} from '../../domain/tenant/account.ts';
import type {
  ApiKey,
  SdkToken,
  SdkTokenStatus,
  SdkTokenType,
  Webhook,
  WebhookChanges,
  WebhookType,
} from '../../domain/tenant/account.ts';
import type { Machine } from '../../machine/machine.ts';
import { withoutCardNumbers } from '../../redaction/stray-cards.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { CallAddress, Caller, Operation } from '../operation.ts';
import { errorB } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

/**
 * The common part of the portal's operations: their credential (§5), and they read only the body.
 */
const portalOperation = {
  credential: 'portal',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** An operation on one record. The id in the address counts, not an id in the body. */
const portalRecordOperation = {
  credential: 'portal',
  input: ({ recordId: id }: CallAddress, body: unknown) =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, id } : { id },
} as const;

/** An operation without input. */
const portalQuestion = {
  credential: 'portal',
  input: () => ({}),
  decode: () => ({ value: null }),
} as const;

/** The id that `portalRecordOperation` put there. */
function recordId(input: unknown): string {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : null;
  return typeof id === 'string' ? id : '';
}

/** The fields of a portal call's body, or the 400 with every fault (N21). */
function decodeFields<Value>(
  input: unknown,
  read: (fields: BodyFields) => Value,
): { value: Value } | { refusal: WireReply } {
  const body = readBody(input, read);
  if ('request' in body) return { value: body.request };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const missing = isObject ? null : readBody({}, read);
  const more = missing !== null && 'messages' in missing ? missing.messages : [];
  return { refusal: invalidInput([...body.messages, ...more]) };
}

/** The 400 of a portal call; nothing changed. */
function invalidInput(messages: readonly string[]): WireReply {
  return errorB(400, messages, { decidedBy: 'validation', tier: 'assumed N21' });
}

/** A text that is stored and shown, without the card numbers in it. */
function shownText(value: unknown): Read<string> {
  const read = requiredText(value);
  return 'fault' in read ? read : { value: withoutCardNumbers(read.value) };
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

/** 204: done, without a body. */
function emptyReply(tier: string): WireReply {
  return { status: 204, body: null, decidedBy: 'portal', tier };
}

/** The 404 of an unknown id (N21). */
const unknownRecord = errorB(404, 'Not found', {
  decidedBy: 'unknown-id',
  tier: 'assumed N21',
});

const keysPath = '/merchant/account/credentials';
const shownDigits = 4;

/** A key's record with the key as it is to be shown (N17). No key of the sandbox expires. */
function keyRecord({ id, environment, status, createdAt }: ApiKey, apiKey: string) {
  return { id, apiKey, environment, status, createdAt: iso(createdAt), expiresAt: null };
}

function masked(apiKey: string): string {
  return `${'*'.repeat(12)}${apiKey.slice(-shownDigits)}`;
}

/** §4.13, N17. */
export function retrieveCredentials({ machine, policy, tenants }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'retrieveCredentials',
    method: 'GET',
    path: keysPath,
    perform: (_nothing, { tenant, environment }) => {
      const { apiKeys } = machine.tenant(tenant).account;
      const secrets = tenants.secrets(tenant);
      const credentials = apiKeys
        .filter((key) => key.environment === environment)
        .map((key) => {
          const apiKey = secrets.apiKey(environment, key.id);
          return keyRecord(key, policy.has('fullKeys') ? apiKey : masked(apiKey));
        });
      return portalReply(200, { credentials }, 'assumed N17');
    },
  };
}

/** §4.14, N18: the new key in full, this once; the old ones live until they are revoked. */
export function rotateApiKey({ machine, policy, tenants }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
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
  };
}

/** The policy `rotationRevokes`: the new key is the only one of its environment. */
function revokeOthers(machine: Machine, { tenant, environment }: Caller, newest: string): void {
  const { apiKeys } = machine.tenant(tenant).account;
  const others = apiKeys.filter((key) => key.environment === environment && key.id !== newest);
  for (const { id } of others) {
    machine.execute({ kind: 'revoke-key', tenant, environment, id });
  }
}

/** N18. */
export function revokeApiKey({ machine }: SandboxParts): Operation<{ id: string }> {
  return {
    ...portalRecordOperation,
    name: 'revokeApiKey',
    method: 'DELETE',
    path: `${keysPath}/:id`,
    decode: (input) => ({ value: { id: recordId(input) } }),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'revoke-key', ...caller, ...given });
      return reply.kind === 'unknown-id' ? unknownRecord : emptyReply('assumed N18');
    },
  };
}

/** `POST /auth/login` (§5, N16). It does not say whether the name or the password was wrong. */
export function logIn({
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

/** §4.15, N19. */
export function listSdkTokens({ machine }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'listSdkTokens',
    method: 'GET',
    path: sdkTokensPath,
    perform: (_nothing, { tenant, environment }) => {
      const { sdkTokens } = machine.tenant(tenant);
      const own = sdkTokens.filter((token) => token.environment === environment);
      return portalReply(200, { sdkTokens: own.map(sdkTokenRecord) }, 'assumed N19');
    },
  };
}

interface NewSdkToken {
  readonly name: string;
  readonly type: SdkTokenType | null;
  readonly terminalId: string | null;
}

/** §4.16, N19: the token itself is answered this once. */
export function createSdkToken({ machine, policy, tenants }: SandboxParts): Operation<NewSdkToken> {
  return {
    ...portalOperation,
    name: 'createSdkToken',
    method: 'POST',
    path: sdkTokensPath,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        name: fields.take('name', shownText, ''),
        type: fields.has('type') ? fields.take('type', word(sdkTokenTypes), null) : null,
        terminalId: fields.has('terminalId') ? fields.take('terminalId', shownText, '') : null,
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'create-sdk-token', ...caller, ...given });
      if (reply.kind === 'too-many') {
        return invalidInput([`a merchant has at most ${mostSdkTokens} SDK tokens`]);
      }
      const token = policy.has('noSecrets')
        ? {}
        : { token: tenants.secrets(caller.tenant).sdkToken(reply.sdkToken.id) };
      return portalReply(201, { ...sdkTokenRecord(reply.sdkToken), ...token }, 'assumed N19');
    },
  };
}

/** §4.17, N19. */
export function updateSdkToken({
  machine,
}: SandboxParts): Operation<{ id: string; status: SdkTokenStatus }> {
  return {
    ...portalRecordOperation,
    name: 'updateSdkToken',
    method: 'PATCH',
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
        : portalReply(200, sdkTokenRecord(reply.sdkToken), 'assumed N19');
    },
  };
}

const webhooksPath = '/merchant/account/webhooks';
const pathOfOne = `${webhooksPath}/:id`;

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

/** §4.9. */
export function listWebhooks({ machine }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'listWebhooks',
    method: 'GET',
    path: webhooksPath,
    perform: (_nothing, { tenant, environment }) => {
      const { webhooks } = machine.tenant(tenant);
      const own = webhooks.filter((webhook) => webhook.environment === environment);
      return portalReply(200, { webhooks: own.map(webhookRecord) }, 'spec §4.9');
    },
  };
}

interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookType[];
  readonly active: boolean;
}

/** §4.10, N12; without `events` it gets all. */
export function createWebhook({ machine, policy, tenants }: SandboxParts): Operation<NewWebhook> {
  return {
    ...portalOperation,
    name: 'createWebhook',
    method: 'POST',
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
      const secret = policy.has('noSecrets')
        ? {}
        : { secret: tenants.secrets(caller.tenant).webhookSecret(reply.webhook.id) };
      return portalReply(201, { ...webhookRecord(reply.webhook), ...secret }, 'assumed N12');
    },
  };
}

/** §4.11, N12. Absent fields keep their values. */
export function updateWebhook({
  machine,
}: SandboxParts): Operation<{ id: string; changes: WebhookChanges }> {
  return {
    ...portalRecordOperation,
    name: 'updateWebhook',
    method: 'PATCH',
    path: pathOfOne,
    decode: (input) =>
      decodeFields(input, (fields) => {
        const changes: WebhookChanges = {
          ...(fields.has('url') ? { url: fields.take('url', urlText, '') } : {}),
          ...(fields.has('events') ? { events: takeEvents(fields) } : {}),
          ...(fields.has('active') ? { active: fields.take('active', boolean, true) } : {}),
        };
        if (Object.keys(changes).length === 0) {
          fields.messages.push('at least one of url, events and active should be given');
        }
        return { id: recordId(input), changes };
      }),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'update-webhook', ...caller, ...given });
      return reply.kind === 'unknown-id'
        ? unknownRecord
        : portalReply(200, webhookRecord(reply.webhook), 'assumed N12');
    },
  };
}

/** §4.12, N12. */
export function deleteWebhook({ machine }: SandboxParts): Operation<{ id: string }> {
  return {
    ...portalRecordOperation,
    name: 'deleteWebhook',
    method: 'DELETE',
    path: pathOfOne,
    decode: (input) => ({ value: { id: recordId(input) } }),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'delete-webhook', ...caller, ...given });
      return reply.kind === 'unknown-id' ? unknownRecord : emptyReply('assumed N12');
    },
  };
}
