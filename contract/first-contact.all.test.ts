import type { GatewayProfile } from '@pay-button/server-helper';
import { describe, expect, it } from 'vitest';
import {
  all,
  challenged,
  contact,
  expectProposal,
  insufficient,
  optionsFor,
  orderUnder,
  rowOf,
  unknown,
} from './first-contact.ts';
import { combinationOf } from './matrix/readings.ts';

describe('first contact proposes the profile of every gateway that it does not know', () => {
  it.each(unknown)('$name: a shop with the proposed profile sees its orders paid', expectProposal);

  const combined = [1, 2, 3, 4, 5].map(combinationOf);
  it.each(combined)('$name: a shop with it does as one that knows its gateway', async (reading) => {
    const run = await contact(reading, optionsFor(reading));
    expect(run.entries).not.toBeNull();
    const known = await orderUnder(run.sandbox, reading, reading.shopProfile);
    expect(await orderUnder(run.sandbox, reading, run.entries ?? {})).toBe(known);
  });

  it('sees null words of an open payment', async () => {
    const row = rowOf(await contact({ policy: ['nullPending'] }, { cards: [challenged] }), 'N4');
    expect(row).toMatchObject({ verdict: 'different', seen: 'PENDING comes with null' });
  });

  it('finds a poll by POST where the status does not know the transaction', async () => {
    const body = { transactionId: 'trans_id' };
    const pollStatus = { method: 'POST', path: '/payment/s2s/status', body } as const;
    const profile = { operations: { pollStatus } };
    const { entries } = await contact({ policy: ['sessionIdOnly'], profile });
    expect(entries).toEqual(profile);
  });
});

describe('first contact', () => {
  it('sees an open payment and its end', async () => {
    const run = await contact({}, { cards: [insufficient, challenged] });
    expect(rowOf(run, 'N5')?.seen).toBe('PENDING to SUCCESS');
    expect(rowOf(run, 'N4')?.seen).toContain('PENDING comes with PENDING');
  });

  it('confirms a profile that says that there is no such field', async () => {
    const status = { orderName: null };
    const operations = { createWebhook: { answer: { secret: null } } };
    const inUse: GatewayProfile = { status, operations };
    const reading = { policy: ['noSecrets'], profile: { status } };
    const run = await contact(reading, { ...all, inUse });
    expect([run.entries, run.code]).toEqual([inUse, 0]);
  });

  it('waits for the status to show the payment where no person types', async () => {
    const profile: GatewayProfile = { status: { parameter: 'sessionId', notFound: 'not-yet' } };
    const run = await contact({ profile }, { isTTY: false, args: ['--wait', '60'] });
    expect(run.entries).toEqual(profile);
    expect(rowOf(run, 'N1')?.verdict).toBe('not seen');
  });
});
