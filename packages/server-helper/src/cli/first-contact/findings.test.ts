import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type GatewayProfile, readProfile } from '../../gateway/profile.ts';
import { Terminal } from '../terminal.ts';
import { Findings, isWell, type Outcome, writeTable } from './findings.ts';
import { stepTexts } from './readings.ts';

const every = Object.keys(stepTexts);
const parameter = ['status.parameter', 'sessionId'] as const;

const findingsUnder = (inUse: GatewayProfile = {}) => new Findings(readProfile(inUse), []);

/** What a run that took these steps prints, each run of spaces as one. */
function printed(findings: Findings, taken: readonly string[] = every): string {
  const out = new PassThrough();
  writeTable(new Terminal(out, out, true), outcomeOf(findings, taken));
  return String(out.read()).replaceAll(/\s+/g, ' ');
}

const outcomeOf = (findings: Findings, taken: readonly string[] = every): Outcome => ({
  findings,
  steps: taken.map((step) => ({ step })),
  made: new Map(),
  command: 'pay-button first-contact',
  again: undefined,
  profile: findings.proposed(),
  file: 'found.json',
});

it('counts a difference that needs no entry apart, and is content with it', () => {
  const findings = findingsUnder();
  findings.note('N4', 'confirmed', 'PENDING comes with PENDING');
  findings.note('N4', 'different', 'a FAILED row has no paymentStatus');
  expect(isWell(outcomeOf(findings))).toBe(true);
  const text = printed(findings);
  expect(text).toContain('Different, needs no entry (1)');
  expect(text).toContain('1 different, 0 contradicted');
  expect(text).toContain(
    'seen: a FAILED row has no paymentStatus profile: none is needed: every word but APPROVED is not paid',
  );
});

it('is not content where a difference stands beside a contradiction of the same reading', () => {
  const findings = findingsUnder();
  findings.note('N21', 'different', 'an unknown id: HTTP 404, envelope B');
  findings.noteEntry('N21', 'status.notFound', 'not-yet', '404');
  findings.note('N21', 'different', 'an unknown id: an empty content');
  findings.noteEntry('N6', 'status.orderName', null, 'no field');
  expect(isWell(outcomeOf(findings))).toBe(false);
  expect(printed(findings)).toContain('profile: status.orderName: null');
});

it('says of an unchanged profile that nothing is to do, or that it expresses no contradiction', () => {
  const findings = findingsUnder({ status: { parameter: 'sessionId' } });
  findings.noteEntry('X1', ...parameter, 'only sessionId is answered');
  const text = printed(findings);
  expect(text).toContain('found.json: unchanged, nothing to do: the profile in use says');
  expect(text).not.toContain('Use it');
  findings.note('N23', 'contradicted', 'amount is a number');
  expect(printed(findings)).toContain('unchanged: no entry expresses what was contradicted.');
});

it('claims nothing about readings that a run did not see', () => {
  const findings = findingsUnder();
  findings.note('N17', 'confirmed', 'masked keys');
  const text = printed(findings, ['portal']);
  expect(text).toContain('nothing seen in this run needs an entry; 39 readings were not seen.');
});

it.each([
  [{}, 'An entry of an earlier run is in it only where GATEWAY_PROFILE names its profile.'],
  [{ sale: { hash: 'required' } }, 'It keeps the entries of the profile in use'],
] as const)('calls the profile of a run with some of the steps a part: %j', (inUse, words) => {
  const findings = findingsUnder(inUse);
  findings.noteEntry('X1', ...parameter, 'only sessionId is answered');
  const text = printed(findings, ['status', 'trial']);
  expect(text).toContain('found.json: a part of this gateway’s profile. The run did not take');
  expect(text).toContain('errors, portal, webhooks, link, pay, notifications, refund.');
  expect(text).toContain(words);
  expect(printed(findings)).toContain('found.json: the profile of this gateway. Use it:');
});

it('counts the rows of which a part was not seen apart, and asks for no part that was', () => {
  const findings = findingsUnder();
  for (const id of ['X3', 'X4', 'N19'] as const) findings.note(id, 'confirmed', 'POST /path');
  findings.setUnseen('X3', '');
  findings.note('§4.3', 'not seen', 'not yet');
  findings.setUnseen('§4.3', 'ask later');
  const text = printed(findings);
  expect(text).toContain('Not seen, and how to see it (37, and 2 in part)');
  expect(text).not.toContain('operations.refund.add');
  expect(text).toContain('A refund in the status: ask later (not yet)');
});
