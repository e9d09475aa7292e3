import { beforeEach, expect, test } from 'vitest';
import { createControlClient } from './client.ts';
import type { TenantInfo } from './shapes.ts';
import { postForm } from '../testing/dashboard-for-test.ts';
import { cards, refusalOf, send, startForTest } from '../testing/sandbox-for-test.ts';
import { submitCard, validLink, withCalls } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

/** What of a sandbox's handle the helpers need, for one of its tenants. */
const asSandbox = (tenant: TenantInfo, handle: SandboxForTest) => {
  const control = createControlClient(tenant.url, { tenant: tenant.id });
  return withCalls({ ...handle, ...tenant, control });
};

test('a new tenant gets its id, its own keys, its login and its addresses; header or query name it', async () => {
  const tenant = await sandbox.control.openTenant();
  expect(tenant).toEqual({
    id: 'tenant-2',
    url: sandbox.url,
    baseUrl: sandbox.baseUrl,
    productionBaseUrl: sandbox.productionBaseUrl,
    apiKey: expect.stringMatching(/^sandbox_staging_[0-9a-f]{32}$/),
    productionApiKey: expect.stringMatching(/^sandbox_production_[0-9a-f]{32}$/),
    portal: { username: 'merchant-tenant-2@sandbox.example', password: expect.any(String) },
    salePassword: expect.any(String),
    merchant: 'found',
  });
  const info = `${sandbox.url}/_sandbox/v1/info`;
  const byHeader = await send(info, { headers: { 'x-sandbox-tenant': tenant.id } });
  for (const { body } of [byHeader, await send(`${info}?tenant=${tenant.id}`)]) {
    expect(body).toMatchObject({ ...tenant });
  }
  const first = await sandbox.control.info();
  for (const name of ['id', 'apiKey', 'productionApiKey', 'portal', 'salePassword'] as const) {
    expect(tenant[name]).not.toEqual(first[name]);
  }
});

test('the key decides whose call it is, and a page’s id whose page: tenants share neither orders nor sessions', async () => {
  const other = asSandbox(await sandbox.control.openTenant(), sandbox);
  const mine = await sandbox.createLink();
  const theirs = await other.createLink();
  expect(theirs.id).not.toBe(mine.id);
  expect((await sandbox.getStatus(theirs.id)).status).toBe(404);
  expect((await other.getStatus(theirs.id)).status).toBe(200);
  await other.control.freezeClock();
  const paid = await submitCard(theirs);
  expect(paid.headers.get('location')).toBe(validLink.successUrl);
  const challenged = await other.createLink({ merchantOrderId: 'order-2' });
  const page = await submitCard(challenged, { number: cards.challenged });
  const challenge = sandbox.url + page.headers.get('location');
  const answered = await postForm(challenge, '', { otp: '123456' });
  expect(answered.headers.get('location')).toBe(validLink.successUrl);
  const requests = await other.control.requests({ merchantOrderId: 'order-1' });
  const calls = requests.map(({ operation, status }) => `${operation} ${status}`);
  expect(calls).toEqual(['createPaymentLink 201', 'retrieveStatus 200']);
});

test('clocks, armed outcomes, faults and resets of one tenant do not touch another', async () => {
  const other = asSandbox(await sandbox.control.openTenant(), sandbox);
  const { id } = await sandbox.createLink();
  await other.control.advanceClock({ by: 'PT48H' });
  await other.control.next({ outcome: 'decline' });
  await other.control.addFault({ place: 'before-commit', kind: 'status', count: 9 });
  await other.control.reset();
  const paid = await sandbox.control.pay(id, { card: { number: cards.mada } });
  expect(paid.session.state).toBe('PAID');
  const again = asSandbox({ ...other, ...(await other.control.info()) }, sandbox);
  expect(again.apiKey).toBe(other.apiKey);
  expect((await again.postLink()).status).toBe(201);
});

test('a tenant of the same id and seed gives the same replies in another sandbox', async () => {
  const replies = await Promise.all(
    ['one', 'two'].map(async (seed) => {
      const one = await startForTest({ seed });
      const tenant = await one.control.openTenant({ id: 'shop', seed: 'twins' });
      const { id } = await asSandbox(tenant, one).createLink();
      return [tenant.apiKey, id];
    }),
  );
  expect(replies[0]).toEqual(replies[1]);
});

// Pins: transition.session.expired
test('the session is payable one millisecond before 48 hours have passed', async () => {
  await sandbox.control.freezeClock();
  const early = await sandbox.createLink({ merchantOrderId: 'early' });
  const late = await sandbox.createLink({ merchantOrderId: 'late' });
  await sandbox.control.advanceClock({ by: 'PT47H59M59.999S' });
  const paid = await sandbox.control.pay(early.id, { card: { number: cards.mada } });
  expect(paid.session.state).toBe('PAID');
  const { fired } = await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(fired).toEqual([{ at: expect.any(String), kind: 'session-expired', id: late.id }]);
  const tooLate = sandbox.control.pay(late.id, { card: { number: cards.mada } });
  expect(await refusalOf(tooLate)).toBe('409 session_expired');
  expect((await sandbox.getStatus(late.id)).body).toMatchObject({ data: { content: [] } });
});

test('the clock stops, moves and runs on; it never goes back', async () => {
  const { now } = await sandbox.control.freezeClock();
  expect((await sandbox.control.info()).clock).toEqual({ now, state: 'frozen' });
  expect(await sandbox.control.advanceClock({ by: 'PT0S' })).toEqual({ now, fired: [] });
  const later = new Date(Date.parse(now) + 3_600_000).toISOString();
  expect((await sandbox.control.advanceClock({ to: later })).now).toBe(later);
  expect(await refusalOf(sandbox.control.advanceClock({ to: now }))).toBe('400 past_instant');
  await sandbox.control.resumeClock();
  const running = (await sandbox.control.info()).clock;
  expect(running.state).toBe('running');
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(later));
});

test('the clock can run faster: an hour passes in a second', async () => {
  const time = { now: Date.UTC(2030, 0, 1) };
  sandbox = await startForTest({ clock: () => time.now });
  const { now } = await sandbox.control.setClockRate(3600);
  time.now += 2000;
  expect((await sandbox.control.info()).clock).toEqual({
    now: new Date(Date.parse(now) + 2 * 3_600_000).toISOString(),
    state: 'running',
    rate: 3600,
  });
  await sandbox.control.resumeClock();
  time.now += 1000;
  expect((await sandbox.control.info()).clock).toEqual({
    now: new Date(Date.parse(now) + 2 * 3_600_000 + 1000).toISOString(),
    state: 'running',
  });
});

const card = { number: cards.mada };

test('a snapshot brings back sessions, payments, what is armed, and the clock', async () => {
  const { control } = sandbox;
  await control.freezeClock();
  const { id } = await sandbox.createLink();
  await control.next({ outcome: 'decline:51' });
  const { now } = (await control.info()).clock;
  await control.createSnapshot('before-paying');
  const ids = new Set<string>();

  for (let round = 0; round < 2; round += 1) {
    await control.pay(id, { card });
    await control.pay(id, { card });
    const later = await sandbox.createLink({ merchantOrderId: 'later' });
    ids.add(later.id);
    await control.advanceClock({ by: 'P3D' });
    await control.restoreSnapshot('before-paying');
    expect((await control.info()).clock).toEqual({ now, state: 'frozen' });
    expect(await sandbox.statusContent(id)).toEqual([]);
    expect((await sandbox.getStatus(later.id)).status).toBe(404);
  }
  // What was taken back never gives an id twice.
  expect(ids.size).toBe(2);
  expect(await control.pay(id, { card })).toMatchObject({ decidedBy: 'next' });
  const expired = await control.advanceClock({ by: 'PT48H' });
  expect(expired.fired).toMatchObject([{ kind: 'session-expired', id }]);
});

test('snapshots are listed, replaced and deleted; the sandbox names one that has no name', async () => {
  const { control } = await startForTest();
  expect((await control.createSnapshot()).id).toBe('snapshot-1');
  await control.createSnapshot('mine');
  await control.createSnapshot('mine');
  expect((await control.snapshots()).map(({ id }) => id)).toEqual(['snapshot-1', 'mine']);
  await control.deleteSnapshot('snapshot-1');
  expect((await control.snapshots()).map(({ id }) => id)).toEqual(['mine']);
});
