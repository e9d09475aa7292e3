import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import { Breaker } from './call.ts';
import { GatewayError } from './gateway-error.ts';
import type { GatewayClient } from './gateway-client.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;
let clock: ManualClock;
const logged: string[] = [];

async function start(breaker: false | undefined): Promise<void> {
  const log = (_fields: object, message: string): void => void logged.push(message);
  client = clientOf(gateway.origin, {
    clock,
    breaker,
    portal: { username: 'noura', password: 'a password' },
    logger: { info: log, warn: () => undefined, error: log },
  });
}

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  clock = manualClock();
  logged.length = 0;
});

afterEach(async () => {
  await client.close();
  await gateway.close();
});

const create = (number = 1) =>
  client.createPaymentLink({ ...aLink, merchantOrderId: `1001~${number}` });
const retrieve = (timeoutMs = 30_000) =>
  client.retrieveStatus({ sessionId: aSession }, { timeoutMs });

function fail(status = 500): void {
  gateway.script = (_request, response) => sendJson(response, status, {});
}

function mend(): void {
  gateway.script = undefined;
}

/** Failing creates, spread over the time that opens the usual breaker. */
async function failFor(seconds: number, callsASecond = 2): Promise<void> {
  for (let call = 0; call < seconds * callsASecond; call += 1) {
    await errorOf(create());
    await clock.advance(1_000 / callsASecond);
  }
}

describe('the usual breaker', () => {
  beforeEach(() => start(undefined));

  it('stays closed over a hundred failures in a moment, and over nineteen in an hour', async () => {
    fail();
    for (let call = 0; call < 100; call += 1) await errorOf(create());
    expect(client.breakers()).toEqual({ apiKey: 'closed', portal: 'closed' });
    mend();
    await create();
    fail();
    for (let call = 0; call < 19; call += 1) {
      await errorOf(create());
      await clock.advance(200_000);
    }
    expect(client.breakers().apiKey).toBe('closed');
    expect(gateway.seen).toHaveLength(120);
  });

  it('opens after a row of failures over ten seconds: creates then fail at once, not sent', async () => {
    fail();
    await failFor(11);
    expect(client.breakers()).toEqual({ apiKey: 'open', portal: 'closed' });
    expect(logged).toEqual(['the gateway keeps failing; calls to it are held back']);
    await errorOf(create()); // The probe.
    const before = gateway.seen.length;
    for (let call = 0; call < 50; call += 1) {
      expect(await errorOf(create())).toMatchObject({
        code: 'breaker_open',
        outcome: 'not-sent',
        retryable: true,
        httpStatus: undefined,
      });
    }
    expect(gateway.seen).toHaveLength(before);
  });

  it('lets one call through every two seconds, and all again after the first that works', async () => {
    fail();
    await failFor(60, 4);
    // Open after 10 s; then 50 s with one probe each 2 s.
    expect(gateway.seen.length).toBeGreaterThanOrEqual(41 + 24);
    expect(gateway.seen.length).toBeLessThanOrEqual(41 + 27);
    mend();
    await clock.advance(2_000);
    await expect(create()).resolves.toHaveProperty('sessionId');
    expect(client.breakers().apiKey).toBe('closed');
    expect(logged.at(-1)).toBe('the gateway works again; calls to it go on');
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)));
  });

  it('lets a question wait for its turn, so that money is found as soon as the gateway is back', async () => {
    fail(503);
    await failFor(11);
    await errorOf(create());
    mend();
    const questions = Array.from({ length: 20 }, () => retrieve());
    await clock.advance(2_000);
    await clock.advance(2_000);
    await expect(Promise.all(questions)).resolves.toHaveLength(20);
  });

  it('sends a question that waited itself, if the gateway still fails', async () => {
    fail();
    await failFor(11);
    await errorOf(create());
    const before = gateway.seen.length;
    const question = errorOf(retrieve());
    await clock.advance(2_000);
    expect(await question).toMatchObject({ code: 'gateway_fault', outcome: 'unknown' });
    expect(gateway.seen).toHaveLength(before + 1);
  });

  it('holds no question back beyond its deadline', async () => {
    fail();
    await failFor(11);
    await errorOf(create());
    const before = gateway.seen.length;
    expect(await errorOf(retrieve(1_000))).toMatchObject({
      code: 'breaker_open',
      outcome: 'not-sent',
    });
    expect(gateway.seen).toHaveLength(before);
  });

  it('is closed by any answer that shows a working gateway, a refusal too', async () => {
    fail();
    await failFor(9);
    fail(400);
    await errorOf(create());
    fail();
    await failFor(9);
    expect(client.breakers().apiKey).toBe('closed');
  });

  it('counts a key that is refused, and holds back nothing that another credential opens', async () => {
    fail(401);
    await failFor(11);
    expect(client.breakers().apiKey).toBe('open');
    gateway.script = (request, response) =>
      request.path.endsWith('/auth/login')
        ? gateway.answerUsually(request, response)
        : sendJson(response, 200, { webhooks: [] });
    await expect(client.listWebhooks()).resolves.toEqual({ webhooks: [] });
  });

  it('counts on when somebody gives up in between', async () => {
    fail();
    await failFor(9);
    const error = await errorOf(client.createPaymentLink(aLink, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted' });
    await failFor(2);
    expect(client.breakers().apiKey).toBe('open');
  });

  it('counts nobody who gives up', async () => {
    gateway.script = () => undefined;
    for (let call = 0; call < 30; call += 1) {
      const controller = new AbortController();
      const error = errorOf(client.createPaymentLink(aLink, { signal: controller.signal }));
      setImmediate(() => controller.abort());
      expect(await error).toMatchObject({ code: 'aborted' });
      await clock.advance(1_000);
    }
    expect(client.breakers().apiKey).toBe('closed');
  });
});

it('a question waits three times for its turn, and then no longer', async () => {
  fail();
  let now = 0;
  let waits = 0;
  // Time stands still while it waits: its turn never comes.
  const sleep = (): Promise<void> => {
    waits += 1;
    return Promise.resolve();
  };
  client = clientOf(gateway.origin, { clock: { now: () => now, sleep } });
  for (; now < 12_000; now += 600) await errorOf(create());
  expect(await errorOf(retrieve())).toMatchObject({ code: 'breaker_open', outcome: 'not-sent' });
  expect(waits).toBe(3);
});

it('without a breaker every call is sent', async () => {
  await start(false);
  fail();
  await failFor(30, 1);
  expect(gateway.seen).toHaveLength(30);
  expect(client.breakers()).toEqual({ apiKey: 'closed', portal: 'closed' });
});

describe('a clock that jumps', () => {
  const lost = new GatewayError({
    code: 'connection_lost',
    operation: 'refund',
    outcome: 'unknown',
    message: '',
  });
  let now: number;
  let breaker: Breaker;
  beforeEach(() => {
    now = 1_000_000_000;
    breaker = new Breaker({ ...clock, now: () => now }, () => undefined);
  });
  function report(failures: number, everyMs: number): void {
    for (let failure = 0; failure < failures; failure += 1, now += everyMs) breaker.report(lost);
  }

  it.each([-86_400_000, 86_400_000])('by %d ms keeps no breaker open', (jump) => {
    report(21, 500);
    now += jump;
    expect([breaker.msToWait(), breaker.msToWait()]).toEqual([0, 2_000]);
  });

  it('back by a day keeps no breaker closed: the row of failures begins again', () => {
    report(20, 500);
    now -= 86_400_000;
    report(20, 500);
    expect(breaker.isOpen).toBe(false);
    report(1, 0);
    expect(breaker.isOpen).toBe(true);
  });
});
