import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { waysToSee } from '../packages/server-helper/src/cli/first-contact/reading.ts';
import { readings as table } from '../packages/server-helper/src/cli/first-contact/readings.ts';
import { buildFidelity } from './fidelity/fidelity.ts';
import {
  all,
  expectRow,
  optionsFor,
  orderUnder,
  placesOfProfile,
  several,
  unknown,
  visible,
} from './first-contact-expectations.ts';
import {
  approved,
  challenged,
  everything,
  firstContact,
  insufficient,
  rowOf,
  type ContactOptions,
  type ContactRun,
} from './first-contact-run.ts';
import { combinationOf } from './matrix/combinations.ts';

let sandbox: Sandbox;
const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
const file = join(folder, 'profile.json');
afterEach(async () => {
  vi.useRealTimers();
  await sandbox.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function contact(
  reading: { policy?: readonly string[]; profile?: GatewayProfile },
  options: ContactOptions = {},
): Promise<ContactRun> {
  sandbox = await startSandbox({ port: 0, ...reading });
  return firstContact(sandbox, options);
}

describe('the table of first contact', () => {
  it('has every open point in the contract’s words', async () => {
    sandbox = await startSandbox({ port: 0 });
    const { sources } = buildFidelity();
    const own = Object.entries(table).filter(([id]) => !id.startsWith('§'));
    const words = own.map(([id, { item, entries }]) => [
      id,
      { item, profile: typeof entries === 'string' ? [] : entries },
    ]);
    const theirs = Object.entries(sources).map(([id, { item, profile }]) => [
      id,
      { item, profile },
    ]);
    expect(Object.fromEntries(words)).toEqual(Object.fromEntries(theirs));
  });

  it('names the step that sees a row, and the file of the step names the row', async () => {
    sandbox = await startSandbox({ port: 0 });
    const cwd = new URL('../packages/server-helper/src/cli/first-contact/steps/', import.meta.url);
    const fileOf: Readonly<Record<string, string>> = { phones: 'link' };
    for (const [id, { step }] of Object.entries(table)) {
      if (step === null) continue;
      const files = globSync(`${fileOf[step] ?? step}*.ts`, { cwd });
      const texts = files.map((name) => readFileSync(new URL(name, cwd), 'utf8'));
      expect([id, step in waysToSee]).toEqual([id, true]);
      expect([id, texts.some((text) => text.includes(id))]).toEqual([id, true]);
    }
  });

  it('has a row about every place of a profile', async () => {
    sandbox = await startSandbox({ port: 0 });
    const texts = JSON.stringify(table);
    const isNamed = (place: string) => new RegExp(`["( ]${place}[,)"]`).test(texts);
    for (const place of placesOfProfile()) {
      const above = place.replace(/[.][^.]+$/, '');
      expect([place, isNamed(place) || isNamed(above)]).toEqual([place, true]);
    }
  });
});

describe('first contact with a gateway of this kit’s readings', () => {
  it('confirms all that can be seen, proposes nothing, and leaves no webhook', async () => {
    const run = await contact({}, all);
    expect(run.entries).toEqual({});
    const seen = run.json.readings.filter(({ verdict }) => verdict !== 'not seen');
    expect(seen.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
    const ids = 'X1 X2 X3 X4 X5 X6 X7 N1 N2 N4 N6 N11 N12 N13 N14 N15 N16 N17 N19 N20 N21 N23';
    const sections = '§1 §2.2 §3 §4.1 §4.9 §6 §7';
    expect(seen.map(({ id }) => id)).toEqual(`${ids} ${sections}`.split(' '));
    expect(run.code).toBe(0);
    expect(run.json.made.map(({ state }) => state)).toEqual([
      'deleted',
      'paid with a test card',
      'accepted',
      'no payment of it was seen; it ends after 48 hours',
    ]);
  });

  it('shows no key, password, token or secret', async () => {
    const run = await contact({ policy: ['fullKeys'] }, all);
    const printed = `${run.out}${run.err}${run.text}`;
    const { apiKey, portal } = sandbox;
    for (const secret of [apiKey, portal.username, portal.password]) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).not.toMatch(/eyJ|whsec|sk_/);
  });

  it('sees an open payment and its end', async () => {
    const run = await contact({}, { cards: [insufficient, challenged] });
    expect(rowOf(run, 'N5')?.seen).toBe('PENDING to SUCCESS');
    expect(rowOf(run, 'N4')?.seen).toContain('PENDING comes with PENDING');
  });
});

describe('first contact proposes the profile of a gateway that it does not know', () => {
  it.each(unknown.map((reading) => [reading.name, reading] as const))(
    '%s: a shop with the proposed profile sees its orders paid',
    async (_name, reading) => {
      const run = await contact(reading, optionsFor(reading));
      const known = reading.policy.includes('noSecrets')
        ? { operations: { createWebhook: { answer: { secret: null } } } }
        : reading.shopProfile;
      expect(run.entries).toEqual(visible(known));
      expect(rowOf(run, '§3')?.verdict).toBe('confirmed');
      expect(await orderUnder(sandbox, reading, run.entries ?? {})).toBe('paid');
      expectRow(reading, run);
    },
  );

  it.each([1, 2, 3, 4, 5].map((seed) => [combinationOf(seed).name, combinationOf(seed)] as const))(
    '%s: a shop with the proposed profile does as one that knows its gateway',
    async (_name, reading) => {
      const run = await contact(reading, optionsFor(reading));
      expect(run.entries).not.toBeNull();
      const known = await orderUnder(sandbox, reading, reading.shopProfile);
      expect(await orderUnder(sandbox, reading, run.entries ?? {})).toBe(known);
    },
  );

  it('sees null words of an open payment', async () => {
    const run = await contact({ policy: ['nullPending'] }, { cards: [challenged] });
    expect(rowOf(run, 'N4')).toMatchObject({
      verdict: 'different',
      seen: 'PENDING comes with null',
    });
  });

  it.each([
    ['', 'confirmed', 'after 3 days: HTTP 200, envelope A'],
    ['forgetsSessions', 'different', 'after 3 days: HTTP 404, envelope A'],
  ])('sees a session after its 48 hours under the policy "%s"', async (policy, verdict, seen) => {
    const { json } = await contact({ policy: policy === '' ? [] : [policy] });
    await sandbox.control.advanceClock({ by: 'PT72H' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 72 * 3_600_000 });
    const run = await firstContact(sandbox, { args: (json.again ?? '').split(' ') });
    expect(rowOf(run, 'N3')).toMatchObject({ verdict, seen });
  });

  it('finds a poll by POST where the status does not know the transaction', async () => {
    const operations: GatewayProfile['operations'] = {
      pollStatus: {
        method: 'POST',
        path: '/payment/s2s/status',
        body: { transactionId: 'trans_id' },
      },
    };
    const { entries } = await contact({ policy: ['sessionIdOnly'], profile: { operations } });
    // The sandbox takes the name in its own message as well.
    const poll = { ...operations.pollStatus, body: { transactionId: 'id' } };
    expect(entries).toEqual({ operations: { pollStatus: poll } });
  });
});

describe('first contact', () => {
  it('names a field that the gateway asks for, and concludes nothing else from its refusal', async () => {
    const operations = { createPaymentLink: { add: { channel: 'WEB' } } };
    const run = await contact({ profile: { operations } }, { args: ['--wait', '0'] });
    expect(rowOf(run, '§4.1')?.verdict).toBe('contradicted');
    expect(run.json.remarks.join(' ')).toMatch(/channel must be "WEB".*createPaymentLink[.]add/);
    expect(rowOf(run, 'N20')?.verdict).toBe('not seen');
  });

  it('ends well under the profile that it proposed, and names what needs no entry', async () => {
    const first = await contact(several, all);
    expect([first.entries, first.code]).toEqual([several.profile, 1]);
    writeFileSync(file, first.text);
    const second = await firstContact(sandbox, { ...all, env: { GATEWAY_PROFILE: file } });
    expect([second.entries, second.code]).toEqual([several.profile, 0]);
    const different = second.json.readings.filter(({ verdict }) => verdict === 'different');
    expect(different.map(({ id }) => id)).toEqual(['X5', 'N4', 'N21']);
  });

  it('confirms a profile that says that there is no such field', async () => {
    const profile: GatewayProfile = { status: { orderName: null } };
    const run = await contact({ policy: ['noSecrets'], profile }, all);
    writeFileSync(file, run.text);
    const again = await firstContact(sandbox, { ...all, env: { GATEWAY_PROFILE: file } });
    expect([again.entries, again.code]).toEqual([run.entries, 0]);
  });

  it('drops an entry of the profile in use that the gateway does not have', async () => {
    const sale = { hash: 'required' };
    const wrong = { status: { parameter: 'sessionId' }, sale };
    writeFileSync(file, JSON.stringify(wrong));
    const env = { GATEWAY_PROFILE: file };
    const run = await contact({ policy: ['transactionIdOnly'] }, { env });
    expect(run.entries).toEqual({
      status: { parameter: 'sessionId', asksFor: 'transaction' },
      sale,
    });
    const refund: GatewayProfile = { operations: { refund: { path: '/payment/refund' } } };
    writeFileSync(file, JSON.stringify(refund));
    await sandbox.close();
    const profile = { operations: { refund: { path: '/payment/s2s/refund' } } };
    expect((await contact({ profile }, { env, args: everything })).entries).toEqual({});
  });

  it('waits for the status to show the payment where no person types', async () => {
    const profile: GatewayProfile = { status: { parameter: 'sessionId', notFound: 'not-yet' } };
    const run = await contact({ profile }, { isTTY: false, args: ['--wait', '60'] });
    expect(run.entries).toEqual(profile);
    expect(rowOf(run, 'N1')?.verdict).toBe('not seen');
  });

  it('ends the wait for another notification at Ctrl-C, and deletes the webhook', async () => {
    const run = await contact({}, { args: everything, stopAt: 'for it to come again' });
    expect(run.err).toMatch(/Stopping; deleting webhook \S+\. Press Ctrl-C again/);
    expect(rowOf(run, 'N15')?.verdict).toBe('not seen');
    expect(run.json.made.map(({ state }) => state)).toContain('deleted');
  });

  it('goes on with an earlier payment', async () => {
    const args = ['--steps', 'link,pay', '--wait', '0'];
    const { json } = await contact({}, { isTTY: false, args, cards: [] });
    const later = (json.again ?? '').split(' ');
    await sandbox.control.pay(later[3] ?? '', { card: { number: approved } });
    const run = await firstContact(sandbox, { args: later });
    expect(rowOf(run, 'N6')?.verdict).toBe('confirmed');
  });
});
