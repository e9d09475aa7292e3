import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { bodyOf, operationVectors, phoneVectors, statusVectors } from './vectors.ts';

const contract = new ContractDocument();
const APPROVED = '4201320111111010';
const INSUFFICIENT = '4201320000311101';
const CHALLENGED = '4508750015741019';
const UNCHALLENGED = '5123450000000008';

let sandbox: Sandbox;
let token = '';
let orders = 0;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  const { body } = await call('logIn', { body: sandbox.portal });
  token = (body as { accessToken: string }).accessToken;
});
afterAll(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is. */
  readonly body?: unknown;
  readonly base?: string;
}

/** The schemas that name every field of a record, by the operation that answers it. */
const records: Readonly<Record<string, string>> = {
  retrieveStatus: 'Transaction',
  pollStatus: 'Transaction',
  refund: 'RefundData',
  sale: 'SaleData',
  capture: 'CaptureData',
  void: 'VoidData',
  chargeRecurring: 'RecurringBody',
};

/** Calls an operation, and holds its answer against the contract, the names of fields included. */
async function call(operation: string, given: Call = {}): Promise<Answer> {
  const { method, path: own } = contract.placeOf(operation);
  const { path = own, query = {}, headers = keyOf(operation), body } = given;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const url = `${given.base ?? sandbox.baseUrl}${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(url, {
    method: method.toUpperCase(),
    redirect: 'error',
    headers: { ...type, ...headers },
    body: typeof body === 'string' ? body : (JSON.stringify(body) ?? null),
  });
  const text = await response.text();
  const answer = { status: response.status, body: text === '' ? null : JSON.parse(text) };
  expect(contract.answerFaults(operation, answer.status, answer.body)).toEqual([]);
  const schema = response.ok ? records[operation] : undefined;
  if (schema !== undefined) {
    const known = contract.fieldsOf(schema);
    const fields = recordsOf(answer).flatMap((one) => Object.keys(one));
    expect(fields.filter((name) => !known.includes(name))).toEqual([]);
  }
  return answer;
}

/** The credentials are not interchangeable (§5), so each operation gets its own. */
function keyOf(operation: string): Record<string, string> {
  const { credential } = contract.placeOf(operation);
  if (credential === 'apiKey') return { 'x-api-key': sandbox.apiKey };
  return credential === 'portal' ? { authorization: `Bearer ${token}` } : {};
}

type Fields = Readonly<Record<string, unknown>>;

function recordsOf({ body }: Answer): readonly Fields[] {
  const { data, responseBody } = body as { data?: Fields; responseBody?: Fields };
  const { content, ...one } = data ?? responseBody ?? {};
  return (content as readonly Fields[] | undefined) ?? [one];
}

/** The first record of an answer. */
const recordOf = (answer: Answer): Fields => recordsOf(answer)[0] ?? {};

const nextOrder = (): string => `order-${(orders += 1)}`;

async function aSession(): Promise<string> {
  const link = { ...bodyOf('createPaymentLink'), merchantOrderId: nextOrder() };
  return ((await call('createPaymentLink', { body: link })).body as { id: string }).id;
}

const sell = (changes: object = {}, number = UNCHALLENGED): Promise<Answer> => {
  const card = { ...(bodyOf('sale')['card'] as Fields), number };
  return call('sale', {
    body: { ...bodyOf('sale'), orderId: nextOrder(), recurringInit: 'Y', card, ...changes },
  });
};

/** The ids of a sale's transaction and of its token. */
async function sold(changes: object = {}) {
  const { transactionId, recurringToken } = recordOf(await sell(changes));
  return { transactionId: String(transactionId), recurringToken: String(recurringToken) };
}

interface Vector {
  readonly operation: string;
  readonly name: string;
  readonly conforms: boolean;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const all: readonly Vector[] = [
  ...phoneVectors.phones.map(({ given, sent }) => ({
    operation: 'createPaymentLink',
    name: `the phone ${given}`,
    conforms: sent !== null,
    body: { ...bodyOf('createPaymentLink'), customerPhone: sent ?? given },
  })),
  ...statusVectors.requests.map((one) => ({ ...one, operation: 'retrieveStatus' })),
  ...operationVectors.flatMap(({ operation, requests }) =>
    requests.map((one) => ({ ...one, operation })),
  ),
];

const isAboutRecord = (operation: string): boolean => /^(?:update|delete)/.test(operation);

/** A vector's call, about a session, a transaction or a record that this sandbox has. */
async function fitted({ operation, path, query, body }: Vector): Promise<Call> {
  if (path !== undefined && isAboutRecord(operation)) {
    const made = operation.replace(/^[a-z]+/, 'create');
    const { body: record } = await call(made, { body: bodyOf(made) });
    const { id } = record as { readonly id: string };
    return { path: path.replace(/[^/]+$/, id), body };
  }
  const isHold = operation === 'capture' || operation === 'void';
  const isPoll = operation === 'pollStatus';
  const isSold = isPoll || (typeof body === 'object' && body !== null && 'transactionId' in body);
  const ids = isSold ? await sold(isHold ? { auth: 'Y' } : {}) : undefined;
  const id = isPoll ? ids?.transactionId : await aSession();
  const own: Fields = { ...ids, id, sessionId: id, merchantOrderId: nextOrder() };
  const withOwn = (given: Fields): Fields =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        // A number is no id of a session, and stays one.
        return [name, /^\d+$/.test(String(value)) ? value : (own[name] ?? value)];
      }),
    );
  return {
    ...(query === undefined ? {} : { query: withOwn(query) as Call['query'] }),
    ...(body === undefined ? {} : { body: withOwn(body as Fields) }),
  };
}

/** The gateway ignores what its tables do not name; our client does not send it. */
const misnamed = ['a field that the table does not name', "by the overview's name (X1)"];
const ignored = new Set([...misnamed, 'an amount', 'a body', 'a query']);

// Pins: operation.*, field.*Request.*, field.PaymentLink.*, field.*Envelope*.*, field.*Webhook*,
// field.Credential*, field.*SdkToken*, error.*.400, error.createPaymentLink.phone,
// field.PaymentLinkRequest.customerPhone
it.each(all)('the sandbox answers $operation as the contract says, for $name', async (vector) => {
  const { status } = await call(vector.operation, await fitted(vector));
  if (vector.conforms || ignored.has(vector.name)) expect(status).toBeLessThan(300);
  else expect(status).toBe(vector.name === 'with a numeric payment id' ? 404 : 400);
});

/** Every operation; a path about one record names none that there is. */
const operations = Object.values(contract.document.paths)
  .flatMap((methods) => Object.entries(methods))
  .map(([method, { operationId: operation }]) => {
    const { credential, path } = contract.placeOf(operation);
    return { operation, credential, method, path: path.replace('{id}', 'unknown') };
  });

// Pins: error.*.401, error.unauthorized.bearer-*, error.unauthorized.key-*,
// error.unauthorized.wrong-*
it.each(operations)(
  'the sandbox refuses $operation as the contract says without its credential, with a wrong one and another one',
  async ({ operation, credential, path }) => {
    const wrong: readonly Record<string, string>[] = [
      {},
      { 'x-api-key': 'wrong', authorization: 'Bearer wrong' },
      { 'x-api-key': sandbox.productionApiKey },
      { authorization: `Bearer ${credential === 'portal' ? sandbox.apiKey : token}` },
      ...(credential === 'portal' ? [{ 'x-api-key': sandbox.apiKey }] : []),
    ];
    const body = { ...sandbox.portal, password: 'wrong' };
    const calls = credential === undefined ? [{ body }] : wrong.map((headers) => ({ headers }));
    for (const given of calls) expect((await call(operation, { path, ...given })).status).toBe(401);
  },
);

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json;charset=latin1',
];

// Pins: error.*.400, error.*.413, error.*.415
it.each(operations.filter(({ method }) => method !== 'get'))(
  'the sandbox refuses $operation as the contract says with a body that is no JSON, of another type or too large',
  async ({ operation, path }) => {
    const statusOf = async (body: unknown, more: object = {}): Promise<number> =>
      (await call(operation, { path, body, headers: { ...keyOf(operation), ...more } })).status;
    for (const text of ['{"a":', 'undefined', 'a=1']) expect(await statusOf(text)).toBe(400);
    for (const type of types) expect(await statusOf('{}', { 'content-type': type })).toBe(415);
    expect(await statusOf('{}', { 'content-encoding': 'gzip' })).toBe(415);
    expect(await statusOf({ a: 'x'.repeat(65_536) })).toBe(413);
  },
);

const oddTexts = ['', '\u0000', '\uD800', '__proto__', '٠٥', 'x'.repeat(5_000)];
const odd = [null, true, -1, 0.001, 1e21, [], { toString: 1 }, ...oddTexts];

/** A body again and again, each time with one of its values replaced by another. */
const variantsOf = (right: unknown, value: unknown): readonly unknown[] =>
  typeof right !== 'object' || right === null || Array.isArray(right)
    ? [value]
    : Object.entries(right).flatMap(([name, inner]) =>
        variantsOf(inner, value).map((other) => ({ ...right, [name]: other })),
      );

const rightBodies = all.filter(({ conforms, body }) => conforms && body !== undefined);

it.each([...new Map(rightBodies.map((vector) => [vector.operation, vector])).values()])(
  'the sandbox answers $operation as the contract says whatever one of its values is',
  async (vector) => {
    const right = await fitted(vector);
    for (const value of odd) {
      for (const body of variantsOf(right.body, value)) {
        const { status } = await call(vector.operation, { ...right, body });
        expect([body, status < 500]).toEqual([body, true]);
      }
    }
  },
);

// Pins: error.*.404
it.each(operationVectors.filter(({ answers }) => answers.some(({ status }) => status === 404)))(
  'the sandbox answers $operation as the contract says where nothing has the id',
  async ({ operation, requests: [request] }) => {
    const { path = '', query, body } = request ?? {};
    const given = isAboutRecord(operation)
      ? { path: path.replace(/[^/]+$/, 'unknown'), body }
      : { body: body && { ...(body as Fields), transactionId: 'unknown' } };
    expect((await call(operation, { ...given, ...(query && { query }) })).status).toBe(404);
  },
);

describe('the sandbox’s answers are as the contract says', () => {
  // Pins: error.logIn.400
  it('to a login without a name or a password', async () => {
    for (const login of [{}, { username: 'noura' }, { username: 7, password: null }, []]) {
      expect((await call('logIn', { body: login })).status).toBe(400);
    }
  });

  // Pins: operation.retrieveStatus, field.StatusAnswer.*, field.StatusData.*, field.EnvelopeA.*,
  // field.retrieveStatus.*, error.retrieveStatus.404, transition.session.declined
  it('of a session without and with tries, by each name and id (X1, X2)', async () => {
    const id = await aSession();
    const statusOf = async (query: Record<string, string>) =>
      recordsOf(await call('retrieveStatus', { query }));
    expect(await statusOf({ id })).toEqual([]);
    for (const number of [INSUFFICIENT, CHALLENGED, APPROVED]) {
      await sandbox.control.pay(id, { card: { number } });
    }
    const rows = await statusOf({ sessionId: id });
    const { amount } = statusVectors.asked;
    expect(rows).toMatchObject([
      { paymentStatus: 'DECLINED' },
      { paymentStatus: 'PENDING' },
      { paymentStatus: 'APPROVED', amount },
    ]);
    expect(await statusOf({ id: String(rows[2]?.['transactionId']) })).toEqual(rows.slice(2));
    const base = sandbox.productionBaseUrl;
    expect((await call('retrieveStatus', { query: { id }, base })).status).toBe(401);
  });

  // Pins: operation.sale, field.SaleData.*, error.sale.400
  it('to sales that are approved, declined, challenged, authorized, and of an unlisted card', async () => {
    const sales = [
      await sell(),
      await sell({}, INSUFFICIENT),
      await sell({}, CHALLENGED),
      await sell({ auth: 'Y' }),
    ];
    const results = sales.map((sale) => recordOf(sale)['result']);
    expect(results).toEqual(['SUCCESS', 'DECLINED', 'REDIRECT', 'SUCCESS']);
    expect((await sell({}, '4539578763621486')).body).toMatchObject({ errorCode: '400' });
  });
});

// Pins: field.Transaction.transactionId
it('the policies sameId and B answer as the contract allows too (X2, X7)', async () => {
  const usual = sandbox;
  sandbox = await startSandbox({ port: 0, policy: ['sameId', 'B'] });
  try {
    const id = await aSession();
    await sandbox.control.pay(id, { card: { number: APPROVED } });
    const rows = recordsOf(await call('retrieveStatus', { query: { id } }));
    expect(rows).toMatchObject([{ transactionId: id }]);
    expect((await call('refund', { body: { transactionId: id, amount: 115 } })).status).toBe(200);
    const refund = { ...(await sold()), amount: 116 };
    const { body } = await call('refund', { body: { ...refund, recurringToken: undefined } });
    expect(contract.faultsAt('/components/schemas/ValidationErrorEnvelopeB', body)).toEqual([]);
  } finally {
    await sandbox.close();
    sandbox = usual;
  }
});
