import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayProfile } from '@pay-button/server-helper';
import { afterAll, describe, expect, it } from 'vitest';
import { waysToSee } from '../packages/server-helper/src/cli/first-contact/reading.ts';
import { readings as table } from '../packages/server-helper/src/cli/first-contact/readings.ts';
import { buildFidelity } from './fidelity/fidelity.ts';
import { all, expectProposal, placesOfProfile, several } from './first-contact-expectations.ts';
import { approved, contact, everything, firstContact, rowOf } from './first-contact-run.ts';
import { quickReadings } from './matrix/readings.ts';

const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
const file = join(folder, 'profile.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the table of first contact', () => {
  it('has every open point in the contract’s words', () => {
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

  it('names the step that sees a row, and the file of the step names the row', () => {
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

  it('has a row about every place of a profile', () => {
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
    const { apiKey, portal } = run.sandbox;
    for (const secret of [apiKey, portal.username, portal.password]) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).not.toMatch(/eyJ|whsec|sk_/);
  });
});

describe('first contact proposes the profile of a gateway that it does not know', () => {
  it.each(quickReadings.map((reading) => [reading.name, reading] as const))(
    '%s: a shop with the proposed profile sees its orders paid',
    (_name, reading) => expectProposal(reading),
  );
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
    const second = await firstContact(first.sandbox, { ...all, env: { GATEWAY_PROFILE: file } });
    expect([second.entries, second.code]).toEqual([several.profile, 0]);
    const different = second.json.readings.filter(({ verdict }) => verdict === 'different');
    expect(different.map(({ id }) => id)).toEqual(['X5', 'N4', 'N21']);
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
    const profile = { operations: { refund: { path: '/payment/s2s/refund' } } };
    expect((await contact({ profile }, { env, args: everything })).entries).toEqual({});
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
