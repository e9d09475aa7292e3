import { readFileSync } from 'node:fs';
import type { GatewayProfile } from '@pay-button/server-helper';
import { describe, expect, it } from 'vitest';
import { readings as table } from '../packages/server-helper/src/cli/first-contact/readings.ts';
import {
  buildFidelity,
  openPointsPath,
  openPointsText,
  profilePlaces,
} from './fidelity/fidelity.ts';
import {
  all,
  approved,
  byHand,
  contact,
  everything,
  expectProposal,
  firstContact,
  rowOf,
} from './first-contact.ts';
import { quickReadings } from './matrix/readings.ts';

describe('the table of first contact', () => {
  it('has every open point in the contract’s words (npm run tool -- fidelity)', () => {
    const points = Object.entries(buildFidelity().sources);
    const own = table.filter(({ id }) => !id.startsWith('§'));
    const words = own.map(({ id, item, profile }) => [id, { item, profile }]);
    const theirs = points.map(([id, { item, profile }]) => [id, { item, profile }]);
    expect(Object.fromEntries(words)).toEqual(Object.fromEntries(theirs));
    expect(readFileSync(openPointsPath, 'utf8')).toBe(openPointsText());
  });

  it('has a row about every place of a profile', () => {
    const isNamed = (place: string) => new RegExp(`["( ]${place}[,)"]`).test(JSON.stringify(table));
    // A part of an operation is one place, whatever is in it.
    const whole = /^(?!operations)\w+\.\w+$|^operations\.\w+\.\w+$/;
    const places = profilePlaces().filter((place) => whole.test(place));
    const above = (place: string) => place.replace(/[.][^.]+$/, '');
    expect(places.filter((place) => !isNamed(place) && !isNamed(above(place)))).toEqual([]);
    expect(places.length).toBeGreaterThan(30);
  });
});

describe('first contact with a gateway of this kit’s readings', () => {
  it('confirms all that can be seen, proposes nothing, and leaves no webhook', async () => {
    const run = await contact({}, all);
    expect(run.entries).toEqual({});
    const seen = run.json.readings.filter(({ verdict }) => verdict !== 'not seen');
    expect(seen.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
    const ids = 'X1 X2 X3 X4 X5 X6 X7 N1 N2 N4 N6 N11 N12 N13 N14 N15 N16 N17 N19 N21 N23';
    const sections = '§1 §2.2 §3 §4.1 §4.9 §6 §7';
    expect(seen.map(({ id }) => id)).toEqual(`${ids} ${sections}`.split(' '));
    // Words of the kit's own are not taken for a gateway's unusual ones.
    expect(seen.map((row) => row.seen).join()).not.toContain('a message of');
    expect(run.code).toBe(0);
    const made = ['deleted', 'paid with a test card', 'accepted'];
    expect(run.json.made.map(({ state }) => state)).toEqual(made);
  });

  it('shows no key, password, token or secret', async () => {
    const run = await contact({ policy: ['fullKeys'] }, all);
    const printed = `${run.out}${run.err}${run.text}`;
    const { apiKey, portal } = run.sandbox;
    const secrets = [apiKey, portal.username, portal.password];
    for (const secret of secrets) expect(printed).not.toContain(secret);
    expect(printed).not.toMatch(/eyJ|whsec|sk_/);
  });
});

it.each(quickReadings)('a shop with the profile proposed for $name gets paid', expectProposal);

/** A gateway with several differences that a profile expresses, and three that need no entry. */
const several = {
  policy: ['absentStatus', 'refundAboveMinimum', 'errorsB'],
  profile: {
    status: { parameter: 'sessionId', orderName: 'reference', notFound: 'not-yet' },
    operations: {
      refund: { path: '/payment/refund' },
      createWebhook: { answer: { secret: '/data/signingSecret' } },
    },
    login: { path: '/portal/login', body: { username: 'email' }, token: '/data/jwt' },
    webhook: { signature: { header: 'X-Hub-Signature', algorithm: 'sha1', prefix: 'sha1=' } },
  } satisfies GatewayProfile,
};

describe('first contact', () => {
  it('names a field that the gateway asks for, and concludes nothing else from its refusal', async () => {
    const operations = { createPaymentLink: { add: { channel: 'WEB' } } };
    const run = await contact({ profile: { operations } }, { args: ['--wait', '0'] });
    expect(rowOf(run, '§4.1')?.verdict).toBe('contradicted');
    expect(run.json.remarks.join(' ')).toMatch(/channel must be "WEB".*createPaymentLink[.]add/);
    expect(rowOf(run, 'N21')?.verdict).toBe('confirmed');
  });

  it('says of a portal with other routes how it answers, and where in a profile these belong', async () => {
    const args = ['--steps', 'portal,webhooks', '--portal-writes'];
    const unknown = await contact(several, { args });
    expect(rowOf(unknown, 'N16')).toMatchObject({
      verdict: 'contradicted',
      seen: expect.stringMatching(/POST .auth.login: HTTP 404.*\(not_found\); see login[.]path/),
    });
    const { login } = byHand(several.profile);
    const known = await firstContact(unknown.sandbox, { args, inUse: { login } });
    const { seen = '' } = rowOf(known, 'N12') ?? {};
    expect(seen).toContain('operations.createWebhook.answer.secret says where');
    expect(known.json.made.map(({ state }) => state)).toEqual(['deleted']);
  });

  it('ends well under the profile that it proposed, and names what needs no entry', async () => {
    const first = await contact(several, { ...all, inUse: byHand(several.profile) });
    expect([first.entries, first.code]).toEqual([several.profile, 1]);
    const second = await firstContact(first.sandbox, { ...all, inUse: first.entries ?? {} });
    expect([second.entries, second.code]).toEqual([several.profile, 0]);
    const different = second.json.readings.filter(({ verdict }) => verdict === 'different');
    expect(different.map(({ id }) => id)).toEqual(['X5', 'N4', 'N21']);
  });

  it('drops an entry of the profile in use that the gateway does not have', async () => {
    const sale = { hash: 'required' } as const;
    const inUse: GatewayProfile = { status: { parameter: 'sessionId' }, sale };
    const run = await contact({ policy: ['transactionIdOnly'] }, { inUse });
    const status = { parameter: 'sessionId', asksFor: 'transaction' };
    expect(run.entries).toEqual({ status, sale });
    const refund: GatewayProfile = { operations: { refund: { path: '/payment/refund' } } };
    const profile = { operations: { refund: { path: '/payment/s2s/refund' } } };
    const other = await contact({ profile }, { inUse: refund, args: everything });
    expect(other.entries).toEqual({});
  });

  it('ends the wait for another notification at Ctrl-C, and deletes the webhook', async () => {
    const run = await contact({}, { args: everything, stopAt: 'for it to come again' });
    expect(run.err).toMatch(/Stopping; deleting webhook \S+\. Press Ctrl-C again/);
    expect(rowOf(run, 'N15')?.verdict).toBe('not seen');
    expect(run.json.made.map(({ state }) => state)).toContain('deleted');
  });

  it('goes on with an earlier payment', async () => {
    const args = ['--steps', 'link,pay', '--wait', '0'];
    const { json, sandbox } = await contact({}, { isTTY: false, args, cards: [] });
    const later = (json.again ?? '').split(' ');
    await sandbox.control.pay(later[3] ?? '', { card: { number: approved } });
    const run = await firstContact(sandbox, { args: later });
    expect(rowOf(run, 'N6')?.verdict).toBe('confirmed');
  });
});
