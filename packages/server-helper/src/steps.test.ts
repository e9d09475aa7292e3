import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson, statusRow } from '../test-support/scripted-gateway.ts';
import { startShop } from '../test-support/shop-of-test.ts';
import { canaries, expectProblem, type Shop } from '../test-support/shop.ts';
import type { GatewayCallEvent } from './gateway/diagnostics.ts';
import { hasTelemetry, observe, type StepEndEvent } from './telemetry.ts';

const steps = ['checkout', 'commit', 'confirm', 'delivery', 'hint', 'money', 'route', 'tick'];

let shop: Shop;
let ended: StepEndEvent[];
const listener = (event: unknown): void => void ended.push(event as StepEndEvent);

beforeEach(async () => {
  shop = await startShop({ payments: { on: { paid: () => undefined } } });
  ended = [];
  for (const step of steps) subscribe(`pay-button:${step}:end`, listener);
  return () => {
    for (const step of steps) unsubscribe(`pay-button:${step}:end`, listener);
  };
});

const endOf = (step: string) => ended.find((event) => event.step === step);

describe('every step', () => {
  it('is told on channels of its own, and holds nothing of a shopper', async () => {
    const { session, success, merchantOrderId } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    await shop.notify({ merchantOrderId });
    await shop.send(success);
    await expect.poll(() => shop.payments.retrieve('1001')).toMatchObject({ state: 'paid' });
    await shop.payments.tick();
    shop.later();
    await shop.payments.refund('1001', { amount: '1.00', requestId: 'r-1' });
    expect(new Set(ended.map(({ step }) => step))).toEqual(new Set(steps));
    expect(endOf('checkout')).toMatchObject({ outcome: 'success', details: { orderId: '1001' } });
    expect(endOf('delivery')).toMatchObject({ details: { type: 'paid', tryNumber: 1 } });
    expect(endOf('tick')).toMatchObject({ trigger: 'watch' });
    expect(endOf('money')).toMatchObject({ details: { kind: 'refund', state: 'unknown' } });
    const told = JSON.stringify(ended);
    for (const canary of Object.values(canaries)) expect(told).not.toContain(canary);
    for (const { durationMs } of ended) expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('that fails tells its code', async () => {
    shop.gateway.script = (_request, response) => sendJson(response, 400, {});
    await shop.checkout({ orderId: '1001' });
    expect(endOf('checkout')).toMatchObject({ outcome: 'error', code: 'invalid_request' });
    expect(endOf('route')).toMatchObject({ details: { 'http.response.status_code': 502 } });
  });
});

it('a step costs nothing where no SDK is registered and nobody listens', async () => {
  expect(hasTelemetry()).toBe(false);
  const work = Promise.resolve('done');
  expect(observe('confirm', {}, () => work)).not.toBe(work);
  unsubscribe('pay-button:confirm:end', listener);
  expect(observe('confirm', {}, () => work)).toBe(work);
});

describe('a request’s id', () => {
  it.each([
    ['a safe one', 'req-0123456789', true],
    ['a short one', 'abc', false],
    ['markup', '<script>12345</script>', false],
    ['a long one', 'a'.repeat(129), false],
  ])('is taken when it is safe, else made anew: %s', async (_what, given, isTaken) => {
    const { headers } = await shop.send('/pay/health', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id'] === given).toBe(isTaken);
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._:-]{8,128}$/);
  });

  it('stands in the problem, the log lines and the gateway calls that it led to', async () => {
    const calls: GatewayCallEvent[] = [];
    const onCall = (event: unknown): void => void calls.push(event as GatewayCallEvent);
    subscribe('pay-button:gateway:start', onCall);
    shop.gateway.script = (_request, response) => sendJson(response, 500, {});
    const requestId = 'req-0123456789';
    const reply = await shop.checkout({ orderId: '1001' }, { 'x-request-id': requestId });
    unsubscribe('pay-button:gateway:start', onCall);
    expectProblem(reply, 502, 'gateway_unreachable');
    expect(reply.json['requestId']).toBe(requestId);
    expect(calls).toMatchObject([{ operation: 'createPaymentLink', requestId }]);
    expect(shop.logged.length).toBeGreaterThan(1);
    for (const line of shop.logged) expect(JSON.parse(line)).toMatchObject({ requestId });
  });

  it('is told of no look that the watch made by itself', async () => {
    await shop.open();
    ended = [];
    shop.later(60_000);
    await shop.payments.tick();
    expect(endOf('confirm')).toMatchObject({ trigger: 'watch', details: { asked: true } });
    expect(endOf('confirm')?.requestId).toBeUndefined();
  });
});
