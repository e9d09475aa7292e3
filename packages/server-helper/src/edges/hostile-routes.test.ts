import { expect, it } from 'vitest';
import { faultsOf, HostileClient, requestsTo } from '../../../../contract/hostile-requests.ts';
import { canaries, Shop } from '../../test-support/shop.ts';
import { resolveWiring } from '../options/wiring.ts';
import { routeTable } from './route-table.ts';

const { routes } = resolveWiring({
  gateway: { environment: 'staging', baseUrl: 'https://gateway.example/v1', apiKey: 'x' },
  publicUrl: 'https://shop.example',
  pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
});

it('each route answers hostile requests as it should', { timeout: 300_000 }, async () => {
  const shop = await Shop.start({
    finish: (app) => app.use((_request, response) => void response.status(404).json({})),
  });
  const { status } = await shop.open();
  const token = status.split('/').at(-1) ?? '';
  const client = new HostileClient(shop.port);
  const faults: string[] = [];
  const known = [...routeTable(routes).values()];
  expect(known.length).toBeGreaterThan(6);
  for (const { template, methods } of known) {
    const path = `/pay${template.replace(/:\w+/, token)}`;
    for (const request of methods.flatMap((method) => requestsTo(method, path))) {
      const answer = await client.send(request);
      // An address that is none of ours is the shop's, which answers it in its own way.
      const isShops = answer.headers['x-content-type-options'] === undefined;
      if (isShops && answer.status === 404) continue;
      const of = `${request.method} ${request.path} ${JSON.stringify(request.headers)}`;
      faults.push(...faultsOf(answer, Object.values(canaries)).map((fault) => `${of}: ${fault}`));
    }
  }
  client.close();
  await shop.close();
  expect(faults).toEqual([]);
});
