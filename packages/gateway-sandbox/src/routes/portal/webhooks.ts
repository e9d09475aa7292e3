import type { BodyFields, Read } from '../../domain/body-fields.ts';
import { mostWebhooks, webhookTypes } from '../../domain/portal/portal-commands.ts';
import type { Webhook, WebhookChanges, WebhookType } from '../../domain/portal/portal-commands.ts';
import type { Operation } from '../operation.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import {
  boolean,
  decodeFields,
  emptyReply,
  findWord,
  invalidInput,
  portalOperation,
  portalQuestion,
  portalRecordOperation,
  portalReply,
  recordId,
  unknownRecord,
  urlText,
} from './portal-operation.ts';

const path = '/merchant/account/webhooks';
const pathOfOne = `${path}/:id`;

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
    path,
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
    path,
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
