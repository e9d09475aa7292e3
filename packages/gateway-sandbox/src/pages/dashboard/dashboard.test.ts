import { beforeEach, expect, test } from 'vitest';
import { postForm, signInForTest } from '../../testing/dashboard-for-test.ts';
import type { Merchant } from '../../testing/dashboard-for-test.ts';
import { send, startForTest, withCalls } from '../../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
let merchant: Merchant;
beforeEach(async () => {
  sandbox = await startForTest();
  merchant = await signInForTest(sandbox);
});

const secretIn = (page: string) => /data-test="secret">([^<]+)</.exec(page)?.[1] ?? '';

test('signing in takes the portal’s login, and says what the API says to a wrong one', async () => {
  const address = `${sandbox.url}/dashboard/sign-in?lang=en`;
  const wrong = await postForm(address, '', { username: 'nobody', password: 'guess' });
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([200, null]);
  expect(wrong.text).toContain('HTTP 401: Invalid username or password');
  expect(wrong.text).not.toContain('guess');
  const right = await postForm(address, '', { ...sandbox.portal });
  expect(right.status).toBe(303);
  expect(right.headers.get('set-cookie')).toMatch(/; Path=\/dashboard; HttpOnly; SameSite=Lax$/);
});

test('without a sign-in every section leads to the sign-in page, and so does one that has ended', async () => {
  for (const section of ['transactions', 'credentials', 'webhooks', 'sdk-tokens']) {
    const { status, headers } = await send(`${sandbox.url}/dashboard/${section}?lang=ar`);
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/sign-in?lang=ar']);
  }
  await sandbox.control.advanceClock({ by: 'PT48H' });
  const headers = { cookie: merchant.cookie };
  const answer = await send(`${sandbox.url}/dashboard/transactions`, { headers });
  expect(answer.headers.get('location')).toBe('/dashboard/sign-in?lang=en&ended=1');
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
});

test('a new key is shown once, and the old one can be revoked', async () => {
  const key = secretIn(await merchant.submit('credentials/rotate'));
  const later = await merchant.page('credentials');
  expect(later).not.toContain(key);
  expect(later).toContain(key.slice(-4));
  const [, first] = /credentials\/([\w-]+)\/revoke/.exec(later) ?? [];
  expect(await merchant.submit(`credentials/${first}/revoke`)).toContain('data-test="done"');
  expect((await sandbox.postLink()).status).toBe(401);
  expect((await withCalls({ ...sandbox, apiKey: key }).postLink()).status).toBe(201);
});

test('a webhook is created with its secret, changed, deleted and refused, in the words of the API', async () => {
  const webhook = { url: 'https://shop.example/hook', events: 'Refund', active: 'yes' };
  const created = await merchant.submit('webhooks', webhook);
  const secret = secretIn(created);
  expect(secret).not.toBe('');
  const [, id] = /webhooks\/([\w-]+)\/delete/.exec(created) ?? [];
  const changed = await merchant.submit(`webhooks/${id}`, { url: 'https://shop.example/other' });
  expect(changed).toContain('https://shop.example/other');
  expect(changed).toContain('badge-disabled');
  expect(changed).not.toContain(secret);
  expect(await merchant.submit(`webhooks/${id}/delete`)).not.toContain('shop.example');
  const refused = await merchant.submit('webhooks', { url: 'not an address', active: 'yes' });
  expect(refused).toContain('HTTP 400: url must be a URL address');
  expect(await merchant.page('webhooks')).not.toContain('HTTP 400');
});

test('an SDK token is shown once, disabled and enabled again', async () => {
  const created = await merchant.submit('sdk-tokens', { name: 'Till 3', type: 'SMARTPOS' });
  expect(secretIn(created)).not.toBe('');
  const [, id] = /sdk-tokens\/([\w-]+)\?/.exec(created) ?? [];
  const disabled = await merchant.submit(`sdk-tokens/${id}`, { status: 'DISABLED' });
  expect(disabled).toContain('badge-disabled');
  expect(await merchant.submit(`sdk-tokens/${id}`, { status: 'ACTIVE' })).toContain('badge-active');
});

test('the transactions are those of the environment, in the words of the status endpoint', async () => {
  const { transaction } = await sandbox.payLink({ merchantOrderId: 'order <7>' });
  expect(await merchant.page('transactions')).toContain('order &lt;7&gt;');
  const page = await merchant.page(`transactions/${transaction.transactionId}`);
  for (const [name, value] of Object.entries(transaction)) {
    const text = value.replace('<', '&lt;').replace('>', '&gt;');
    expect(page).toContain(`data-test="told-${name}">${text}<`);
  }
  const production = await signInForTest(sandbox, 'production');
  expect(await production.page('transactions')).not.toContain('order &lt;7&gt;');
});

test('a refund from the dashboard moves money, and one too many is refused in the API’s words', async () => {
  const { transactionId } = await sandbox.payLink();
  const path = `transactions/${transactionId}`;
  expect(await merchant.page(path)).toContain('value="115.00"');
  expect(await merchant.submit(`${path}/refund`, { amount: '15' })).toContain('data-test="done"');
  await sandbox.control.advanceClock({ by: 'PT10S' });
  const after = await merchant.page(path);
  expect(after).toContain('data-test="told-totalRefundAmount">15.00<');
  expect(after).toContain('value="100.00"');
  const refused = await merchant.submit(`${path}/refund`, { amount: '100.01' });
  expect(refused).toContain('HTTP 400: Refund amount more than sale amount');
  expect(await merchant.submit(`${path}/refund`, { amount: 'all' })).toContain('HTTP 400');
});

test('an authorization is captured or voided from the dashboard, and only one of them', async () => {
  const captured = `transactions/${await sandbox.sellForId({ auth: 'Y', orderId: 'one' })}`;
  await merchant.submit(`${captured}/capture`, { amount: '100' });
  expect(await merchant.page(captured)).toContain('data-test="told-amount">100.00<');
  expect(await merchant.submit(`${captured}/void`)).toMatch(/HTTP 400: [^<]*already captured/i);
  const voided = `transactions/${await sandbox.sellForId({ auth: 'Y', orderId: 'two' })}`;
  await merchant.submit(`${voided}/void`);
  const page = await merchant.page(voided);
  expect(page).toContain('data-test="told-transactionStatus">FAILED<');
  expect(page).not.toContain('data-test="capture"');
});

test('a form of another site changes nothing', async () => {
  const foreign = await send(`${sandbox.url}/dashboard/credentials/rotate`, {
    method: 'POST',
    headers: { cookie: merchant.cookie, origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
  expect(await merchant.page('credentials')).not.toContain('data-test="done"');
});
