import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  aLink,
  aSession,
  clientOf,
  errorOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { systemClock } from '../clock.ts';
import type { GatewayClient } from './gateway-client.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(async () => void ({ gateway, client } = await startGateway(clientOf)));

const status = () => client.retrieveStatus({ sessionId: aSession });

/** Answers the first `times` requests with a fault, the others as usual. */
function faultFirst(times: number, code: number, headers: Record<string, string> = {}): void {
  gateway.script = (request, response) => {
    if (gateway.seen.length > times) gateway.answerUsually(request, response);
    else response.writeHead(code, headers).end('{}');
  };
}

describe('a status call', () => {
  it.each([429, 502, 503, 504])('is sent again after HTTP %i', async (code) => {
    faultFirst(2, code, { 'retry-after': '0' });
    await expect(status()).resolves.toEqual({ transactions: [] });
    expect(gateway.statusCalls).toHaveLength(3);
  });

  it('is not sent for ever', async () => {
    faultFirst(Infinity, 503, { 'retry-after': '0' });
    expect(await errorOf(status())).toMatchObject({ code: 'gateway_fault', retryable: true });
    expect(gateway.statusCalls).toHaveLength(3);
  });

  it.each([400, 404, 500])('is not sent again after HTTP %i', async (code) => {
    faultFirst(1, code);
    await errorOf(status());
    expect(gateway.statusCalls).toHaveLength(1);
  });

  it('is given up at once when Retry-After asks for a longer wait than a call has', async () => {
    faultFirst(1, 503, { 'retry-after': '3600' });
    expect(await errorOf(status())).toMatchObject({ code: 'gateway_fault', httpStatus: 503 });
    expect(gateway.statusCalls).toHaveLength(1);
  });
});

it('a create is never sent again, whatever Retry-After says', async () => {
  faultFirst(1, 503, { 'retry-after': '0' });
  const error = await errorOf(client.createPaymentLink(aLink));
  expect(error).toMatchObject({ code: 'gateway_fault', outcome: 'unknown', retryable: true });
  expect(gateway.creates).toHaveLength(1);
});

describe('while keys rotate', () => {
  const keysSeen = () => gateway.seen.map(({ headers }) => headers['x-api-key']);

  beforeEach(async () => {
    await client.close();
    client = clientOf(gateway.origin, { apiKey: ['old-key', 'new-key'] });
    gateway.script = (request, response) => {
      if (request.headers['x-api-key'] === 'new-key') gateway.answerUsually(request, response);
      else sendJson(response, 401, { statusCode: 401, message: 'No', error: 'Unauthorized' });
    };
  });

  it('a create that the first key did not open goes again with the next, once', async () => {
    await expect(client.createPaymentLink(aLink)).resolves.toHaveProperty('sessionId');
    expect(keysSeen()).toEqual(['old-key', 'new-key']);
  });

  it('a status call does the same, and the next call starts with the key that worked', async () => {
    await status();
    await status();
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'new-key']);
  });

  it('an old key that works again is found again', async () => {
    await status();
    gateway.script = (request, response) => {
      if (request.headers['x-api-key'] === 'old-key') gateway.answerUsually(request, response);
      else sendJson(response, 401, {});
    };
    await status();
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'new-key', 'old-key']);
  });

  /** What each key hears about a session; `null` cuts the connection. */
  function eachHears(answers: Readonly<Record<string, number | null>>): void {
    gateway.script = (request, response) => {
      const heard = answers[String(request.headers['x-api-key'])];
      if (heard === 200) gateway.answerUsually(request, response);
      else if (typeof heard === 'number') sendJson(response, heard, {});
      else response.destroy();
    };
  }

  it.each([
    ['another one knows', { 'old-key': 404, 'new-key': 200 }, null],
    ['another one knows, behind one that is refused', { 'old-key': 401, 'new-key': 200 }, null],
    ['none knows', { 'old-key': 404, 'new-key': 404 }, 'not_found'],
    ['none knows that is not refused', { 'old-key': 404, 'new-key': 401 }, 'not_found'],
    ['another one may know', { 'old-key': 404, 'new-key': 500 }, 'gateway_fault'],
    ['another one has no answer for', { 'old-key': 404, 'new-key': null }, 'connection_lost'],
  ] as const)('a session that %s', async (_what, answers, code) => {
    eachHears(answers);
    const asked = status().then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect(await asked).toBe(code);
    expect(new Set(keysSeen())).toEqual(new Set(['old-key', 'new-key']));
  });

  it('a 404 of a question changes no key, and one of an operation ends it', async () => {
    eachHears({ 'old-key': 404, 'new-key': 200 });
    await status();
    await errorOf(client.createPaymentLink(aLink));
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key']);
  });

  it('a 404 that comes in HTTP 200 is one too', async () => {
    gateway.script = (request, response) =>
      request.headers['x-api-key'] === 'new-key'
        ? gateway.answerUsually(request, response)
        : sendJson(response, 200, { code: 404, message: 'no', errorCode: '404', data: null });
    await status();
    expect(keysSeen()).toEqual(['old-key', 'new-key']);
  });

  it('each key is tried once when all are refused, and the call is rejected', async () => {
    gateway.script = (_request, response) => sendJson(response, 401, {});
    const error = await errorOf(client.createPaymentLink(aLink));
    expect(error).toMatchObject({ code: 'unauthorized', outcome: 'rejected', retryable: false });
    expect(await errorOf(status())).toMatchObject({ code: 'unauthorized' });
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key', 'new-key']);
  });
});

describe('a caller who gives up', () => {
  it('before sending has sent nothing', async () => {
    const signal = AbortSignal.abort();
    const error = await errorOf(client.createPaymentLink(aLink, { signal }));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not-sent', retryable: false });
    expect(gateway.seen).toHaveLength(0);
  });

  it.each([
    ['create', () => clientCall('create')],
    ['status call', () => clientCall('status')],
  ])('in flight leaves a %s unknown', async (_what, call) => {
    const controller = new AbortController();
    gateway.script = () => controller.abort();
    const error = await errorOf(call()(controller.signal));
    expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    expect(gateway.seen).toHaveLength(1);
  });

  it('between two sends leaves unknown what the first one did', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    await client.close();
    client = clientOf(gateway.origin, {
      clock: {
        ...systemClock,
        sleep: (ms, over) => {
          queueMicrotask(() => controller.abort());
          return systemClock.sleep(ms, over);
        },
      },
    });
    faultFirst(Infinity, 503, { 'retry-after': '4' });
    const call = client.retrieveStatus({ sessionId: aSession }, { signal });
    expect(await errorOf(call)).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    expect(gateway.seen).toHaveLength(1);
  });

  function clientCall(what: 'create' | 'status') {
    return (signal: AbortSignal): Promise<unknown> =>
      what === 'create'
        ? client.createPaymentLink(aLink, { signal })
        : client.retrieveStatus({ sessionId: aSession }, { signal });
  }
});

describe('the deadline', () => {
  it('of one call may be shorter than the client’s, and counts every send', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    gateway.script = () => void vi.advanceTimersByTime(150);
    const error = await errorOf(client.createPaymentLink(aLink, { timeoutMs: 150 }));
    expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown', retryable: true });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5])(
    'of %d ms is refused before anything is sent',
    async (timeoutMs) => {
      const error = await errorOf(client.createPaymentLink(aLink, { timeoutMs }));
      expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
      expect(gateway.seen).toHaveLength(0);
    },
  );
});

it('an abort of one call leaves another under way alone', async () => {
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
