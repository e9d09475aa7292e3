import express from 'express';
import { expect, onTestFinished, vi } from 'vitest';
import { faultsOfRoutes, routesOfApps } from '../../../../contract/hostile-requests.ts';
import { RouteTable } from '../gateway/routes.ts';
import { send, startForTest } from './sandbox-for-test.ts';

/** What is wrong with the answers of each route of a sandbox to hostile requests, all or some. */
export async function hostileFaults(host: string, every: number): Promise<readonly string[]> {
  const uses = vi.spyOn(express.Router.prototype, 'use');
  const adds = vi.spyOn(RouteTable.prototype, 'add');
  onTestFinished(() => {
    uses.mockRestore();
    adds.mockRestore();
  });
  const sandbox = await startForTest({ host });
  const { id } = await sandbox.createLink();
  // The pages and the control API are made for the first request to one of them.
  await send(`http://127.0.0.1:${sandbox.port}/favicon.ico`);
  const routes = [
    ...routesOfApps(uses.mock.contexts),
    ...adds.mock.calls.map(([method, path]) => ({ method, path })),
  ].map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, id) }));
  expect(routes.length).toBeGreaterThan(60);
  // Without a token the control API tells its keys to this machine.
  const secrets = host === '0.0.0.0' ? [sandbox.apiKey, sandbox.controlToken ?? '-'] : [];
  return faultsOfRoutes(routes, { port: sandbox.port, secrets, every });
}
