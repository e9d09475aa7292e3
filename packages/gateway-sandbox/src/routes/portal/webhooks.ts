import type { Webhook, WebhookChanges, WebhookType } from '../../domain/portal/portal-commands.ts';
import { mostWebhooks, webhookTypes } from '../../domain/portal/portal-commands.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Operation } from '../operation.ts';
import { BodyFields, invalidInput } from './body-fields.ts';
import {
  gone,
  portalOperation,
  portalQuestion,
  portalRecordOperation,
  recordId,
  told,
  unknownRecord,
} from './portal-operation.ts';

const path = '/merchant/account/webhooks';
const pathOfOne = `${path}/:id`;

/** A webhook as the wire tells it; the signing secret is told once, on create. */
function webhookRecord({ id, url, active, events }: Webhook) {
  return { id, url, active, events: events.length === 0 ? [...webhookTypes] : events };
}

/** §4.9. */
export function listWebhooks({ machine }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'listWebhooks',
    method: 'GET',
    path,
    perform: async (_nothing, { tenant, environment }) => {
      const { webhooks } = machine.tenant(tenant);
      await machine.settled();
      const own = webhooks.filter((webhook) => webhook.environment === environment);
      return told(200, { webhooks: own.map(webhookRecord) }, 'spec §4.9');
    },
  };
}

interface NewWebhook {
  readonly url: string;
  readonly events: readonly WebhookType[];
  readonly active: boolean;
}

/** §4.10, N12; without `events` it gets all. */
export function createWebhook({ machine, tenants }: SandboxParts): Operation<NewWebhook> {
  return {
    ...portalOperation,
    name: 'createWebhook',
    method: 'POST',
    path,
    decode: (input) => {
      const fields = new BodyFields(input);
      return fields.decoded({
        url: fields.url('url'),
        events: fields.has('events') ? fields.words('events', webhookTypes) : [],
        active: fields.has('active') ? fields.boolean('active') : true,
      });
    },
    perform: async (given, caller) => {
      const { reply } = await machine.execute({ kind: 'create-webhook', ...caller, ...given });
      if (reply.kind === 'too-many') {
        return invalidInput([`a merchant has at most ${mostWebhooks} webhooks`]);
      }
      const secret = tenants.secrets(caller.tenant).webhookSecret(reply.webhook.id);
      return told(201, { ...webhookRecord(reply.webhook), secret }, 'assumed N12');
    },
  };
}

/** §4.11, N12; what is absent stays. */
export function updateWebhook({
  machine,
}: SandboxParts): Operation<{ id: string; changes: WebhookChanges }> {
  return {
    ...portalRecordOperation,
    name: 'updateWebhook',
    method: 'PATCH',
    path: pathOfOne,
    decode: (input) => {
      const fields = new BodyFields(input);
      const changes: WebhookChanges = {
        ...(fields.has('url') ? { url: fields.url('url') } : {}),
        ...(fields.has('events') ? { events: fields.words('events', webhookTypes) } : {}),
        ...(fields.has('active') ? { active: fields.boolean('active') } : {}),
      };
      if (Object.keys(changes).length === 0) {
        fields.messages.push('at least one of url, events and active should be given');
      }
      return fields.decoded({ id: recordId(input), changes });
    },
    perform: async (given, caller) => {
      const { reply } = await machine.execute({ kind: 'update-webhook', ...caller, ...given });
      return reply.kind === 'unknown-id'
        ? unknownRecord
        : told(200, webhookRecord(reply.webhook), 'assumed N12');
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
    perform: async (given, caller) => {
      const { reply } = await machine.execute({ kind: 'delete-webhook', ...caller, ...given });
      return reply.kind === 'unknown-id' ? unknownRecord : gone('assumed N12');
    },
  };
}
