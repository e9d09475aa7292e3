import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { readings } from '../packages/server-helper/src/cli/first-contact/readings.ts';
import { buildFidelity } from './fidelity/fidelity.ts';
import {
  approved,
  firstContact,
  insufficient,
  payUnder,
  seenOf,
  verdictOf,
  type ContactOptions,
  type ContactRun,
} from './first-contact-run.ts';

let sandbox: Sandbox;
const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
afterEach(() => sandbox.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function contact(
  reading: { policy?: readonly string[]; profile?: GatewayProfile },
  options: ContactOptions = {},
): Promise<ContactRun> {
  sandbox = await startSandbox({ port: 0, ...reading });
  return firstContact(sandbox, options);
}

const everything = ['--refund', '--portal-writes'];

it('knows every open point by the contract’s words', async () => {
  sandbox = await startSandbox({ port: 0 });
  const { sources } = buildFidelity();
  const own = Object.entries(readings).map(([id, { item, entries }]) => [id, { item, entries }]);
  const theirs = Object.entries(sources).map(([id, { item, profile }]) => [
    id,
    { item, entries: profile },
  ]);
  expect(Object.fromEntries(own)).toEqual(Object.fromEntries(theirs));
});

describe('first contact with a gateway of this kit’s readings', () => {
  it('confirms all that can be seen, and proposes nothing', async () => {
    const run = await contact({}, { args: everything, cards: [insufficient, approved] });
    expect(run.entries).toEqual({});
    expect(run.json.stated.filter(({ holds }) => !holds)).toEqual([]);
    const seen = run.json.readings.filter(({ verdict }) => verdict !== 'not seen');
    expect(seen.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
    expect(seen.map(({ id }) => id)).toEqual(
      'X1 X2 X3 X5 X6 X7 N1 N2 N4 N6 N11 N12 N16 N17 N19 N20 N21 N23'.split(' '),
    );
    expect(run.code).toBe(0);
  });

  it('shows no key, password, token or secret', async () => {
    const run = await contact({ policy: ['fullKeys'] }, { args: everything });
    const printed = `${run.out}${run.err}${run.text}`;
    const { apiKey, portal } = sandbox;
    for (const secret of [apiKey, portal.username, portal.password]) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).not.toMatch(/eyJ|whsec|sk_/);
  });
});

interface GivenReading {
  readonly policy?: readonly string[];
  readonly profile?: GatewayProfile;
}

/** A profile that a sandbox is given and that the command has to find out as it is. */
const itself = (id: string, profile: GatewayProfile) => [id, { profile }, profile] as const;

/** Each reading that is seen from outside: its point, the sandbox's reading, and the proposal. */
const expressed: readonly (readonly [string, GivenReading, GatewayProfile])[] = [
  ['X1', { policy: ['sessionIdParameter'] }, { status: { parameter: 'sessionId' } }],
  ['X2', { policy: ['transactionIdOnly'] }, { status: { asksFor: 'transaction' } }],
  [
    'X2',
    { policy: ['transactionIdOnly', 'sessionIdParameter'] },
    { status: { parameter: 'sessionId', asksFor: 'transaction' } },
  ],
  ['N21', { policy: ['unknownUntilTransaction'] }, { status: { notFound: 'not-yet' } }],
  ['N6', { policy: ['noOrderName'] }, { status: { orderName: null } }],
  ['N6', { policy: ['bareRows'] }, { status: { orderName: null } }],
  [
    'N12',
    { policy: ['noSecrets'] },
    { operations: { createWebhook: { answer: { secret: null } } } },
  ],
  itself('X1', { status: { parameter: 'sessionId' } }),
  itself('X2', { status: { asksFor: 'transaction' } }),
  itself('N21', { status: { notFound: 'not-yet' } }),
  itself('N6', { status: { orderName: 'reference' } }),
  itself('X3', { operations: { refund: { path: '/payment/refund' } } }),
  [
    'N11',
    {
      policy: ['sessionIdOnly'],
      profile: {
        operations: {
          pollStatus: {
            method: 'POST',
            path: '/payment/s2s/status',
            body: { transactionId: 'trans_id' },
          },
        },
      },
    },
    {
      operations: {
        pollStatus: {
          method: 'POST',
          path: '/payment/s2s/status',
          body: { transactionId: 'trans_id' },
        },
      },
    },
  ],
  itself('N16', { login: { path: '/portal/login' } }),
  itself('N16', { login: { body: { username: 'email' } } }),
  itself('N16', { login: { token: '/data/jwt', expiresInSeconds: '/data/expires' } }),
  itself('N17', {
    operations: { retrieveCredentials: { answer: { credentials: '/data/keys', apiKey: '/key' } } },
  }),
  itself('N19', {
    operations: {
      listSdkTokens: { path: '/merchant/sdk-tokens', answer: { sdkTokens: '' } },
    },
  }),
  itself('N12', { operations: { createWebhook: { answer: { secret: '/data/signingSecret' } } } }),
  itself('N12', { operations: { createWebhook: { body: { url: 'endpoint' } } } }),
  itself('N12', { operations: { updateWebhook: { method: 'PUT' } } }),
];

/** Each reading that no profile has to express: its point, its policy, and what is seen of it. */
const unexpressed: readonly (readonly [string, string, string, string])[] = [
  ['X2', 'sameId', 'confirmed', 'the transaction’s id is the session’s'],
  ['X2', 'sessionIdOnly', 'confirmed', 'session ids only'],
  ['X5', 'refundAboveMinimum', 'contradicted', '0.01 is refused, 0.02 is taken'],
  ['X6', 'otherAccepted', 'confirmed', 'a refund is ACCEPTED'],
  ['X7', 'B', 'confirmed', 'HTTP 400, envelope B'],
  ['N1', 'appendsTransactionId', 'contradicted', 'appended: transactionId, status'],
  ['N4', 'rejectedStatus', 'contradicted', 'FAILED comes with REJECTED'],
  ['N4', 'absentStatus', 'contradicted', 'FAILED comes with absent'],
  ['N6', 'ownOrderNumbers', 'confirmed', 'merchantOrderId bears our name'],
  ['N6', 'numericIds', 'confirmed', 'numbers: currencyCode, rrn'],
  ['N17', 'fullKeys', 'contradicted', 'keys in full'],
  ['N20', 'saudiPhones', 'contradicted', 'a number of the Emirates is refused'],
  ['N21', 'errorsB', 'contradicted', 'an unknown id: HTTP 404, envelope B'],
  ['N21', 'emptyForUnknown', 'contradicted', 'an unknown id: an empty content'],
];

describe('first contact proposes what it was not told, and that works', () => {
  it.each(expressed)('sees %s in a gateway of %j', async (id, reading, proposal) => {
    const run = await contact(reading, { args: everything });
    expect(run.entries).toEqual(proposal);
    expect([verdictOf(run, id), run.code]).toEqual(['contradicted', 1]);
    expect(await payUnder(sandbox, run.entries ?? {})).toEqual([['SUCCESS', 'APPROVED']]);
  });

  it.each(unexpressed)('says of %s under %s: %s', async (id, policy, verdict, seen) => {
    const appended = policy.startsWith('appends')
      ? (transactionId: string) => `?transactionId=${transactionId}&status=Approved`
      : () => '';
    const cards = [insufficient, approved];
    const run = await contact({ policy: [policy] }, { args: everything, cards, appended });
    expect([verdictOf(run, id), seenOf(run, id)]).toEqual([verdict, expect.stringContaining(seen)]);
    expect(run.entries).toEqual({});
  });
});

describe('first contact', () => {
  it('confirms everything under the profile that it proposed', async () => {
    const profile: GatewayProfile = {
      status: { parameter: 'sessionId', orderName: 'reference', notFound: 'not-yet' },
      operations: {
        refund: { path: '/payment/refund' },
        createWebhook: { answer: { secret: '/data/signingSecret' } },
      },
      login: { path: '/portal/login', body: { username: 'email' }, token: '/data/jwt' },
    };
    const first = await contact({ profile }, { args: everything });
    expect([first.entries, first.code]).toEqual([profile, 1]);
    const file = join(folder, 'profile.json');
    writeFileSync(file, first.text);
    const second = await firstContact(sandbox, {
      args: everything,
      env: { GATEWAY_PROFILE: file },
    });
    expect([second.entries, second.code]).toEqual([profile, 0]);
  });

  it('drops an entry of the profile in use that the gateway does not have', async () => {
    const file = join(folder, 'profile.json');
    const wrong: GatewayProfile = {
      status: { parameter: 'sessionId' },
      sale: { hash: 'required' },
    };
    writeFileSync(file, JSON.stringify(wrong));
    const env = { GATEWAY_PROFILE: file };
    const run = await contact({ policy: ['transactionIdOnly'] }, { env });
    expect(run.entries).toEqual({
      status: { parameter: 'sessionId', asksFor: 'transaction' },
      sale: { hash: 'required' },
    });
    const refund: GatewayProfile = { operations: { refund: { path: '/payment/refund' } } };
    writeFileSync(file, JSON.stringify(refund));
    await sandbox.close();
    const profile = { operations: { refund: { path: '/payment/s2s/refund' } } };
    expect((await contact({ profile }, { env, args: everything })).entries).toEqual({});
  });

  it('sees the payment by itself where nobody types', async () => {
    const profile: GatewayProfile = { status: { parameter: 'sessionId', notFound: 'not-yet' } };
    const run = await contact({ profile }, { isTTY: false, args: ['--wait', '60'] });
    expect([run.entries, verdictOf(run, 'N1')]).toEqual([profile, 'not seen']);
    expect(run.json.remarks).toEqual([]);
  });

  it('goes on with a payment of before', async () => {
    const args = ['--steps', 'link,pay', '--wait', '0'];
    const early = await contact({}, { isTTY: false, args, cards: [] });
    const [, given = ''] = /--steps status (.*), and/.exec(early.json.remarks.join(' ')) ?? [];
    const later = given.split(' ');
    await sandbox.control.pay(later[1] ?? '', { card: { number: approved } });
    const run = await firstContact(sandbox, { args: ['--steps', 'status', ...later] });
    expect(verdictOf(run, 'N6')).toBe('confirmed');
  });
});
