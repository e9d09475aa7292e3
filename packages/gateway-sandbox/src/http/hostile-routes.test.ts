import express from 'express';
import { afterAll, expect, test, vi } from 'vitest';
import { faultsOf, HostileClient, requestsTo } from '../../../../contract/hostile-requests.ts';
import { routesOfApps } from '../../../../contract/routes-of-apps.ts';
import { RouteTable } from '../routes/route-table.ts';
import { createLink, send, startForTest } from '../testing/sandbox-for-test.ts';

const uses = vi.spyOn(express.Router.prototype, 'use');
const adds = vi.spyOn(RouteTable.prototype, 'add');
afterAll(() => vi.restoreAllMocks());

test.each(['127.0.0.1', '0.0.0.0'])(
  'each route of a sandbox at %s answers hostile requests as it should',
  { timeout: 300_000 },
  async (host) => {
    uses.mockClear();
    adds.mockClear();
    const sandbox = await startForTest({ host });
    const { id } = await createLink(sandbox);
    // The pages and the control API are made for the first request to one of them.
    await send(`http://127.0.0.1:${sandbox.port}/favicon.ico`);
    const routes = [
      ...routesOfApps(uses.mock.contexts),
      ...adds.mock.calls.map(([method, path]) => ({ method, path })),
    ];
    expect(routes.length).toBeGreaterThan(60);
    // Without a token the control API tells its keys to this machine.
    const secrets = host === '0.0.0.0' ? [sandbox.apiKey, sandbox.controlToken ?? '-'] : [];
    const client = new HostileClient(sandbox.port);
    const faults: string[] = [];
    await Promise.all(
      routes.map(async ({ method, path }) => {
        for (const request of requestsTo(method, path.replaceAll(/:\w+/g, id))) {
          const answer = await client.send(request);
          const of = `${request.method} ${request.path} ${JSON.stringify(request.headers)}`;
          faults.push(...faultsOf(answer, secrets).map((fault) => `${of}: ${fault}`));
        }
      }),
    );
    client.close();
    expect(faults).toEqual([]);
  },
);
