import { describe, expect, it } from 'vitest';
import { oddClientOf } from '../../test-support/gateway-calls.ts';
import { ScriptedGateway, statusRow } from '../../test-support/scripted-gateway.ts';
import type { GatewayProfile } from './profile.ts';

describe('our name for a payment in a status row', () => {
  const row = { merchantOrderId: '1001~1', orderId: 'gw-1', ref: '1002~1', order_no: 42 };
  const nameUnder = async (status: GatewayProfile['status']): Promise<string | undefined> => {
    const gateway = await new ScriptedGateway().start();
    gateway.rows.set('s-1', [statusRow(row)]);
    const client = oddClientOf(gateway.origin, { profile: { status } });
    const { transactions } = await client.retrieveStatus({ sessionId: 's-1' });
    await client.close();
    await gateway.close();
    return transactions[0]?.merchantOrderId;
  };

  it.each([
    ['the field that has a name’s form', {}, '1001~1'],
    ['the profile’s field alone', { orderName: 'ref' }, '1002~1'],
    ['the profile’s field, whatever its form', { orderName: 'orderId' }, 'gw-1'],
    ['the digits of a number', { orderName: 'order_no' }, '42'],
    ['a field that is absent', { orderName: 'order' }, undefined],
    ['no field, where the gateway’s rows bear none', { orderName: null }, undefined],
  ])('is read from %s', async (_what, status, name) => {
    expect(await nameUnder(status)).toBe(name);
  });
});
