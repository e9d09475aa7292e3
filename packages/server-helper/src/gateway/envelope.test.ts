import { beforeEach, describe, expect, it } from 'vitest';
import { callOf, errorOf, oddClientOf, startGateway } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(async () => void ({ gateway, client } = await startGateway(oddClientOf)));

async function messagesAfter(status: number, body: unknown): Promise<readonly string[]> {
  gateway.script = (_request, response) => sendJson(response, status, body);
  const charge = callOf(client, 'chargeRecurring', changingInputs['chargeRecurring']);
  return (await errorOf(charge)).gatewayMessages;
}

const inC = (responseBody: unknown) => ({ statusCode: 400, responseBody });

describe('what the gateway says in an error is read from', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['A', { code: 400, message: 'No', errorCode: '400', data: null }, ['No']],
    ['B', { statusCode: 400, message: 'No', error: 'Bad Request' }, ['No']],
    ['B, several', { statusCode: 400, message: ['No', 'never'], error: 'Bad' }, ['No', 'never']],
    ['B, some of no text', { statusCode: 400, message: ['No', 1, null, 'never'] }, ['No', 'never']],
    ['C, a message', inC({ message: 'Invalid token' }), ['Invalid token']],
    ['C, several', inC({ message: ['No', 'never'] }), ['No', 'never']],
    ['C, a reason', inC({ result: 'DECLINED', decline_reason: 'Revoked' }), ['Revoked']],
    ['C, an error', inC({ error: 'Invalid token' }), ['Invalid token']],
    ['C, all three', inC({ message: 'A', decline_reason: 'B', error: 'C' }), ['A', 'B', 'C']],
    ['C, one thing twice', inC({ message: 'A', error: 'A' }), ['A']],
    ['C, a text', inC('Invalid token'), ['Invalid token']],
    ['B around C', { ...inC({ error: 'Revoked' }), message: 'No' }, ['No', 'Revoked']],
  ])('the places of envelope %s', async (_envelope, body, messages) => {
    for (const status of [400, 402, 500]) {
      expect(await messagesAfter(status, body)).toEqual(messages);
    }
  });

  it.each([null, [], 17, '', {}, { message: null }, { message: {} }, { message: ' ' }, [[]]])(
    'nothing of which says anything: %j',
    async (responseBody) => {
      expect(await messagesAfter(400, { responseBody })).toEqual([]);
      expect(await messagesAfter(400, responseBody)).toEqual([]);
    },
  );

  it('envelope C inside HTTP 200 whose number is one of an error', async () => {
    expect(await messagesAfter(200, inC({ error: 'Invalid token' }))).toEqual(['Invalid token']);
  });

  it('envelope C, cleaned of what the call was given', async () => {
    const said = { message: 'canary-recurring-token', error: 'card 4201 3201 1111 1010' };
    expect(await messagesAfter(400, inC(said))).toEqual([
      'a message of 22 characters',
      'card [redacted]',
    ]);
  });
});
