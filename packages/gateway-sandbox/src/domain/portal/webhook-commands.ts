import type { Handler } from '../command.ts';
import type { Environment } from '../session.ts';
import type { Tenant } from '../state.ts';
import { mostWebhooks } from './webhook.ts';
import type { Webhook } from './webhook.ts';

export const createWebhook: Handler<'create-webhook'> = (tenant, given, { random }) => {
  if (tenant.webhooks.length >= mostWebhooks) {
    return { tenant, reply: { kind: 'too-many' }, effects: [] };
  }
  const { environment, url, active, events } = given;
  const webhook: Webhook = { id: random.uuid(), environment, url, active, events };
  return {
    tenant: { ...tenant, webhooks: [...tenant.webhooks, webhook] },
    reply: { kind: 'created', webhook },
    effects: [],
  };
};

/** What is not named in the changes stays. */
export const updateWebhook: Handler<'update-webhook'> = (tenant, { environment, id, changes }) => {
  const before = findWebhook(tenant, environment, id);
  if (before === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  const webhook = { ...before, ...changes };
  return {
    tenant: {
      ...tenant,
      webhooks: tenant.webhooks.map((other) => (other === before ? webhook : other)),
    },
    reply: { kind: 'updated', webhook },
    effects: [],
  };
};

export const deleteWebhook: Handler<'delete-webhook'> = (tenant, { environment, id }) => {
  const webhook = findWebhook(tenant, environment, id);
  if (webhook === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  return {
    tenant: { ...tenant, webhooks: tenant.webhooks.filter((other) => other !== webhook) },
    reply: { kind: 'deleted' },
    effects: [],
  };
};

function findWebhook(tenant: Tenant, environment: Environment, id: string): Webhook | undefined {
  return tenant.webhooks.find(
    (webhook) => webhook.environment === environment && webhook.id === id,
  );
}
