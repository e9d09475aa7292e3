import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../start-sandbox.ts';
import { cards, send, withCalls } from '../testing/sandbox-for-test.ts';

/** A call that is refused changes nothing, so that all are made of one sandbox. */
const sandbox = withCalls(await startSandbox({ port: 0, seed: 'test' }));
afterAll(() => sandbox.close());
const { id: session } = await sandbox.createLink();
const { sessionId: paid } = await sandbox.payLink({ merchantOrderId: 'paid' });

const { mada } = cards;
const past = { expiryMonth: '01', expiryYear: '2020' };

/** The call, what it sends, the refusal, and what its detail has to name. A text is sent as it is. */
test.each<[call: string, body: unknown, refusal: string, detail?: string]>([
  ['POST /nothing', {}, '404 unknown_route'],
  ['POST /reset?tenant=other', {}, '404 unknown_tenant'],
  ['POST /next', '[', '400 invalid_body', 'not valid JSON'],
  ['POST /next', [], '400 invalid_body', 'a JSON object'],
  ['POST /next', { outcome: 'decline:00' }, '400 invalid_outcome'],
  ['POST /sessions/OPEN/pay', {}, '400 invalid_card'],
  ['POST /sessions/OPEN/pay', { savedCard: 'x', applePay: true }, '400 invalid_card'],
  ['POST /sessions/OPEN/pay', { card: { number: mada }, applePay: true }, '400 invalid_card'],
  ['POST /sessions/OPEN/pay', { applePay: false }, '400 invalid_card'],
  ['POST /sessions/OPEN/pay', { card: { number: '4539578763621486' } }, '422 not_a_test_card'],
  ['POST /sessions/OPEN/pay', { card: { number: mada, ...past } }, '422 card_expired'],
  ['POST /sessions/OPEN/pay', { card: { number: mada, cvv: 'x' } }, '422 invalid_card'],
  ['POST /sessions/PAID/pay', { card: { number: mada } }, '409 already_paid'],
  ['POST /sessions/PAID/expire', {}, '409 already_paid'],
  ['POST /sessions/nobody/expire', {}, '404 unknown_session'],
  ['POST /sessions/OPEN/pay', { savedCard: 'x' }, '404 unknown_saved_card'],
  ['POST /challenges/x', { action: 'approve' }, '404 unknown_challenge'],
  ['POST /challenges/x', { action: 'shrug' }, '400 invalid_action'],
  ['POST /refunds/nothing', { action: 'settle' }, '404 unknown_refund'],
  ['POST /refunds/nothing', { action: 'shrug' }, '400 invalid_action'],
  ['POST /recurring-tokens/rt_unknown/revoke', {}, '404 unknown_token'],
  ['POST /tenants', { id: 'Shop' }, '400 invalid_tenant'],
  ['POST /tenants', { id: '-shop' }, '400 invalid_tenant'],
  ['POST /tenants', { id: 7 }, '400 invalid_tenant'],
  ['POST /tenants', { seed: '' }, '400 invalid_seed'],
  ['POST /tenants', { seed: 7 }, '400 invalid_seed'],
  ['POST /tenants', { id: 'default' }, '409 tenant_exists'],
  ['POST /clock/advance', { by: 'soon' }, '400 invalid_time'],
  ['POST /clock/advance', { by: '-PT1H' }, '400 invalid_time'],
  ['POST /clock/advance', { by: 'P90000D' }, '400 invalid_time'],
  ['POST /clock/advance', { to: 'tomorrow' }, '400 invalid_time'],
  ['POST /clock/advance', { to: '2020-01-01T00:00:00Z' }, '400 past_instant'],
  ['POST /clock/rate', { rate: 0 }, '400 invalid_rate'],
  ['POST /clock/rate', { rate: -1 }, '400 invalid_rate'],
  ['POST /clock/rate', { rate: 3601 }, '400 invalid_rate'],
  ['POST /clock/rate', { rate: null }, '400 invalid_rate'],
  ['POST /snapshots', { id: 'a b' }, '400 invalid_id'],
  ['POST /snapshots/unknown/restore', {}, '404 unknown_snapshot'],
  ['DELETE /snapshots/unknown', {}, '404 unknown_snapshot'],
  ['GET /requests/req-999999/curl', null, '404 unknown_request'],
  // A misspelled name would match no call, and a test that expects none would pass.
  ['GET /requests?operation=refunds', null, '400 invalid_query', 'refund, sale, capture'],
  ['GET /requests?status=abc', null, '400 invalid_query', 'HTTP status'],
  ['POST /verify', { operation: 'refunds', count: 0 }, '400 invalid_verification', 'refund, sale'],
  ['POST /verify', {}, '400 invalid_verification'],
  ['POST /verify', { count: -1 }, '400 invalid_verification'],
  ['POST /verify', { atLeast: 0.5 }, '400 invalid_verification'],
  ['POST /deliveries/unknown/replay', {}, '404 unknown_delivery'],
  ['POST /deliveries/x/replay', { url: 'ftp://x' }, '400 invalid_replay'],
  ['POST /deliveries/x/replay', { resign: 'yes' }, '400 invalid_replay'],
  ['POST /deliveries/x/replay', { secret: '' }, '400 invalid_replay'],
  ['POST /deliveries/release', { ids: 'all' }, '400 invalid_ids'],
  ['POST /deliveries/release', { ids: ['unknown'] }, '404 unknown_delivery'],
  ['POST /faults/profile/monday', {}, '400 unknown_profile', 'friday-night'],
  ['DELETE /faults/unknown', {}, '404 unknown_fault'],
])('%s with %j is refused as %s', async (call, body, refusal, detail = '') => {
  const [method = '', place = ''] = call.split(' ');
  const path = place.replace('OPEN', session).replace('PAID', paid);
  const { status, body: problem } = await send(`${sandbox.url}/_sandbox/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: method === 'GET' ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { code, detail: said } = problem as { code: string; detail: string };
  expect([`${status} ${code}`, said]).toEqual([refusal, expect.stringContaining(detail)]);
  expect(await sandbox.statusContent(session)).toEqual([]);
});

test('a body that is sent as a form is refused with how to send it', async () => {
  const body = new URLSearchParams({ by: 'PT1H' });
  const answer = await send(`${sandbox.url}/_sandbox/v1/clock/advance`, { method: 'POST', body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
  expect(answer.text).toContain('With curl: --json');
});
