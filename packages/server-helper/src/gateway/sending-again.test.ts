import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  aLink,
  aSession,
  clientOf,
  errorOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import type { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import { systemClock } from '../clock.ts';
import type { GatewayClient } from './gateway-client.ts';
import { readRetryAfter } from './meaning.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const httpDate = (time: number): string => new Date(time).toUTCString();

let gateway: ScriptedGateway;
let client: GatewayClient;
/** How long the client waited between its sends. */
let waits: number[];

beforeEach(async () => {
  waits = [];
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const clock = { ...systemClock, sleep };
  const options = { clock, random: () => 0.5 };
  ({ gateway, client } = await startGateway(options));
});

const retrieve = (options?: { timeoutMs?: number; signal?: AbortSignal }) =>
  client.retrieveStatus({ sessionId: aSession }, options);

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

  it.each('-5|1.5|soon||1e3|0x10|2026-11-21|5 seconds|Sat, 99 Nov 2026 12:00:00 GMT'.split('|'))(
    '%j says nothing',
    (text) => {
      expect(readRetryAfter({ 'retry-after': text }, NOW)).toBeUndefined();
    },
  );

  it('that is missing or given twice says nothing', () => {
    expect(readRetryAfter({}, NOW)).toBeUndefined();
    expect(readRetryAfter({ 'retry-after': ['1', '2'] }, NOW)).toBeUndefined();
  });

  it('as a date is held against the answer’s own date, however wrong our clock is', () => {
    const headers = { date: httpDate(NOW), 'retry-after': httpDate(NOW + 2_000) };
    for (const wrong of [0, NOW - 86_400_000, NOW + 86_400_000]) {
      expect(readRetryAfter(headers, wrong)).toBe(2_000);
    }
  });
});

describe('a question', () => {
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

  it.each(['6', '3600', '99999999999999999999', httpDate(Date.now() + 86_400_000)])(
    'is given up at once where the wait of %s is longer than a call has',
    async (text) => {
      busy(Infinity, 429, { 'retry-after': text });
      const error = await errorOf(retrieve());
      expect(error).toMatchObject({ code: 'rate_limited', outcome: 'rejected', retryable: true });
      expect(error.retryAfterMs).toBeGreaterThan(5_000);
      expect([gateway.seen.length, waits]).toEqual([1, []]);
    },
  );

  it('is given up at once where the wait is longer than the deadline leaves', async () => {
    busy(Infinity, 503, { 'retry-after': '3' });
    const expected = { code: 'gateway_fault', outcome: 'unknown', retryAfterMs: 3_000 };
    expect(await errorOf(retrieve({ timeoutMs: 2_000 }))).toMatchObject(expected);
    expect([gateway.seen.length, waits]).toEqual([1, []]);
  });
});

it.each([429, 503])('a create is never sent again after HTTP %i', async (status) => {
  busy(1, status, { 'retry-after': '2' });
  const error = await errorOf(client.createPaymentLink(aLink));
  const outcome = status === 429 ? 'rejected' : 'unknown';
  expect(error).toMatchObject({ outcome, retryAfterMs: 2_000, retryable: true });
  expect([gateway.seen.length, waits]).toEqual([1, []]);
});

describe('a caller who gives up', () => {
  it('between two sends leaves unknown what the first one did', async () => {
    const controller = new AbortController();
    const sleep: typeof systemClock.sleep = (ms, over) => {
      queueMicrotask(() => controller.abort());
      return systemClock.sleep(ms, over);
    };
    const waiting = clientOf(gateway.origin, { clock: { ...systemClock, sleep } });
    onTestFinished(() => waiting.close());
    busy(Infinity, 503, { 'retry-after': '4' });
    const { signal } = controller;
    const error = await errorOf(waiting.retrieveStatus({ sessionId: aSession }, { signal }));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    expect(gateway.seen).toHaveLength(1);
  });

  it('leaves another call under way alone', async () => {
    const controller = new AbortController();
    const answers: (() => void)[] = [];
    gateway.script = (request, response) =>
      void answers.push(() => gateway.answerUsually(request, response));
    const left = errorOf(client.createPaymentLink(aLink, { signal: controller.signal }));
    const kept = client.createPaymentLink({ ...aLink, merchantOrderId: '1002~1' });
    await expect.poll(() => answers).toHaveLength(2);
    controller.abort();
    expect(await left).toMatchObject({ code: 'aborted' });
    for (const answer of answers) answer();
    await expect(kept).resolves.toHaveProperty('redirectUrl');
  });
});
