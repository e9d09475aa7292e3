import { describe, expect, it, vi } from 'vitest';
import { sessionId } from '../../packages/server-helper/src/ids.ts';
import { blackHole } from '../../packages/server-helper/test-support/black-hole.ts';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { OfficeAtSandbox, ownKeysIn, WEBHOOK } from './at-sandbox.ts';

const at = new OfficeAtSandbox();

describe('the gateway’s page', () => {
  it('says that the gateway answers, where and as what, and that the key works', async () => {
    const noura = await at.start();
    const page = await noura.text('gateway');
    expect(page).toContain('data-test="gateway-reached"');
    expect(page).toContain(at.sandbox.baseUrl);
    expect(ownKeysIn(page)).toEqual(['succeeded']);
    expect(page).not.toContain(at.sandbox.apiKey);
    expect(page).not.toContain(at.sandbox.portal.password);
    expect(page).toContain(at.sandbox.apiKey.slice(-4));
  });

  it('says which of two keys the gateway refuses', async () => {
    const noura = await at.start({ apiKey: [at.sandbox.apiKey, 'a-key-that-was-revoked'] });
    const page = await noura.text('gateway');
    expect(ownKeysIn(page)).toEqual(['succeeded', 'failed']);
    expect(page).toContain('data-test="key-refused"');
  });

  it('comes without a gateway too, and says so', async () => {
    const noura = await at.start({ baseUrl: 'http://127.0.0.1:9/v1' });
    const answer = await noura.get('gateway');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('data-test="gateway-not-reached"');
    expect(page.match(/data-test="list-unread"/g)).toHaveLength(3);
    expect(ownKeysIn(page)).toEqual(['unknown']);
  });

  it('comes without an answer of the gateway too: it waits four seconds for each question', async () => {
    const hole = await blackHole(at.sandbox.url);
    hole.open();
    const real = setTimeout;
    const waits: unknown[] = [];
    // Four seconds are over at once.
    const timers = vi.spyOn(globalThis, 'setTimeout');
    timers.mockImplementation((wake: () => void, milliseconds?: number) => {
      waits.push(milliseconds);
      return real(wake, milliseconds === 4_000 ? 0 : milliseconds);
    });
    const noura = await at.start({ baseUrl: `${hole.url}v1` });
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
    const noura = await at.start({ portal: undefined });
    const page = await noura.text('gateway');
    expect(page).toContain('GATEWAY_PORTAL_USERNAME');
    expect(page).toContain(WEBHOOK);
    expect(page).not.toContain('key-rotate');
    const answer = await noura.get('gateway/rotate-key');
    expect([answer.status, await problemIn(answer)]).toEqual([404, 'not_found']);
  });

  it('says what the health route finds wrong with the gateway, and what to do', async () => {
    const noura = await at.start();
    const { gateway } = at.shop.payments;
    expect(await noura.text('gateway')).not.toContain('gateway-finding');
    const fault = { operation: 'retrieveStatus', place: 'body', kind: 'empty' } as const;
    await at.sandbox.control.addFault({ ...fault, count: null });
    await gateway.retrieveStatus({ sessionId: sessionId('any') }).catch(() => undefined);
    expect(await noura.text('gateway')).toContain('Status answers cannot be read');
  });
});
