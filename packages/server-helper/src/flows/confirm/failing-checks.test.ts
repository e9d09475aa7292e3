import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../../test-support/shop.ts';

const ORDER = '1001';
const customer = { phone: '0598765432' };
const MINUTE_MS = 60_000;

describe.each(flowStores)(
  'health while the money of an order cannot be recorded (%s store)',
  (name) => {
    let fresh: FreshStore;
    let shop: Shop;
    /** Another process, none of whose hooks has failed. */
    let other: Shop;
    let fault: 'loadOrder' | 'inTransaction' | null;
    const shipped: string[] = [];

    const fail = (hook: typeof fault): void => {
      if (fault === hook) throw new Error('the shop’s own code');
    };

    beforeEach(async () => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      fault = null;
      shipped.length = 0;
      fresh = await freshStore(name);
      const payments: NonNullable<ShopOptions['payments']> = {
        store: fresh.store,
        loadOrder: (orderId, request) => {
          if (request === undefined) fail('loadOrder');
          return { orderId, amount: '115.00', customer };
        },
        inTransaction: () => fail('inTransaction'),
        on: { paid: ({ orderId }) => void shipped.push(orderId) },
      };
      shop = await Shop.start({ payments });
      other = await Shop.start({ payments });
    });
    afterEach(async () => {
      await shop.close();
      await other.close();
      await fresh.end();
      vi.restoreAllMocks();
    });

    async function minutes(count: number): Promise<void> {
      for (let minute = 0; minute < count; minute += 1) {
        for (const one of [shop, other]) one.later(MINUTE_MS + 1_000);
        await shop.payments.tick();
      }
    }

    const healthOf = async (one: Shop) => (await one.send('/pay/health')).json;

    it.each(['loadOrder', 'inTransaction'] as const)(
      'names it while %s throws, in every process, and no more once it works',
      async (hook) => {
        const { session } = await shop.open(ORDER);
        fault = hook;
        shop.gateway.rows.set(session, [statusRow()]);
        await minutes(2);
        expect(await healthOf(other)).toMatchObject({ status: 'ok', findings: [] });
        await minutes(5);
        for (const one of [shop, other]) {
          const { status, findings, backlog, oldest } = await healthOf(one);
          expect({ status, findings, backlog }).toMatchObject({
            status: 'degraded',
            findings: ['checks_failing'],
            backlog: { failingOrders: 1 },
          });
          const { failingMs } = oldest as Record<string, number>;
          expect(failingMs).toBeGreaterThan(5 * MINUTE_MS);
          expect(failingMs).toBeLessThan(9 * MINUTE_MS);
        }
        expect(shipped).toEqual([]);
        fault = null;
        await minutes(1);
        await shop.payments.tick();
        expect(shipped).toEqual([ORDER]);
        const well = { findings: [], backlog: { failingOrders: 0 }, oldest: { failingMs: null } };
        expect(await healthOf(other)).toMatchObject(well);
      },
    );

    it('does not name an order whose gateway gives no answer', async () => {
      await shop.open(ORDER);
      shop.gateway.answerStatus(502);
      await minutes(7);
      expect(shop.gateway.statusCalls.length).toBeGreaterThan(3);
      expect((await healthOf(other))['findings']).toEqual([]);
    });
  },
);
