import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readContractText } from '../../../../contract/contract-document.ts';
import { answerWith, CountedGateway } from '../../test-support/counted-gateway.ts';
import { sendJson, statusAnswer } from '../../test-support/scripted-gateway.ts';
import { logIn } from './credentials.ts';
import { isFields } from './fields.ts';
import type { AskedOperation } from './gateway-error.ts';
import { knownAnswer, type KnownFields } from './drift.ts';
import type { Operation } from './operation.ts';
import { operations } from './profile.ts';

const rows: Readonly<Record<AskedOperation, Operation>> = { ...operations, logIn };

/** Everything that the contract shows in an answer, as names of fields. */
function fieldsOf(schema: unknown): readonly string[] {
  if (!isFields(schema)) return [];
  const { properties, $ref, items, allOf = [] } = schema;
  const own = isFields(properties) ? Object.entries(properties) : [];
  const more = [items, ...(allOf as unknown[]), ...own.map(([, field]) => field)];
  const named =
    typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : null;
  return [...own.map(([name]) => name), ...[...more, named].flatMap(fieldsOf)];
}

const { paths, components } = parse(readContractText()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractPlace>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};
const { schemas } = components;
interface ContractPlace {
  readonly operationId?: AskedOperation;
  readonly responses?: Readonly<
    Record<string, { readonly content?: object; readonly $ref?: string }>
  >;
}

describe('the contract', () => {
  const places = Object.values(paths)
    .flatMap((place) => Object.values(place))
    .flatMap(({ operationId, responses }) =>
      operationId === undefined || responses === undefined ? [] : [{ operationId, responses }],
    );
  const knownNames = (fields: KnownFields): readonly string[] =>
    [...fields].flatMap(([name, { fields: inside }]) => [
      name,
      ...(inside ? knownNames(inside) : []),
    ]);

  it.each(places.map((place) => [place.operationId, place] as const))(
    'shows nothing of %s that would count',
    (operation, { responses }) => {
      const [status, success] = Object.entries(responses).find(([code]) => code < '300') ?? [];
      const { httpStatus = 200, namesById } = rows[operation];
      expect(Number(status)).toBe(httpStatus);
      expect(namesById === true).toBe('404' in responses);
      const json = (success?.content as Record<string, { schema: unknown }> | undefined)?.[
        'application/json'
      ];
      const known = knownNames(knownAnswer(rows[operation]));
      expect(fieldsOf(json?.schema).filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});

let counted: CountedGateway;
beforeEach(async () => {
  counted = await CountedGateway.start();
});
afterEach(() => counted.close());

const moved = { result: 'ACCEPTED', action: 'CAPTURE', rrn: '1', order_id: 'o', trans_id: '2' };
const inA = (data: unknown): object => ({ code: 200, message: 'Success', errorCode: null, data });

describe('an answer as it is expected', () => {
  it.each([
    ['a status', 'retrieveStatus', 200, answerWith({})],
    ['no rows', 'retrieveStatus', 200, statusAnswer([])],
    [
      'the further fields of a row (N6)',
      'retrieveStatus',
      200,
      answerWith({
        orderId: 17,
        merchantOrderId: '1001~1',
        currencyCode: '682',
        rrn: '1',
        createdAt: 'now',
        finishedAt: null,
        declineReason: null,
        recurringToken: 'rt',
      }),
    ],
    [
      'the fields of a notification in a row (N13)',
      'retrieveStatus',
      200,
      answerWith({
        cardNumber: '420132******1010',
        status: 'Approved',
        type: 'Purchase',
        reason: null,
      }),
    ],
    [
      'a sale with every field (N9)',
      'sale',
      200,
      inA({
        result: 'DECLINED',
        status: 'FAILED',
        transactionId: null,
        payment_id: 1,
        order_id: 'o',
        trans_id: '2',
        html: null,
        rrn: '3',
        card_brand: 'MADA',
        recurringToken: null,
        decline_reason: 'no',
      }),
    ],
    ['a capture', 'capture', 200, inA({ ...moved, card_brand: 'MADA', decline_reason: null })],
    [
      'webhooks',
      'listWebhooks',
      200,
      { webhooks: [{ id: '1', url: 'https://a.example', active: true }] },
    ],
    [
      'an unknown id',
      'retrieveStatus',
      404,
      { code: 404, message: 'no', errorCode: '404', data: null },
      'not_found',
    ],
    [
      'a refused key',
      'retrieveStatus',
      401,
      { statusCode: 401, message: 'no', error: 'Unauthorized' },
      'unauthorized',
    ],
    ['a fault', 'capture', 503, 'down', 'gateway_fault'],
    ['too many calls', 'capture', 429, {}, 'rate_limited'],
  ])('counts nothing: %s', async (_what, operation, status, body, code?: string) => {
    counted.answer(status, body);
    expect(await counted.call(operation)).toBe(code ?? null);
    expect(counted.seen()).toEqual([]);
    expect(counted.lines).toEqual([]);
  });
});

describe('what the profile says', () => {
  it('is expected wherever an answer follows it', async () => {
    await counted.close();
    counted = await CountedGateway.start({
      status: { orderName: 'bill' },
      operations: {
        createSdkToken: { answer: { token: '/data/sdkToken' } },
        retrieveCredentials: { answer: { credentials: '/data/keys', apiKey: '/value' } },
      },
      login: { token: '/data/jwt' },
    });
    counted.answer(200, answerWith({ bill: '1001~1' }));
    expect(await counted.call('retrieveStatus')).toBeNull();
    counted.gateway.script = (request, response) => {
      const answers: Record<string, unknown> = {
        '/v1/auth/login': { code: 200, message: 'ok', data: { jwt: 'portal-1' } },
        '/v1/merchant/account/credentials': {
          code: 200,
          data: { keys: [{ id: '1', value: 'k' }] },
        },
      };
      sendJson(response, 200, answers[request.path]);
    };
    await counted.client.retrieveCredentials();
    counted.gateway.script = (_request, response) =>
      sendJson(response, 201, { id: '1', data: { sdkToken: 'sdk-token-1' } });
    expect(await counted.call('createSdkToken')).toBeNull();
    expect(counted.seen()).toEqual([]);
  });
});
