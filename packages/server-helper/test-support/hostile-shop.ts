import { expect } from 'vitest';
import { faultsOf, HostileClient, requestsTo } from '../../../contract/hostile-requests.ts';
import { routeTable } from '../src/edges/routes.ts';
import { resolveWiring } from '../src/options/wiring.ts';
import { canaries, Shop, type ShopOptions } from './shop.ts';
import { someOptions } from './some-options.ts';

const { routes } = resolveWiring(someOptions());

/** What is wrong with the answers of each route to hostile requests. */
export async function hostileFaults(options: ShopOptions = {}): Promise<readonly string[]> {
  const shop = await Shop.start({
    ...options,
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
  return faults;
}
