import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlClient, createControlClient } from '@pay-button/gateway-sandbox';
import { readSettings } from '../process/settings.ts';
import { startShop } from '../process/start-shop.ts';

/** A shop of one test's own, with its sandbox, in a folder of its own. */
export interface TestShop {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly adminToken: string;
  /** The sandbox's own control; only where the shop started one. */
  readonly control: ControlClient;
  readonly folder: string;
  /** What the shop told its operator. */
  readonly warnings: string[];
  close(): Promise<void>;
}

/** Starts a shop on free ports. Settings of the environment that runs the tests play no part. */
export async function openTestShop(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestShop> {
  const folder = await mkdtemp(join(tmpdir(), 'pay-button-demo-'));
  const warnings: string[] = [];
  const env = { PORT: '0', SANDBOX_PORT: '0', DATABASE_URL: `sqlite:${folder}/shop.db` };
  const given = { ...readSettings({ ...env, ...settings }), dataFolder: folder };
  const shop = await startShop(given, (what) => warnings.push(what));
  const { addresses } = shop;
  return {
    url: addresses.shop,
    sandboxUrl: addresses.sandbox ?? '',
    adminToken: addresses.adminToken,
    control: createControlClient(addresses.sandbox ?? 'http://127.0.0.1:9'),
    folder,
    warnings,
    close: async () => {
      await shop.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
