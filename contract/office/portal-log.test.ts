import { expect, it } from 'vitest';
import { confirmed, OfficeOfShop, secretIn, WEBHOOK } from './shop.ts';

const shop = new OfficeOfShop();

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

it('each change of the portal is one line of the log, which names who asked for it, and no line has a secret', async () => {
  const { all, lines, logger } = listening();
  const noura = await shop.reopen({ gateway: { logger }, payments: { logger } });
  const { gateway } = shop;
  const secrets = [shop.tenant.apiKey, shop.tenant.portal.password];
  const made = async (answer: Promise<Response>): Promise<void> =>
    void secrets.push(secretIn(await (await answer).text()));
  await noura.text('gateway/rotate-key');
  expect(lines).toEqual([]);
  await made(confirmed(noura, 'gateway/rotate-key'));
  const add = await noura.form(`gateway/create-webhook?url=${encodeURIComponent(WEBHOOK)}`);
  await Promise.all([made(noura.send(add)), noura.send(add)]);
  const webhook = (await gateway.listWebhooks()).webhooks[0]?.id ?? '';
  await confirmed(noura, `gateway/switch-webhook?id=${webhook}&to=on`);
  const remove = await noura.form(`gateway/delete-webhook?id=${webhook}`);
  await noura.send(remove);
  await noura.send(remove);
  await made(confirmed(noura, 'gateway/create-sdk-token?name=Till%203'));
  const token = (await gateway.listSdkTokens()).sdkTokens[0]?.id ?? '';
  await confirmed(noura, `gateway/switch-sdk-token?id=${token}&to=off`);
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
  const noura = await shop.reopen({ gateway: { profile: nowhere }, payments: { logger } });
  await confirmed(noura, 'gateway/create-sdk-token?name=Till');
  expect(lines).toEqual([{ by: 'Noura', operation: 'createSdkToken', outcome: 'rejected' }]);
});

it.each([
  ['noura@shop.example', 'noura'],
  ['Noura +966 50 123 4567', 'Noura +[redacted]'],
])('a person whose name is %s is %s in the log', async (actor, by) => {
  const { lines, logger } = listening();
  const noura = await shop.reopen({ payments: { logger }, office: { actor: () => actor } });
  await confirmed(noura, 'gateway/rotate-key');
  expect(lines).toMatchObject([{ by }]);
});
