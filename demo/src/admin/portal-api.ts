import type { GatewayClient } from '@pay-button/server-helper';
import { Router } from 'express';
import { bodyFields } from '../http/body.ts';

/** The events of a webhook that names none (assumption N13). */
const everyEvent = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;

/** The merchant portal's resources, as the gateway's client answers them. */
export function portalApi(gateway: GatewayClient): Router {
  const router = Router();
  webhookRoutes(router, gateway);
  router.get('/credentials', async (_request, response) => {
    response.json(await gateway.retrieveCredentials());
  });
  router.post('/credentials/rotate', async (_request, response) => {
    response.status(201).json(await gateway.rotateApiKey());
  });
  router.get('/sdk-tokens', async (_request, response) => {
    response.json(await gateway.listSdkTokens());
  });
  router.post('/sdk-tokens', async (request, response) => {
    const body = bodyFields(request.body);
    const created = await gateway.createSdkToken({
      name: body.text('name'),
      type: body.text('type') || undefined,
      terminalId: body.text('terminalId') || undefined,
    });
    response.status(201).json(created);
  });
  router.patch('/sdk-tokens/:id', async (request, response) => {
    const { id } = request.params;
    const status = bodyFields(request.body).value('status') as 'ACTIVE' | 'DISABLED';
    response.json(await gateway.updateSdkToken({ id, status }));
  });
  return router;
}

function webhookRoutes(router: Router, gateway: GatewayClient): void {
  router.get('/webhooks', async (_request, response) => {
    response.json(await gateway.listWebhooks());
  });
  router.post('/webhooks', async (request, response) => {
    const body = bodyFields(request.body);
    const created = await gateway.createWebhook({
      url: body.text('url'),
      events: namesOf(body.value('events')) ?? everyEvent,
      active: switchOf(body.value('active')) ?? true,
    });
    response.status(201).json(created);
  });
  router.patch('/webhooks/:id', async (request, response) => {
    const { id } = request.params;
    const body = bodyFields(request.body);
    const changed = await gateway.updateWebhook({
      id,
      url: body.text('url') || undefined,
      events: namesOf(body.value('events')),
      active: switchOf(body.value('active')),
    });
    response.json(changed);
  });
  router.delete('/webhooks/:id', async (request, response) => {
    await gateway.deleteWebhook({ id: request.params.id });
    response.status(204).end();
  });
}

// What has the wrong type goes on as it came: the client refuses it and names the field.
const namesOf = (value: unknown): readonly string[] | undefined =>
  value === undefined ? undefined : (value as readonly string[]);
const switchOf = (value: unknown): boolean | undefined =>
  value === undefined ? undefined : (value as boolean);
