import { describe, expect, it } from 'vitest';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { confirmed, OfficeOfShop, ownKeysIn, secretIn, WEBHOOK } from './shop.ts';

const shop = new OfficeOfShop();

describe('an API key', () => {
  it('is replaced while both live: shown once, tried, and seen to work before the old one ends', async () => {
    const noura = shop.visitor();
    const question = await noura.text('gateway/rotate-key');
    expect(question).toContain('Some gateways may end the old key at once');
    const answer = await confirmed(noura, 'gateway/rotate-key');
    const page = await answer.text();
    const key = secretIn(page);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(key).toMatch(/^sandbox_staging_\w{32}$/);
    expect(page).toMatch(/data-test="new-key"\s+data-state="works"/);
    expect(page).toMatch(/data-test="old-key"\s+data-state="works"/);
    expect(await noura.text('gateway')).not.toContain(key);

    const both = await shop.reopen({ gateway: { apiKey: [key, shop.tenant.apiKey] } });
    expect(ownKeysIn(await both.text('gateway'))).toEqual(['succeeded', 'succeeded']);
    expect((await both.text('gateway')).match(/data-test="key-used"/g)).toHaveLength(2);
  });

  it('that the gateway ended with the new one is said so, at once', async () => {
    await shop.control.setPolicy(['rotationRevokes']);
    const noura = shop.visitor();
    const page = await (await confirmed(noura, 'gateway/rotate-key')).text();
    expect(page).toMatch(/data-test="new-key"\s+data-state="works"/);
    expect(page).toMatch(/data-test="old-key"\s+data-state="refused"/);
  });

  it('that came in another form is shown all the same, with the whole answer', async () => {
    const noura = await shop.reopen({
      gateway: { profile: { operations: { rotateApiKey: { answer: { apiKey: '/elsewhere' } } } } },
    });
    const page = await (await confirmed(noura, 'gateway/rotate-key')).text();
    expect(page).toMatch(/data-test="secret"[^]*sandbox_staging_\w{32}/);
  });
});

describe('an SDK token', () => {
  it('is made, shown once, and switched off', async () => {
    const noura = shop.visitor();
    const ask = 'gateway/create-sdk-token?name=Till%203&type=SOFTPOS&terminalId=T-3';
    const token = secretIn(await (await confirmed(noura, ask)).text());
    expect(token).toMatch(/^sandbox_sdk_/);
    const page = await noura.text('gateway');
    expect(page).toContain('Till 3');
    expect(page).not.toContain(token);
    const [made] = (await shop.gateway.listSdkTokens()).sdkTokens;
    await confirmed(noura, `gateway/switch-sdk-token?id=${made?.id}&to=off`);
    const { sdkTokens } = await shop.gateway.listSdkTokens();
    expect(sdkTokens.map(({ status }) => status)).toEqual(['DISABLED']);
  });

  it('needs a name', async () => {
    const noura = shop.visitor();
    expect((await noura.get('gateway/create-sdk-token?name=%20')).status).toBe(422);
  });
});

it('who may not rotate sees the lists and can change nothing', async () => {
  const noura = await shop.reopen({ office: { may: (_actor, action) => action !== 'rotate' } });
  await shop.gateway.createWebhook({ url: WEBHOOK });
  const page = await noura.text('gateway');
  expect(page).toContain('data-test="webhook"');
  expect(page).not.toMatch(/key-rotate|webhook-add|webhook-switch|webhook-delete|token-add/);
  for (const name of ['rotate-key', 'create-webhook?url=https://x.example', 'create-sdk-token']) {
    const answer = await noura.get(`gateway/${name}`);
    expect([name, answer.status, await problemIn(answer)]).toEqual([name, 403, 'forbidden']);
  }
});
