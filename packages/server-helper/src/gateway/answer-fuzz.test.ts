import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';
import { GatewayError } from './gateway-error.ts';

const inputs = { ...changingInputs, ...askingInputs };
const names = Object.keys(inputs);
const loggedIn = httpAnswer('200 OK', JSON.stringify({ accessToken: 'portal-token' }));

/** Answers that each operation takes, to be spoilt. */
const good: Readonly<Record<string, object>> = {
  createPaymentLink: { id: 's-1', redirectUrl: 'https://pay.example/' },
  retrieveStatus: statusAnswer([statusRow()]),
  refund: {
    code: 200,
    message: 'ok',
    errorCode: null,
    data: { result: 'accepted', refundId: 'r', referenceId: 'r', paymentId: '1', amount: '20.00' },
  },
  chargeRecurring: {
    statusCode: 200,
    responseBody: { result: 'SUCCESS', status: 'SUCCESS', payment_id: '1' },
  },
  sale: {
    code: 200,
    message: 'ok',
    errorCode: null,
    data: { result: 'SUCCESS', status: 'SUCCESS', transactionId: 't-1' },
  },
};

let server: RawServer;
let client: GatewayClient;
let wire: Buffer;

beforeAll(async () => {
  server = await new RawServer({
    onRequest: (socket, _count, request) =>
      socket.end(request.includes('/auth/login') ? loggedIn : wire),
  }).start();
  client = oddClientOf(server.origin, {
    breaker: false,
    timeoutMs: 20_000,
    portal: { username: 'noura', password: 'a password' },
  });
});

afterAll(async () => {
  await client.close();
  await server.close();
});

type Ending = { readonly value: unknown } | { readonly error: unknown };

const callOnce = (operation: string): Promise<Ending> =>
  callOf(client, operation, inputs[operation]).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** An error is a GatewayError about this operation, and never claims that nothing was sent. */
function expectOwnError(error: unknown, operation: string): void {
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({ operation, outcome: expect.stringMatching(/rejected|unknown/) });
}

const run = (property: fc.IAsyncProperty<never>): Promise<void> =>
  fc.assert(property, {
    numRuns: 150,
    interruptAfterTimeLimit: 5_000,
    markInterruptAsFailure: false,
  });

const anOperation = fc.constantFrom(...names);
const aStatus = fc.constantFrom('200 OK', '201 Created', '204 No Content', '400 Bad', '401 No');

/** The results of a success without a body, where the body decides nothing. */
const emptyResults: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['deleteWebhook', [undefined]],
  ['updateWebhook', [{ id: 'wh-1', url: '' }]],
  ['updateSdkToken', [{ id: 'sdk-1' }]],
]);

describe('whatever the gateway answers, a call ends with a value or with a GatewayError:', () => {
  it('bytes in the place of the body', async () => {
    await run(
      fc.asyncProperty(
        anOperation,
        aStatus,
        fc.uint8Array({ maxLength: 2_000 }),
        async (...given) => {
          const [operation, status, bytes] = given;
          wire = httpAnswer(status, Buffer.from(bytes));
          const ending = await callOnce(operation);
          if ('error' in ending) expectOwnError(ending.error, operation);
          else expect(emptyResults.get(operation)).toEqual([ending.value]);
        },
      ) as never,
    );
  });

  it('bytes in the place of the whole answer', async () => {
    await run(
      fc.asyncProperty(
        anOperation,
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        async (...given) => {
          const [operation, bytes] = given;
          wire = Buffer.from(bytes);
          const ending = await callOnce(operation);
          expect(ending).toHaveProperty('error');
          if ('error' in ending) expectOwnError(ending.error, operation);
        },
      ) as never,
    );
  });

  it('any JSON in the place of the body', async () => {
    await run(
      fc.asyncProperty(anOperation, fc.json({ maxDepth: 4 }), async (...given) => {
        const [operation, json] = given;
        wire = httpAnswer('200 OK', json);
        const ending = await callOnce(operation);
        if ('error' in ending) expectOwnError(ending.error, operation);
        else expect(operation).toBe('deleteWebhook');
      }) as never,
    );
  });

  it('a good answer with one place spoilt, which never makes a success of what is not one', async () => {
    await run(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(good)),
        fc.nat(),
        fc.jsonValue({ maxDepth: 2 }),
        async (operation, place, spoilt) => {
          const answer = withPlace(good[operation] ?? {}, place, spoilt);
          wire = httpAnswer('200 OK', JSON.stringify(answer));
          const ending = await callOnce(operation);
          if ('error' in ending) expectOwnError(ending.error, operation);
          else expectTrue(operation, ending.value, answer);
        },
      ) as never,
    );
  });
});

/** The answer with the value at its n-th place, counted over all depths, replaced. */
function withPlace(answer: object, place: number, spoilt: unknown): Record<string, unknown> {
  const copy = structuredClone(answer) as Record<string, unknown>;
  const places: (() => void)[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push(() => ((node as Record<string, unknown>)[key] = spoilt));
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  places[place % places.length]?.();
  return copy;
}

/** A value says nothing good that the answer does not say, in the gateway's own words. */
function expectTrue(operation: string, value: unknown, answer: Record<string, unknown>): void {
  const { data, responseBody, errorCode } = answer as Record<string, Record<string, unknown>>;
  expect(errorCode ?? null).toBeNull();
  if (operation === 'createPaymentLink') {
    expect(value).toEqual({
      sessionId: answer['id'],
      redirectUrl: expect.stringMatching(/^https?:/),
    });
  } else if (operation === 'retrieveStatus') {
    const rows = (value as { transactions: object[] }).transactions;
    expect(rows).toHaveLength([data?.['content'] ?? []].flat().length);
    for (const row of rows) expect(row).toMatchObject({ amount: expect.any(String) });
  } else if (operation === 'chargeRecurring') {
    const isSuccess =
      responseBody?.['result'] === 'SUCCESS' && responseBody['status'] === 'SUCCESS';
    expect((value as { result: string }).result === 'success').toBe(isSuccess);
  } else {
    const word = operation === 'refund' ? 'accepted' : 'success';
    const said = String(data?.['result']).toLowerCase();
    expect((value as { result: string }).result === word).toBe(said === word);
  }
}
