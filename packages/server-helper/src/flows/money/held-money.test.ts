import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { DAY_MS, failed, HOUR_MS, MINUTE_MS, start } from '../../../test-support/attacked-shop.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';

const pending = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };
const accepted = (action: string) =>
  inA({ result: 'ACCEPTED', action, rrn: null, decline_reason: null });

/** How a call ended: a state, or the code of its error. */
const ended = (call: Promise<{ readonly state: string }>): Promise<string> =>
  call.then(({ state }) => state).catch(({ code }: { code: string }) => code);

/** A shop that ships by its events, and whose gateway answers each sale so, with a status that lags. */
async function holding(result: 'REDIRECT' | 'SUCCESS' = 'REDIRECT') {
  const events: string[] = [];
  const inTransaction = (_tx: unknown, { type }: { type: string }) => void events.push(type);
  const at = await start({}, { asksFor: 'session' }, { payments: { inTransaction } });
  const { gateway, payments } = at.shop;
  const ids: string[] = [];
  const shows = (number: number, row: object) => {
    const transactionId = ids[number - 1] ?? '';
    gateway.rows.set(transactionId, [statusRow({ transactionId, ...row })]);
  };
  gateway.answerAt('/sale', (_request, response) => {
    const html = result === 'REDIRECT' ? { html: '<form></form>' } : {};
    shows(ids.push(randomUUID()), pending);
    const sold = { result, status: result, transactionId: ids.at(-1), payment_id: '7', ...html };
    sendJson(response, 200, inA(sold));
  });
  const voided = accepted('CREDITVOID');
  gateway.answerAt('/void', (_request, response) => sendJson(response, 200, voided));
  const authorize = async (requestId: string) => {
    await payments.sale('1001', { auth: 'authorize', card: aCard, requestId });
    at.shop.later();
  };
  /** What comes of a capture that the gateway accepts after something else, or whose answer is lost. */
  const capture = async (meanwhile?: () => Promise<unknown>) => {
    at.shop.later();
    gateway.answerAt('/capture', async (_request, response) => {
      if (meanwhile === undefined) return void response.destroy();
      await meanwhile();
      return sendJson(response, 200, accepted('CAPTURE'));
    });
    const state = await ended(payments.capture('1001', { amount: '115.00', requestId: 'c-1' }));
    at.shop.later();
    return state;
  };
  await authorize('s-1');
  return { at, payments, events, shows, authorize, capture };
}

it.each([
  ['REDIRECT', {}],
  ['SUCCESS', {}],
  ['REDIRECT', { type: 'Authorization' }],
  ['SUCCESS', { type: 'Authorization' }],
] as const)(
  'a capture that never reached the gateway is for a person once the hold shows (%s, %j)',
  async (result, row) => {
    const { at, events, shows, capture } = await holding(result);
    expect(await capture()).toBe('unknown');
    shows(1, row);
    await at.later(DAY_MS, 20);
    expect(events).not.toContain('captured');
    expect(await at.reviews()).toEqual([['1001', 'unknown_outcome']]);
  },
);

it('a card that is declined beside a hold does not release it, whatever is captured meanwhile', async () => {
  const { at, events, shows, authorize, capture } = await holding();
  await authorize('s-2');
  shows(1, { type: 'Authorization' });
  await at.later(5 * MINUTE_MS, 10);
  const declines = async () => {
    shows(2, failed);
    await at.later(MINUTE_MS, 6);
    shows(1, { type: 'Capture' });
  };
  expect(await capture(declines)).toBe('succeeded');
  await at.later(DAY_MS, 12);
  expect(events.filter((type) => type !== 'review')).toEqual(['authorized', 'captured']);
});

it('what is held can be captured although its shopper went on to a link', async () => {
  const { at, shows, capture } = await holding();
  await at.shop.open();
  shows(1, { type: 'Authorization' });
  await at.later(5 * MINUTE_MS, 10);
  expect(await capture(async () => undefined)).toBe('succeeded');
});

it('a hold that nothing shows can be released although its shopper went on to a link', async () => {
  const { at, payments } = await holding();
  await at.shop.open();
  at.shop.later();
  expect(await ended(payments.void('1001', { requestId: 'v-1' }))).toBe('succeeded');
  expect(await ended(payments.void('1001', { requestId: 'v-2' }))).toBe('wrong_state');
});

it('a hold that nothing shows can be released after its order expired, and not captured', async () => {
  const { at, payments, capture } = await holding();
  await at.later(3 * DAY_MS, 60);
  expect(await at.state()).toBe('expired');
  expect(await capture(async () => undefined)).toBe('wrong_state');
  expect(await ended(payments.void('1001', { requestId: 'v-1' }))).toBe('succeeded');
});

it('while a capture is sent, or its outcome unknown, an order takes no other money and is not cancelled', async () => {
  const { at, payments, capture } = await holding();
  const others = async () => [
    (await at.shop.checkout({ orderId: '1001' })).status,
    await ended(payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-2' })),
    await ended(payments.cancel('1001')),
  ];
  const refused = [409, 'already_paid', 'already_paid'];
  await capture(async () => {
    at.shop.later();
    expect(await others()).toEqual(refused);
  });
  const lost = await holding();
  expect(await lost.capture()).toBe('unknown');
  const { status } = await lost.at.shop.checkout({ orderId: '1001' });
  expect([status, await ended(lost.payments.cancel('1001'))]).toEqual([409, 'already_paid']);
});

it('a capture that a person calls made after its order expired is late money, and ships nothing', async () => {
  const { at, payments, events, capture } = await holding();
  expect(await capture()).toBe('unknown');
  await at.later(3 * DAY_MS, 60);
  await payments.resolveOperation('request/c-1', 'succeeded', 'Seen on the dashboard.');
  expect(await at.state()).toBe('paid_late');
  expect(events).not.toContain('captured');
});

it('a challenge that is not passed keeps no other hold from being captured', async () => {
  const { at, shows, authorize, capture } = await holding();
  await authorize('s-2');
  shows(2, { type: 'Authorization' });
  await at.later(HOUR_MS, 10);
  expect(await capture(async () => undefined)).toBe('succeeded');
});

it('a challenge that is passed after a person called its sale failed pays the order', async () => {
  const { at, payments, events, shows } = await holding();
  await payments.resolveOperation('request/s-1', 'failed', 'Not on the dashboard.');
  await at.later(MINUTE_MS, 4);
  shows(1, {});
  await at.later(HOUR_MS, 20);
  expect(events).toContain('authorized');
});
