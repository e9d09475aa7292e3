import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { systemClock } from '../clock.ts';
import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';
import { readRetryAfter } from './meaning.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;
let clock: ManualClock;
/** How far the client's clock is from the true one. */
let offset = 0;
const logged: string[] = [];

function clientWith(options: Partial<GatewayClientOptions> = {}): GatewayClient {
  const log = (_fields: object, message: string): void => void logged.push(message);
  const made = clientOf(gateway.origin, {
    clock: { ...clock, now: () => clock.now() + offset },
    logger: { info: log, warn: () => undefined, error: log },
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  onTestFinished(() => gateway.close());
  clock = manualClock();
  offset = 0;
  logged.length = 0;
  client = clientWith();
});

const create = (nth = 1) => client.createPaymentLink({ ...aLink, merchantOrderId: `1001~${nth}` });
const retrieve = (ms = 30_000) => client.retrieveStatus({ sessionId: aSession }, { timeoutMs: ms });
const state = () => client.breakers().apiKey;
const sends = () => gateway.seen.length;
const heldBack = { code: 'breaker_open', outcome: 'not-sent' };

function fail(status = 500): void {
  gateway.script = (_request, response) => sendJson(response, status, {});
}

const mend = (): void => void (gateway.script = undefined);

/** Failing creates, spread over time. */
async function failFor(seconds: number, callsASecond = 2): Promise<void> {
  for (let call = 0; call < seconds * callsASecond; call += 1) {
    await errorOf(create());
    await clock.advance(1_000 / callsASecond);
  }
}

/** Fails until the breaker is open, and its probe of the moment is made. */
async function open(status?: number): Promise<void> {
  fail(status);
  await failFor(11);
  await errorOf(create());
  expect(client.breakers()).toEqual({ apiKey: 'open', portal: 'closed' });
}

it('stays closed over a hundred failures in a moment, and over nineteen in an hour', async () => {
  fail();
  for (let call = 0; call < 100; call += 1) await errorOf(create());
  expect(state()).toBe('closed');
  mend();
  await create();
  fail();
  for (let call = 0; call < 19; call += 1) {
    await errorOf(create());
    await clock.advance(200_000);
  }
  expect([state(), sends()]).toEqual(['closed', 120]);
});

it('opens after a row of failures over ten seconds: creates then fail at once, not sent', async () => {
  await open();
  expect(logged).toEqual(['the gateway keeps failing; calls to it are held back']);
  const before = sends();
  for (let call = 0; call < 50; call += 1) {
    const error = await errorOf(create());
    expect(error).toMatchObject({ ...heldBack, retryable: true, httpStatus: undefined });
  }
  expect(sends()).toBe(before);
});

it('lets one call through every two seconds, and all again after the first that works', async () => {
  fail();
  await failFor(60, 4);
  // Open after 10 s; then 50 s with one probe each 2 s.
  expect(sends()).toBeGreaterThanOrEqual(41 + 24);
  expect(sends()).toBeLessThanOrEqual(41 + 27);
  mend();
  await clock.advance(2_000);
  await expect(create()).resolves.toHaveProperty('sessionId');
  expect(state()).toBe('closed');
  expect(logged.at(-1)).toBe('the gateway works again; calls to it go on');
  await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)));
});

it('lets a question wait for its turn and be sent, so that money is found as soon as the gateway is back', async () => {
  await open(503);
  mend();
  const questions = Array.from({ length: 20 }, () => retrieve());
  await clock.advance(2_000);
  await clock.advance(2_000);
  await expect(Promise.all(questions)).resolves.toHaveLength(20);
});

it('holds no question back beyond its deadline, nor beyond three waits', async () => {
  await open();
  const before = sends();
  expect(await errorOf(retrieve(1_000))).toMatchObject(heldBack);
  expect(sends()).toBe(before);
  let now = 0;
  let waits = 0;
  // Time stands still while it waits: its turn never comes.
  const sleep = async (): Promise<void> => void (waits += 1);
  client = clientWith({ clock: { now: () => now, sleep } });
  for (; now < 12_000; now += 600) await errorOf(create());
  expect(await errorOf(retrieve())).toMatchObject(heldBack);
  expect(waits).toBe(3);
});

it('is closed by any answer that shows a working gateway, a refusal too', async () => {
  fail();
  await failFor(9);
  fail(400);
  await errorOf(create());
  fail();
  await failFor(9);
  expect(state()).toBe('closed');
});

it('counts a key that is refused, and holds back nothing that another credential opens', async () => {
  await open(401);
  gateway.answerEach(() => [200, { webhooks: [] }]);
  await expect(client.listWebhooks()).resolves.toEqual({ webhooks: [] });
});

it('counts nobody who gives up, and counts on when somebody does', async () => {
  gateway.script = () => undefined;
  const giveUp = async (signal: AbortSignal): Promise<void> => {
    const error = await errorOf(client.createPaymentLink(aLink, { signal }));
    expect(error).toMatchObject({ code: 'aborted' });
  };
  for (let call = 0; call < 30; call += 1) {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await giveUp(controller.signal);
    await clock.advance(1_000);
  }
  fail();
  await failFor(9);
  await giveUp(AbortSignal.abort());
  expect(state()).toBe('closed');
  await failFor(2);
  expect(state()).toBe('open');
});

it('that is switched off sends every call', async () => {
  client = clientWith({ breaker: false });
  fail();
  await failFor(30, 1);
  expect([sends(), state()]).toEqual([30, 'closed']);
});

it.each([-86_400_000, 86_400_000])('keeps no call back where a clock jumps %d ms', async (jump) => {
  await open();
  const before = sends();
  offset = jump;
  expect(await errorOf(create())).toMatchObject({ code: 'gateway_fault' });
  expect(await errorOf(create())).toMatchObject(heldBack);
  expect(sends()).toBe(before + 1);
});

it('begins the row of failures again where a clock jumps back by a day', async () => {
  fail();
  await failFor(9);
  offset = -86_400_000;
  await failFor(10);
  expect(state()).toBe('closed');
  await failFor(1);
  expect(state()).toBe('open');
});

const NOW = Date.UTC(2026, 10, 21, 12);
const httpDate = (time: number): string => new Date(time).toUTCString();

/** How long the client waited between its sends, where it waits for nothing but that. */
let waits: number[];

function waitForNothing(): void {
  waits = [];
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  client = clientWith({ clock: { ...systemClock, sleep }, random: () => 0.5 });
}

/** Answers the first requests with this status, the others as usual. */
function busy(times: number, status: number, headers: Record<string, string> = {}): void {
  gateway.script = (request, response) => {
    if (gateway.seen.length > times) gateway.answerUsually(request, response);
    else response.writeHead(status, headers).end('{}');
  };
}

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    ['99999999999999999999', 1e23],
    [httpDate(NOW + 3_000), 3_000],
    [httpDate(NOW - 3_000), 0],
    ['Saturday, 21-Nov-26 12:00:02 GMT', 2_000],
  ])('%s is read', (text, expected) => {
    expect(readRetryAfter({ 'retry-after': text }, NOW)).toBe(expected);
  });

  const none = '-5|1.5|soon||1e3|0x10|2026-11-21|5 seconds|Sat, 99 Nov 2026 12:00:00 GMT';
  it.each([undefined, ['1', '2'], ...none.split('|')])('%j says nothing', (text) => {
    expect(readRetryAfter({ 'retry-after': text }, NOW)).toBeUndefined();
  });

  it('as a date is held against the answer’s own date, however wrong our clock is', () => {
    const headers = { date: httpDate(NOW), 'retry-after': httpDate(NOW + 2_000) };
    for (const wrong of [0, NOW - 86_400_000, NOW + 86_400_000]) {
      expect(readRetryAfter(headers, wrong)).toBe(2_000);
    }
  });
});

describe('a question', () => {
  beforeEach(waitForNothing);

  it('is sent again with growing pauses, but not for ever', async () => {
    busy(2, 503);
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    busy(Infinity, 503);
    expect(await errorOf(retrieve())).toMatchObject({ retryable: true, httpStatus: 503 });
    expect(gateway.seen).toHaveLength(6);
    expect(waits).toEqual([100, 200, 100, 200]);
  });

  it('waits for the date or as many seconds as a busy answer names', async () => {
    const now = Date.now();
    busy(1, 429, { date: httpDate(now), 'retry-after': httpDate(now + 3_000) });
    await retrieve();
    busy(3, 503, { 'retry-after': '1' });
    await retrieve();
    expect(waits).toEqual([3_000, 1_000]);
  });

  const long = ['6', '3600', '99999999999999999999', httpDate(Date.now() + 86_400_000)];
  it.each(long)('is given up where the wait of %s is longer than a call has', async (text) => {
    busy(Infinity, 429, { 'retry-after': text });
    const error = await errorOf(retrieve());
    expect(error).toMatchObject({ code: 'rate_limited', outcome: 'rejected', retryable: true });
    expect(error.retryAfterMs).toBeGreaterThan(5_000);
    expect([gateway.seen.length, waits]).toEqual([1, []]);
  });

  it('is given up at once where the wait is longer than the deadline leaves', async () => {
    busy(Infinity, 503, { 'retry-after': '3' });
    const expected = { code: 'gateway_fault', outcome: 'unknown', retryAfterMs: 3_000 };
    expect(await errorOf(retrieve(2_000))).toMatchObject(expected);
    expect([gateway.seen.length, waits]).toEqual([1, []]);
  });
});

it('a caller who gives up between two sends leaves unknown what the first one did', async () => {
  const controller = new AbortController();
  const sleep: typeof systemClock.sleep = (ms, over) => {
    queueMicrotask(() => controller.abort());
    return systemClock.sleep(ms, over);
  };
  client = clientWith({ clock: { ...systemClock, sleep } });
  busy(Infinity, 503, { 'retry-after': '4' });
  const { signal } = controller;
  const error = await errorOf(client.retrieveStatus({ sessionId: aSession }, { signal }));
  expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
  expect(gateway.seen).toHaveLength(1);
});
