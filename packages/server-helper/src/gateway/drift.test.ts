import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerWith, CountedGateway } from '../../test-support/counted-gateway.ts';
import { aLink, aSession } from '../../test-support/gateway-calls.ts';
import { sendJson, statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';

let counted: CountedGateway;
beforeEach(async () => {
  counted = await CountedGateway.start();
});
afterEach(() => counted.close());

const inA = (data: unknown): object => ({ code: 200, message: 'Success', errorCode: null, data });

describe('an answer that is not expected', () => {
  it.each([
    [
      'an unknown field',
      'retrieveStatus',
      200,
      answerWith({ tid: 1 }),
      ['unknown_field /data/content/*/tid'],
    ],
    [
      'an unknown field beside the rows',
      'retrieveStatus',
      200,
      inA({ content: [], totalElements: 0, page: 1 }),
      ['unknown_field /data/page'],
    ],
    [
      'an unknown transaction status',
      'retrieveStatus',
      200,
      answerWith({ transactionStatus: 'DONE' }),
      ['unknown_word /data/content/*/transactionStatus'],
    ],
    [
      'an unknown payment status',
      'retrieveStatus',
      200,
      answerWith({ paymentStatus: 'Approved' }),
      ['unknown_word /data/content/*/paymentStatus'],
    ],
    [
      'an unknown refund status',
      'retrieveStatus',
      200,
      answerWith({ refundStatus: 'HALF' }),
      ['unknown_word /data/content/*/refundStatus'],
    ],
    [
      'an unknown result',
      'chargeRecurring',
      200,
      { statusCode: 200, responseBody: { result: 'OK', status: 'SUCCESS', payment_id: '1' } },
      ['unknown_word /responseBody/result'],
    ],
    [
      'another type',
      'retrieveStatus',
      200,
      answerWith({ totalRefundAmount: 0 }),
      ['other_type /data/content/*/totalRefundAmount'],
    ],
    [
      'a row that is none',
      'retrieveStatus',
      200,
      statusAnswer(['row']),
      ['other_type /data/content/*', 'unreadable_answer /data/content/*'],
    ],
    [
      'an amount that is a number',
      'retrieveStatus',
      200,
      answerWith({ amount: 115 }),
      ['other_type /data/content/*/amount', 'unreadable_answer /data/content/*/amount'],
    ],
    [
      'no status',
      'retrieveStatus',
      200,
      answerWith({ transactionStatus: undefined }),
      ['unreadable_answer /data/content/*/transactionStatus'],
    ],
    [
      'no envelope',
      'retrieveStatus',
      200,
      { content: [], totalElements: 0 },
      ['other_envelope ', 'unreadable_answer '],
    ],
    [
      'an envelope where none is expected',
      'createPaymentLink',
      201,
      inA({ id: aSession, redirectUrl: 'https://a.example' }),
      ['other_envelope ', 'unreadable_answer /id'],
    ],
    [
      'another success',
      'createPaymentLink',
      200,
      { id: aSession, redirectUrl: 'https://a.example/' },
      ['unexpected_status 200'],
    ],
    [
      'another refusal',
      'retrieveStatus',
      403,
      { statusCode: 403, message: 'no', error: 'Forbidden' },
      ['unexpected_status 403'],
    ],
    [
      'a path that is unknown',
      'listWebhooks',
      404,
      { statusCode: 404, message: 'no', error: 'Not Found' },
      ['unexpected_status 404'],
    ],
    ['a redirect', 'retrieveStatus', 302, {}, ['unexpected_status 302']],
    [
      'an error in another envelope',
      'retrieveStatus',
      400,
      { fault: 'no' },
      ['other_envelope /error'],
    ],
    [
      'an error with further fields',
      'retrieveStatus',
      400,
      { statusCode: 400, message: 'no', timestamp: 1 },
      ['unknown_field /error/timestamp'],
    ],
    [
      'an error with HTTP 200 and further fields',
      'retrieveStatus',
      200,
      { errorCode: '400', message: 'no', path: '/' },
      ['unknown_field /path'],
    ],
    ['no JSON', 'retrieveStatus', 200, undefined, ['unreadable_answer ']],
  ])(
    'is counted by its kind and its place: %s',
    async (_what, operation, status, body, expected) => {
      counted.answer(status, body);
      await counted.call(operation);
      expect(counted.seen()).toEqual(expected.map((one) => `${operation} ${one} 1`));
    },
  );

  it('counts the answers that have it, and sorts', async () => {
    counted.answer(200, statusAnswer([statusRow({ zone: 1, area: 1 }), statusRow({ zone: 1 })]));
    await counted.call('retrieveStatus');
    await counted.call('retrieveStatus');
    counted.answer(200, { id: aSession, redirectUrl: 'https://a.example/' });
    await counted.client.createPaymentLink(aLink);
    expect(counted.seen()).toEqual([
      'createPaymentLink unexpected_status 200 1',
      'retrieveStatus unknown_field /data/content/*/area 2',
      'retrieveStatus unknown_field /data/content/*/zone 2',
    ]);
    for (const { lastSeenAt } of counted.client.drift())
      expect(Date.now() - lastSeenAt).toBeLessThan(60_000);
  });

  it('counts what the portal’s login answers', async () => {
    counted.gateway.script = (request, response) =>
      request.path.endsWith('/auth/login')
        ? sendJson(response, 201, { token: 'portal-1', scope: 'all' })
        : sendJson(response, 200, { webhooks: [] });
    await counted.client.listWebhooks();
    expect(counted.seen()).toEqual([
      'logIn unexpected_status 201 1',
      'logIn unknown_field /scope 1',
    ]);
  });

  it('counts a login without a token', async () => {
    counted.gateway.script = (_request, response) =>
      sendJson(response, 200, { data: { jwt: 'x' }, code: 200 });
    await counted.call('listWebhooks');
    expect(counted.seen()).toEqual(['logIn other_envelope  1', 'logIn unreadable_answer  1']);
  });
});

describe('each thing is reported', () => {
  it('once in the log', async () => {
    counted.answer(200, answerWith({ tid: 1 }));
    await counted.call('retrieveStatus');
    await counted.call('retrieveStatus');
    const fields = {
      operation: 'retrieveStatus',
      kind: 'unknown_field',
      field: '/data/content/*/tid',
    };
    expect(counted.lines).toEqual([
      { fields, message: 'the gateway answered otherwise than expected' },
    ]);
  });

  it('each time on its channel', async () => {
    const events: unknown[] = [];
    const listener = (event: unknown): void => void events.push(event);
    subscribe('pay-button:gateway:drift', listener);
    counted.answer(200, answerWith({ paymentStatus: 'DONE' }));
    await counted.call('retrieveStatus');
    await counted.call('retrieveStatus');
    unsubscribe('pay-button:gateway:drift', listener);
    const event = {
      operation: 'retrieveStatus',
      kind: 'unknown_word',
      field: '/data/content/*/paymentStatus',
    };
    expect(events).toEqual([event, event]);
  });
});
