import type { Router } from 'express';
import { formatAmount } from '../../domain/amount.ts';
import type { WebhookEffect } from '../../domain/effect.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { controlRoute } from './control-call.ts';

/** `events`: what webhooks have to tell, whether or not anyone subscribed; the last ones. */
export function addEventRoutes(router: Router, { machine }: SandboxParts): void {
  router.get(
    '/events',
    controlRoute(async ({ tenant, request: { query } }) => {
      const { merchantOrderId } = query;
      await machine.settled();
      const events = machine
        .effects(tenant)
        .filter((effect) => effect.kind === 'webhook-event')
        .filter(
          ({ event }) => merchantOrderId === undefined || event.merchantOrderId === merchantOrderId,
        )
        .toReversed();
      return { answer: { events: events.map(describeEvent) } };
    }),
  );
}

function describeEvent({ at, event }: WebhookEffect): object {
  return {
    id: event.id,
    at: new Date(at).toISOString(),
    type: event.type,
    status: event.status,
    environment: event.environment,
    merchantOrderId: event.merchantOrderId,
    transactionId: event.transactionId,
    amount: formatAmount(event.amountMinor),
    reason: event.reason,
  };
}
