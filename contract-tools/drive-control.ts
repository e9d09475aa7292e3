import type { Sandbox } from '@pay-button/gateway-sandbox';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './.cache/control.d.ts';
import { dataOf, type Observer } from './observer.ts';
import { Merchant, saleOf } from './merchant.ts';
import { makeRefusedCalls } from './refused-calls.ts';

const APPROVED = '4201320111111010';
const CHALLENGED = '4508750015741019';

type Control = Client<paths>;

/** Calls every operation of the control API with a generated client, refusals included. */
export async function driveControl(proxy: string, sandbox: Sandbox, seen: Observer): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.controlToken}` };
  const control = createClient<paths>({ baseUrl: proxy, headers });
  control.use(seen.middleware);
  await readSandbox(control);
  await keepTenants(control);
  await moveClock(control);
  await injectFaults(control);
  const merchant = new Merchant(sandbox);
  await payAsShopper(control, merchant);
  await followDeliveries(control, merchant);
  await merchant.gateway.close();
  await readRecords(control);
  await keepSnapshots(control);
  await makeRefusedCalls('control', proxy, seen, () => headers);
  // The stream ends with the sandbox; the call after it shows that it has begun.
  const streamed = control.GET('/stream', { parseAs: 'text' });
  await control.POST('/reset');
  await Promise.all([sandbox.close(), streamed]);
}

async function readSandbox(control: Control): Promise<void> {
  await control.GET('/ready');
  await control.GET('/info');
  await control.GET('/openapi.yaml', { parseAs: 'text' });
  await control.GET('/fidelity');
  await control.GET('/policy');
  for (const policy of [['sameId'], []]) await control.PUT('/policy', { body: { policy } });
}

async function keepTenants(control: Control): Promise<void> {
  for (const id of ['shop-1', 'shop-1']) await control.POST('/tenants', { body: { id } });
  await control.GET('/tenants');
  const params = { path: { id: 'shop-1' } };
  await control.GET('/tenants/{id}', { params });
  await control.PATCH('/tenants/{id}', { params, body: { merchant: 'not-found' } });
  await control.POST('/portal-tokens/revoke');
}

async function moveClock(control: Control): Promise<void> {
  await control.POST('/clock/freeze');
  await control.POST('/clock/rate', { body: { rate: 60 } });
  await control.POST('/clock/resume');
  await control.POST('/clock/advance', { body: { by: 'PT1H' } });
}

async function injectFaults(control: Control): Promise<void> {
  const body = { operation: 'refund', place: 'after-commit', kind: 'reset', count: null } as const;
  const { fault } = dataOf(await control.POST('/faults', { body }));
  await control.GET('/faults');
  await control.DELETE('/faults/{id}', { params: { path: { id: fault.id } } });
  await control.POST('/faults/profile/{name}', { params: { path: { name: 'status-lag' } } });
  await control.DELETE('/faults');
}

/** Sessions are paid, challenged and ended; a refund is settled, a stored card is forgotten. */
async function payAsShopper(control: Control, merchant: Merchant): Promise<void> {
  await control.POST('/next', { body: { outcome: 'decline:51' } });
  const session = await merchant.newSession();
  const pay = (number: string) =>
    control.POST('/sessions/{id}/pay', { ...session, body: { card: { number } } });
  await pay(APPROVED);
  const { challenge } = dataOf(await pay(CHALLENGED));
  const challenged = { params: { path: { id: challenge?.id ?? '' } } };
  await control.POST('/challenges/{id}', { ...challenged, body: { otp: '123456' } });
  // Paid already.
  await pay(APPROVED);
  await control.POST('/sessions/{id}/expire', session);
  const { transactions } = dataOf(await control.GET('/sessions/{id}', session));
  const { refundId } = await merchant.gateway.refund({
    transactionId: transactions.at(-1)?.transactionId ?? '',
    amount: '20.00',
  });
  const refunded = { params: { path: { id: refundId } }, body: { action: 'settle' } } as const;
  for (let time = 0; time < 2; time += 1) await control.POST('/refunds/{id}', refunded);

  const other = await merchant.newSession();
  const noTestCard = { card: { number: '4539578763621486' } };
  await control.POST('/sessions/{id}/pay', { ...other, body: noTestCard });
  await control.POST('/sessions/{id}/expire', other);

  const sale = await merchant.gateway.sale(saleOf('sale-1'));
  const token = sale.recurringToken ?? '';
  await control.POST('/recurring-tokens/{token}/revoke', { params: { path: { token } } });
}

/** Deliveries to a webhook that nobody answers are held, released and sent again. */
async function followDeliveries(control: Control, merchant: Merchant): Promise<void> {
  await merchant.gateway.createWebhook({ url: 'http://127.0.0.1:9/webhook' });
  await control.POST('/deliveries/hold');
  for (let order = 0; order < 2; order += 1) {
    const session = await merchant.newSession();
    await control.POST('/sessions/{id}/pay', { ...session, body: { card: { number: APPROVED } } });
  }
  await control.POST('/clock/advance', { body: { by: 'PT0S' } });
  await control.GET('/events');
  const held = { params: { query: { state: 'held' } } };
  const { deliveries } = dataOf(await control.GET('/deliveries', held));
  const [first = '', second = ''] = deliveries.map(({ id }) => id);
  const params = { path: { id: first } };
  await control.GET('/deliveries/{id}', { params });
  await control.POST('/deliveries/{id}/release', { params });
  await control.POST('/deliveries/{id}/replay', { params, body: { resign: true } });
  await control.POST('/deliveries/release', { body: { ids: [second] } });
}

async function readRecords(control: Control): Promise<void> {
  const query = { operation: 'createPaymentLink' };
  const { requests } = dataOf(await control.GET('/requests', { params: { query } }));
  await control.GET('/requests.har');
  const misspelt = { params: { query: { operation: 'createLink' } } };
  await control.GET('/requests', misspelt);
  await control.GET('/requests.har', misspelt);
  await control.GET('/requests/{id}/curl', { params: { path: { id: requests[0]?.id ?? '' } } });
  await control.POST('/verify', { body: { ...query, atLeast: 1 } });
  await control.GET('/ledger');
  await control.GET('/invariants');
}

async function keepSnapshots(control: Control): Promise<void> {
  const params = { path: { id: 'before' } };
  await control.POST('/snapshots', { body: params.path });
  await control.GET('/snapshots');
  await control.POST('/snapshots/{id}/restore', { params });
  await control.DELETE('/snapshots/{id}', { params });
  // A tenant keeps so many.
  for (let kept = 0; kept < 100; kept += 1) {
    const { error } = await control.POST('/snapshots', { body: {} });
    if (error !== undefined) return;
  }
}
