import { describe, expect, it, vi } from 'vitest';
import { sessionId } from '../../packages/server-helper/src/ids.ts';
import { blackHole } from '../../packages/server-helper/test-support/black-hole.ts';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { OfficeOfShop, ownKeysIn, WEBHOOK } from './shop.ts';

const shop = new OfficeOfShop();

describe('the gateway’s page', () => {
  it('says that the gateway answers, where and as what, and that the key works', async () => {
    const noura = shop.visitor();
    const page = await noura.text('gateway');
    expect(page).toContain('data-test="gateway-reached"');
    expect(page).toContain(shop.tenant.baseUrl);
    expect(ownKeysIn(page)).toEqual(['succeeded']);
    expect(page).not.toContain(shop.tenant.apiKey);
    expect(page).not.toContain(shop.tenant.portal.password);
    expect(page).toContain(shop.tenant.apiKey.slice(-4));
  });

  it('says which of two keys the gateway refuses', async () => {
    const noura = await shop.reopen({
      gateway: { apiKey: [shop.tenant.apiKey, 'a-key-that-was-revoked'] },
    });
    const page = await noura.text('gateway');
    expect(ownKeysIn(page)).toEqual(['succeeded', 'failed']);
    expect(page).toContain('data-test="key-refused"');
  });

  it('comes without a gateway too, and says so', async () => {
    const noura = await shop.reopen({ gateway: { baseUrl: 'http://127.0.0.1:9/v1' } });
    const answer = await noura.get('gateway');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('data-test="gateway-not-reached"');
    expect(page.match(/data-test="list-unread"/g)).toHaveLength(3);
    expect(ownKeysIn(page)).toEqual(['unknown']);
  });

  it('comes without an answer of the gateway too: it waits four seconds for each question', async () => {
    const hole = await blackHole(shop.sandbox.url);
    hole.open();
    const real = setTimeout;
    const waits: unknown[] = [];
    // Four seconds are over at once.
    const timers = vi.spyOn(globalThis, 'setTimeout');
    timers.mockImplementation((wake: () => void, milliseconds?: number) => {
      waits.push(milliseconds);
      return real(wake, milliseconds === 4_000 ? 0 : milliseconds);
    });
    const noura = await shop.reopen({ gateway: { baseUrl: `${hole.url}v1` } });
    const page = await noura.text('gateway');
    expect(page).toContain('data-test="gateway-not-reached"');
    expect(page.match(/data-test="list-unread"/g)).toHaveLength(3);
    timers.mockRestore();
    expect(waits).toContain(4_000);
    // The login that the questions share goes on without them, by the client's own deadline.
    expect(waits.filter((milliseconds) => milliseconds === 30_000)).toHaveLength(1);
    await hole.end();
  });

  it('says what to set where the shop has no login for the portal', async () => {
    const noura = await shop.reopen({ gateway: { portal: undefined } });
    const page = await noura.text('gateway');
    expect(page).toContain('GATEWAY_PORTAL_USERNAME');
    expect(page).toContain(WEBHOOK);
    expect(page).not.toContain('key-rotate');
    const answer = await noura.get('gateway/rotate-key');
    expect([answer.status, await problemIn(answer)]).toEqual([404, 'not_found']);
  });

  it('says what the health route finds wrong with the gateway, and what to do', async () => {
    const noura = shop.visitor();
    const { gateway } = shop;
    expect(await noura.text('gateway')).not.toContain('gateway-finding');
    const fault = { operation: 'retrieveStatus', place: 'body', kind: 'empty' } as const;
    await shop.control.addFault({ ...fault, count: null });
    await gateway.retrieveStatus({ sessionId: sessionId('any') }).catch(() => undefined);
    expect(await noura.text('gateway')).toContain('Status answers cannot be read');
  });
});
