import { describe, expect, it, vi } from 'vitest';
import { sessionId } from '../../packages/server-helper/src/ids.ts';
import { blackHole } from '../../packages/server-helper/test-support/black-hole.ts';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { confirmed, OfficeOfShop, ownKeysIn, secretIn, WEBHOOK } from './shop.ts';

const shop = new OfficeOfShop();
const noura = shop.visitor();
const CREATE = `gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`;

describe('the gateway’s page', () => {
  it('says that the gateway answers, where and as what, and which of two keys it refuses', async () => {
    const works = await noura.text('gateway');
    expect(works).toContain('data-test="gateway-reached"');
    expect(works).toContain(shop.tenant.baseUrl);
    expect(ownKeysIn(works)).toEqual(['succeeded']);
    expect(works).not.toContain(shop.tenant.apiKey);
    expect(works).not.toContain(shop.tenant.portal.password);
    expect(works).toContain(shop.tenant.apiKey.slice(-4));
    await shop.reopen({ gateway: { apiKey: [shop.tenant.apiKey, 'a-key-that-was-revoked'] } });
    const page = await noura.text('gateway');
    expect(ownKeysIn(page)).toEqual(['succeeded', 'failed']);
    expect(page).toContain('data-test="key-refused"');
  });

  it('comes without a gateway too, and says so', async () => {
    await shop.reopen({ gateway: { baseUrl: 'http://127.0.0.1:9/v1' } });
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
    await shop.reopen({ gateway: { baseUrl: `${hole.url}v1` } });
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
    await shop.reopen({ gateway: { portal: undefined } });
    const page = await noura.text('gateway');
    expect(page).toContain('GATEWAY_PORTAL_USERNAME');
    expect(page).toContain(WEBHOOK);
    expect(page).not.toContain('key-rotate');
    const answer = await noura.get('gateway/rotate-key');
    expect([answer.status, await problemIn(answer)]).toEqual([404, 'not_found']);
  });

  it('says what the health route finds wrong with the gateway, and what to do', async () => {
    const { gateway } = shop.payments;
    expect(await noura.text('gateway')).not.toContain('gateway-finding');
    const fault = { operation: 'retrieveStatus', place: 'body', kind: 'empty' } as const;
    await shop.control.addFault({ ...fault, count: null });
    await gateway.retrieveStatus({ sessionId: sessionId('any') }).catch(() => undefined);
    expect(await noura.text('gateway')).toContain('Status answers cannot be read');
  });
});

describe('an API key', () => {
  it('is replaced while both live: shown once, tried, and seen to work before the old one ends', async () => {
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
    const page = await (await confirmed(noura, 'gateway/rotate-key')).text();
    expect(page).toMatch(/data-test="new-key"\s+data-state="works"/);
    expect(page).toMatch(/data-test="old-key"\s+data-state="refused"/);
  });

  it('that came in another form is shown all the same, with the whole answer', async () => {
    const profile = { operations: { rotateApiKey: { answer: { apiKey: '/elsewhere' } } } };
    await shop.reopen({ gateway: { profile } });
    const page = await (await confirmed(noura, 'gateway/rotate-key')).text();
    expect(page).toMatch(/data-test="secret"[^]*sandbox_staging_\w{32}/);
  });
});

it('an SDK token needs a name', async () => {
  expect((await noura.get('gateway/create-sdk-token?name=%20')).status).toBe(422);
});

it('who may not rotate sees the lists and can change nothing', async () => {
  await shop.reopen({ office: { may: (_actor, action) => action !== 'rotate' } });
  await shop.payments.gateway.createWebhook({ url: WEBHOOK });
  const page = await noura.text('gateway');
  expect(page).toContain('data-test="webhook"');
  expect(page).not.toMatch(/key-rotate|webhook-add|webhook-switch|webhook-delete|token-add/);
  for (const name of ['rotate-key', 'create-webhook?url=https://x.example', 'create-sdk-token']) {
    const answer = await noura.get(`gateway/${name}`);
    expect([name, answer.status, await problemIn(answer)]).toEqual([name, 403, 'forbidden']);
  }
});

describe('a webhook', () => {
  const listed = async () => (await shop.payments.gateway.listWebhooks()).webhooks;
  const idIn = async () => (await listed())[0]?.id ?? '';

  it('is made to the shop’s own address, and its secret is in that answer alone', async () => {
    const page = await noura.text('gateway');
    expect(page).toContain('data-test="webhook-missing"');
    expect(page).toContain(`value="${WEBHOOK}"`);
    expect(await listed()).toEqual([]);
    const answer = await confirmed(noura, `${CREATE}&active=yes`);
    const made = await answer.text();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(secretIn(made)).toMatch(/^whsec_\w{16,}$/);
    const after = await noura.text('gateway');
    expect(after).not.toContain('webhook-missing');
    expect(after).not.toContain(secretIn(made));
  });

  it('is made once, and a double press still shows the secret', async () => {
    const form = await noura.form(CREATE);
    const answers = await Promise.all([noura.send(form), noura.send(form)]);
    const [first, second] = await Promise.all(answers.map((one) => one.text()));
    expect(secretIn(first ?? '')).toMatch(/^whsec_/);
    expect(secretIn(second ?? '')).toBe(secretIn(first ?? ''));
    const omar = shop.visitor('Omar');
    const stolen = await omar.form('gateway/create-webhook?url=https://shop.example/x');
    stolen.fields.set('request', form.fields.get('request') ?? '');
    expect(await (await omar.send(stolen)).text()).not.toContain(secretIn(first ?? ''));
    expect((await listed()).filter(({ url }) => url === WEBHOOK)).toHaveLength(1);
  });

  it('is not made by an old question: the list has changed since', async () => {
    const old = await noura.form(CREATE);
    await confirmed(noura, CREATE);
    const answer = await noura.send(old);
    expect([answer.status, secretIn(await answer.text())]).toEqual([409, '']);
    expect(await listed()).toHaveLength(1);
  });

  it('is not made to what is no web address', async () => {
    const answer = await noura.get('gateway/create-webhook?url=javascript:alert(1)');
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('data-test="mistake"');
  });

  it('is off from the start where the shop takes signed webhooks only, and is switched on later', async () => {
    await shop.reopen({ payments: { webhookSecrets: ['whsec_0123456789abcdef0123'] } });
    expect(await noura.text('gateway')).not.toMatch(/name="active" value="yes"\s+checked/);
    const made = await (await confirmed(noura, CREATE)).text();
    expect(made).toContain('GATEWAY_WEBHOOK_SECRET=whsec_');
    const id = await idIn();
    for (const [to, active] of Object.entries({ on: true, off: false })) {
      const answer = await confirmed(noura, `gateway/switch-webhook?id=${id}&to=${to}`);
      const location = `../gateway?notice=webhook_${to}`;
      expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
      expect((await listed()).map((one) => one.active)).toEqual([active]);
    }
  });
});

type Line = Readonly<Record<string, unknown>>;

/** A logger, all that it got, and the lines about changes of the portal among it. */
function listening() {
  const all: string[] = [];
  const lines: Line[] = [];
  const log = (fields: Line, text: string): void => {
    all.push(JSON.stringify([fields, text]));
    if (text === 'a person asked for a change of the gateway’s portal in the back office') {
      lines.push(fields);
    }
  };
  return { all, lines, logger: { info: log, warn: log, error: log } };
}

it('each change of the portal is made as asked, and is one line of the log, which names who asked for it and has no secret', async () => {
  const { all, lines, logger } = listening();
  await shop.reopen({ gateway: { logger }, payments: { logger } });
  const { gateway } = shop.payments;
  const secrets = [shop.tenant.apiKey, shop.tenant.portal.password];
  const made = async (answer: Promise<Response>): Promise<void> =>
    void secrets.push(secretIn(await (await answer).text()));
  await noura.text('gateway/rotate-key');
  expect(lines).toEqual([]);
  await made(confirmed(noura, 'gateway/rotate-key'));
  const add = await noura.form(CREATE);
  await Promise.all([made(noura.send(add)), noura.send(add)]);
  const webhook = (await gateway.listWebhooks()).webhooks[0]?.id ?? '';
  await confirmed(noura, `gateway/switch-webhook?id=${webhook}&to=on`);
  const remove = await noura.form(`gateway/delete-webhook?id=${webhook}`);
  for (const _press of ['first', 'second']) {
    const { headers } = await noura.send(remove);
    expect(headers.get('location')).toBe('../gateway?notice=webhook_deleted');
  }
  expect((await gateway.listWebhooks()).webhooks).toEqual([]);
  const till = 'name=Till%203&type=SOFTPOS&terminalId=T-3';
  await made(confirmed(noura, `gateway/create-sdk-token?${till}`));
  expect(secrets.at(-1)).toMatch(/^sandbox_sdk_/);
  const page = await noura.text('gateway');
  expect(page).toContain('Till 3');
  for (const secret of secrets) expect(page).not.toContain(secret);
  const token = (await gateway.listSdkTokens()).sdkTokens[0]?.id ?? '';
  await confirmed(noura, `gateway/switch-sdk-token?id=${token}&to=off`);
  expect((await gateway.listSdkTokens()).sdkTokens).toMatchObject([{ status: 'DISABLED' }]);
  const done = { by: 'Noura', outcome: 'succeeded' };
  expect(lines).toEqual([
    { ...done, operation: 'rotateApiKey' },
    { ...done, operation: 'createWebhook' },
    { ...done, operation: 'updateWebhook', record: webhook, status: 'on' },
    { ...done, operation: 'deleteWebhook', record: webhook },
    { ...done, operation: 'createSdkToken' },
    { ...done, operation: 'updateSdkToken', record: token, status: 'DISABLED' },
  ]);
  expect(secrets.map(({ length }) => length > 15)).toEqual([true, true, true, true, true]);
  for (const secret of secrets) expect(all.join('\n')).not.toContain(secret);
});

it('the line of a change that the gateway refused says so', async () => {
  const { lines, logger } = listening();
  const nowhere = { operations: { createSdkToken: { path: '/nowhere' } } };
  await shop.reopen({ gateway: { profile: nowhere }, payments: { logger } });
  await confirmed(noura, 'gateway/create-sdk-token?name=Till');
  expect(lines).toEqual([{ by: 'Noura', operation: 'createSdkToken', outcome: 'rejected' }]);
});

it.each([
  ['noura@shop.example', 'noura'],
  ['Noura +966 50 123 4567', 'Noura +[redacted]'],
])('a person whose name is %s is %s in the log', async (actor, by) => {
  const { lines, logger } = listening();
  await shop.reopen({ payments: { logger }, office: { actor: () => actor } });
  await confirmed(noura, 'gateway/rotate-key');
  expect(lines).toMatchObject([{ by }]);
});
