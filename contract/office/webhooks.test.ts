import { describe, expect, it } from 'vitest';
import { OfficeVisitor } from '../../packages/server-helper/test-support/office-visitor.ts';
import { confirmed, OfficeOfShop, secretIn, WEBHOOK } from './shop.ts';

const shop = new OfficeOfShop();

describe('a webhook', () => {
  const idIn = async (): Promise<string> =>
    (await shop.gateway.listWebhooks()).webhooks[0]?.id ?? '';

  it('is made to the shop’s own address, and its secret is in that answer alone', async () => {
    const noura = shop.visitor();
    const page = await noura.text('gateway');
    expect(page).toContain('data-test="webhook-missing"');
    expect(page).toContain(`value="${WEBHOOK}"`);
    const ask = `gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}&active=yes`;
    expect((await shop.gateway.listWebhooks()).webhooks).toEqual([]);
    const answer = await confirmed(noura, ask);
    const made = await answer.text();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(secretIn(made)).toMatch(/^whsec_\w{16,}$/);
    const after = await noura.text('gateway');
    expect(after).not.toContain('webhook-missing');
    expect(after).not.toContain(secretIn(made));
  });

  it('is made once, and a double press still shows the secret', async () => {
    const noura = shop.visitor();
    const form = await noura.form(`gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`);
    const answers = await Promise.all([noura.send(form), noura.send(form)]);
    const [first, second] = await Promise.all(answers.map((one) => one.text()));
    expect(secretIn(first ?? '')).toMatch(/^whsec_/);
    expect(secretIn(second ?? '')).toBe(secretIn(first ?? ''));
    const omar = new OfficeVisitor(shop, { 'x-actor': 'Omar' });
    const stolen = await omar.form('gateway/create-webhook?url=https://shop.example/x');
    stolen.fields.set('request', form.fields.get('request') ?? '');
    expect(await (await omar.send(stolen)).text()).not.toContain(secretIn(first ?? ''));
    const { webhooks } = await shop.gateway.listWebhooks();
    expect(webhooks.filter(({ url }) => url === WEBHOOK)).toHaveLength(1);
  });

  it('is not made by an old question: the list has changed since', async () => {
    const noura = shop.visitor();
    const ask = `gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`;
    const old = await noura.form(ask);
    await confirmed(noura, ask);
    const answer = await noura.send(old);
    expect([answer.status, secretIn(await answer.text())]).toEqual([409, '']);
    expect((await shop.gateway.listWebhooks()).webhooks).toHaveLength(1);
  });

  it('is not made to what is no web address', async () => {
    const noura = shop.visitor();
    const answer = await noura.get('gateway/create-webhook?url=javascript:alert(1)');
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('data-test="mistake"');
  });

  it('is off from the start where the shop takes signed webhooks only, and is switched on later', async () => {
    const noura = await shop.reopen({
      payments: { webhookSecrets: ['whsec_0123456789abcdef0123'] },
    });
    expect(await noura.text('gateway')).not.toMatch(/name="active" value="yes"\s+checked/);
    const ask = `gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`;
    expect(await (await confirmed(noura, ask)).text()).toContain('GATEWAY_WEBHOOK_SECRET=whsec_');
    const id = await idIn();
    for (const [to, active] of [
      ['on', true],
      ['off', false],
    ] as const) {
      const answer = await confirmed(noura, `gateway/switch-webhook?id=${id}&to=${to}`);
      const location = `../gateway?notice=webhook_${to}`;
      expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
      const { webhooks } = await shop.gateway.listWebhooks();
      expect(webhooks.map((one) => one.active)).toEqual([active]);
    }
  });

  it('is deleted, and a second press says the same', async () => {
    const noura = shop.visitor();
    await confirmed(noura, `gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`);
    const form = await noura.form(`gateway/delete-webhook?id=${await idIn()}`);
    for (const press of [1, 2]) {
      const answer = await noura.send(form);
      const location = '../gateway?notice=webhook_deleted';
      expect([press, answer.headers.get('location')]).toEqual([press, location]);
    }
    expect((await shop.gateway.listWebhooks()).webhooks).toEqual([]);
  });
});
