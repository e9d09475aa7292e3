import type { Policy, Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { expect } from 'vitest';
import {
  approved,
  contact,
  everything,
  insufficient,
  rowOf,
  type ContactOptions,
  type ContactRun,
} from './first-contact-run.ts';
import { readFileSync } from 'node:fs';
import { profileSchema } from './fidelity/fidelity.ts';
import { journeys } from './matrix/journeys.ts';
import { playCell } from './matrix/play-cell.ts';
import { NOT_IN_PROFILE, readings, type Reading } from './matrix/readings.ts';

/** Every step, and a declined card before the approved one. */
export const all: ContactOptions = { args: everything, cards: [insufficient, approved] };

/** What is seen of each policy: the row, its verdict and its words. */
const policies: Readonly<Record<Policy, readonly [id: string, verdict: string, seen: string]>> = {
  sameId: ['X2', 'confirmed', 'the transaction’s id is the session’s'],
  transactionIdOnly: ['X2', 'contradicted', 'transaction ids only'],
  sessionIdOnly: ['X2', 'confirmed', 'session ids only'],
  sessionIdParameter: ['X1', 'contradicted', 'only sessionId is answered'],
  refundAboveMinimum: ['X5', 'different', '0.01 is refused, 0.02 is accepted'],
  otherAccepted: ['X6', 'confirmed', 'a refund is ACCEPTED'],
  B: ['X7', 'confirmed', 'HTTP 400, envelope B'],
  appendsTransactionId: ['N1', 'different', 'appended: transactionId, status'],
  appendsSessionId: ['N1', 'different', 'appended: sessionId, status'],
  declineLeaves: ['N2', 'confirmed', 'a declined card left for failureUrl'],
  closesOnFailure: ['N2', 'contradicted', 'the page takes no card after a declined one'],
  lastAttemptOnly: ['N2', 'different', 'the failed try is no longer listed'],
  forgetsSessions: ['N3', 'not seen', ''],
  rejectedStatus: ['N4', 'different', 'FAILED comes with REJECTED'],
  absentStatus: ['N4', 'different', 'a FAILED row has no paymentStatus'],
  nullPending: ['N4', 'confirmed', ''],
  ownOrderNumbers: ['N6', 'confirmed', 'merchantOrderId has our name'],
  noOrderName: ['N6', 'contradicted', 'no field has our name'],
  bareRows: ['N6', 'contradicted', 'no field has our name; further fields: none'],
  numericIds: ['N6', 'confirmed', 'numbers: currencyCode, rrn'],
  strictHash: ['N8', 'not seen', ''],
  noSecrets: ['N12', 'contradicted', 'no secret at /secret'],
  webhookEnvelope: ['N13', 'contradicted', 'our name of the payment at /data/merchantOrderId'],
  unsignedWebhooks: ['N14', 'contradicted', 'no header holds an HMAC'],
  noRetries: ['N15', 'not seen', 'no second delivery within 2 s'],
  fullKeys: ['N17', 'different', 'keys in full'],
  rotationRevokes: ['N18', 'not seen', ''],
  saudiPhones: ['N20', 'not seen', ''],
  errorsB: ['N21', 'different', 'an unknown id: HTTP 404, envelope B'],
  emptyForUnknown: ['N21', 'different', 'an unknown id: an empty content'],
  nullUntilTransaction: ['N21', 'confirmed', 'a session before its payment: no rows'],
  unknownUntilTransaction: ['N21', 'contradicted', 'a session before its payment: 404'],
};

/** A gateway with several differences that a profile expresses, and three that need no entry. */
export const several = {
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

/** The parts of a profile that the command never sees, or does not need. */
function visible({ sale: _sale, ...profile }: GatewayProfile): GatewayProfile {
  const { sale: _operation, pollStatus: _poll, ...operations } = profile.operations ?? {};
  const { asksFor, ...status } = profile.status ?? {};
  const { afterEnd: _later, ...session } = profile.session ?? {};
  const asked = asksFor === undefined || asksFor === 'either' ? {} : { asksFor };
  const whole = { ...profile, status: { ...status, ...asked }, session, operations };
  const parts = Object.entries(whole).filter(([, part]) => Object.keys(part ?? {}).length > 0);
  return Object.fromEntries(parts);
}

/**
 * The parts of a gateway's profile that a person takes from its documents: the command says how the portal
 * refuses, and guesses none of its routes and names.
 */
export function byHand({ login, operations = {} }: GatewayProfile): GatewayProfile {
  const { createWebhook, updateWebhook, deleteWebhook } = operations;
  return { login, operations: { createWebhook, updateWebhook, deleteWebhook } };
}

/** An order in a shop with this profile, which learns of the payment by a webhook. */
export async function orderUnder(
  sandbox: Sandbox,
  reading: Reading,
  profile: GatewayProfile,
): Promise<string> {
  const journey = journeys.find(({ name }) => name === 'webhook');
  if (journey === undefined) throw new Error('there is no such journey');
  return (await playCell(sandbox, { ...reading, shopProfile: profile }, journey)).kind;
}

/** The command proposes a reading's profile, and a shop with the proposal sees its orders paid. */
export async function expectProposal(reading: Reading): Promise<void> {
  const run = await contact(reading, optionsFor(reading));
  expect(run.entries).toEqual(visible(reading.shopProfile));
  expect(rowOf(run, '§3')?.verdict).toBe('confirmed');
  expect(await orderUnder(run.sandbox, reading, run.entries ?? {})).toBe('paid');
  expectRow(reading, run);
}

/** The row of a single policy in the table. */
function expectRow({ name }: Reading, run: ContactRun): void {
  const expected = Object.hasOwn(policies, name) ? policies[name as Policy] : undefined;
  if (expected === undefined) return;
  const [id, verdict, seen] = expected;
  const row = rowOf(run, id);
  expect([row?.verdict, row?.seen]).toEqual([verdict, expect.stringContaining(seen)]);
  // A row that was not seen says how to see it.
  if (verdict === 'not seen') expect(row?.unseen).not.toBe('');
}

/** Each reading of which the command has no word before. */
export const unknown = readings.filter(({ name }) => !name.endsWith(NOT_IN_PROFILE));
/** A gateway that tries once is waited for for two seconds. */
export const optionsFor = ({ policy, profile }: Reading): ContactOptions => ({
  ...all,
  inUse: byHand(profile),
  ...(policy.includes('noRetries') ? { args: [...everything, '--wait', '2'] } : {}),
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The places of a profile: a setting, or a part of an operation such as `operations.refund.path`. */
export function placesOfProfile(): readonly string[] {
  const whole = JSON.parse(readFileSync(profileSchema, 'utf8')) as Schema & {
    readonly $defs: Readonly<Record<string, Schema>>;
  };
  const partsOf = (schema: Schema): readonly (readonly [string, Schema])[] => {
    const target = schema.$ref === undefined ? schema : whole.$defs[schema.$ref.slice(8)];
    return Object.entries(target?.properties ?? {});
  };
  return partsOf(whole)
    .filter(([name]) => name !== '$schema' && name !== 'name')
    .flatMap(([name, settings]) =>
      partsOf(settings).flatMap(([part, inner]) =>
        name === 'operations'
          ? partsOf(inner).map(([form]) => `${name}.${part}.${form}`)
          : [`${name}.${part}`],
      ),
    );
}
