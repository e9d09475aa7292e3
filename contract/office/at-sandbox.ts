import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { PaymentsOptions } from '../../packages/server-helper/src/index.ts';
import {
  startOfficeShop,
  type OfficeShop,
  type OfficeShopOptions,
} from '../../packages/server-helper/test-support/office-shop.ts';
import { OfficeVisitor } from '../../packages/server-helper/test-support/office-visitor.ts';

/** Where the shop of these tests takes webhooks. */
export const WEBHOOK = 'https://shop.example/pay/webhook';

type GatewayOptions = PaymentsOptions<unknown>['gateway'];

/** A sandbox, and a shop with a back office at it; a test starts the shop, and the sandbox is new for each. */
export class OfficeAtSandbox {
  sandbox!: Sandbox;
  shop!: OfficeShop;

  constructor() {
    beforeAll(async () => {
      this.sandbox = await startSandbox({ port: 0 });
    });
    afterAll(() => this.sandbox.close());
    afterEach(async () => {
      await this.shop.close();
      await this.sandbox.control.reset();
    });
  }

  /** Starts the shop, and gives a person who may be in its back office. */
  async start(
    gateway: Partial<GatewayOptions> = {},
    more: OfficeShopOptions = {},
  ): Promise<OfficeVisitor> {
    const { baseUrl, apiKey, portal } = this.sandbox;
    this.shop = await startOfficeShop({
      ...more,
      payments: {
        ...more.payments,
        gateway: { environment: 'staging', baseUrl, apiKey, portal, ...gateway },
      },
    });
    return new OfficeVisitor(this.shop);
  }
}

/** The secret that a page shows; empty for none. */
export const secretIn = (page: string): string =>
  /data-test="secret"\s*>([^<]+)</.exec(page)?.[1]?.trim() ?? '';

/** How each of the shop's own keys did. */
export const ownKeysIn = (page: string): readonly string[] =>
  [...page.matchAll(/data-test="own-key" data-state="(\w+)"/g)].map(([, state = '']) => state);

/** Confirms an action, and gives the answer to the press. */
export const confirmed = async (visitor: OfficeVisitor, address: string): Promise<Response> =>
  visitor.send(await visitor.form(address));
