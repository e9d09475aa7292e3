import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { GatewayClient } from './gateway-client.ts';
import { readRetryAfter } from './meaning.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const httpDate = (time: number): string => new Date(time).toUTCString();

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

  it.each([
    '-5',
    '1.5',
    'soon',
    '',
    '1e3',
    '0x10',
    '2026-11-21',
    '5 seconds',
    'Sat, 99 Nov 2026 12:00:00 GMT',
  ])('%j says nothing', (text) => {
    expect(readRetryAfter({ 'retry-after': text }, NOW)).toBeUndefined();
  });

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

describe('a question after a busy answer', () => {
  let gateway: ScriptedGateway;
  let client: GatewayClient;
  let waits: number[];

  beforeEach(async () => {
    gateway = await new ScriptedGateway().start();
    waits = [];
    const clock: Clock = {
      now: () => systemClock.now(),
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        return Promise.resolve();
      },
    };
    client = clientOf(gateway.origin, { clock, random: () => 0.5 });
  });

  afterEach(async () => {
    await client.close();
    await gateway.close();
  });

  const retrieve = (options?: { timeoutMs: number }) =>
    client.retrieveStatus({ sessionId: aSession }, options);

  function busy(times: number, status: number, headers: Record<string, string>): void {
    gateway.script = (request, response) => {
      if (gateway.seen.length > times) gateway.answerUsually(request, response);
      else response.writeHead(status, headers).end('{}');
    };
  }

  it.each([429, 503])('of HTTP %i waits for the date that it names', async (status) => {
    const now = Date.now();
    const headers = { date: httpDate(now), 'retry-after': httpDate(now + 3_000) };
    busy(1, status, headers);
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    expect(waits).toEqual([3_000]);
  });

  it('waits as many seconds as it names', async () => {
    busy(1, 429, { 'retry-after': '1' });
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    expect(waits).toEqual([1_000]);
  });

  it.each(['-5', 'soon', '1.5'])('that says %j waits as if it said nothing', async (text) => {
    busy(2, 503, { 'retry-after': text });
    await retrieve();
    expect(waits).toEqual([100, 200]);
  });

  it.each(['6', '3600', '99999999999999999999', httpDate(Date.now() + 86_400_000)])(
    'that asks for a longer wait than a call has (%s) is reported, with the wait it asked for',
    async (text) => {
      busy(Infinity, 429, { 'retry-after': text });
      const error = await errorOf(retrieve());
      expect(error).toMatchObject({ code: 'rate_limited', outcome: 'rejected', retryable: true });
      expect(error.retryAfterMs).toBeGreaterThan(5_000);
      expect(gateway.seen).toHaveLength(1);
    },
  );

  it('that asks for more than the deadline leaves is told at once', async () => {
    busy(Infinity, 503, { 'retry-after': '3' });
    const error = await errorOf(retrieve({ timeoutMs: 2_000 }));
    expect(error).toMatchObject({
      code: 'gateway_fault',
      outcome: 'unknown',
      retryAfterMs: 3_000,
    });
    expect(waits).toEqual([]);
    expect(gateway.seen).toHaveLength(1);
  });

  it('is no question when it is a create, which only tells what was asked for', async () => {
    busy(Infinity, 429, { 'retry-after': '2' });
    const error = await errorOf(client.createPaymentLink(aLink));
    expect(error).toMatchObject({ code: 'rate_limited', outcome: 'rejected', retryAfterMs: 2_000 });
    expect(gateway.seen).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});
