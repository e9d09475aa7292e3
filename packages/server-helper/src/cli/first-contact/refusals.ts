import { randomBytes, randomUUID } from 'node:crypto';
import type { Refund } from '../../index.ts';
import { isFields, operations, valueAt } from '../../parts.ts';
import * as lines from './line.ts';
import { askStatus, noteRefunds, rowsNow } from './status.ts';
import { made, needs, type Visit } from './visit.ts';

/** Questions that need no payment: each is refused, and the refusal is what they are for. */
export async function takeErrors(visit: Visit): Promise<void> {
  const { findings, line } = visit;
  const unknown = await askStatus(visit, randomUUID());
  // After a 400 the name of the query is another one (X1).
  if (unknown.status !== 0 && unknown.status < 500 && !lines.isInvalid(unknown)) {
    const isUsual = unknown.status === 404 && lines.envelopeOf(unknown) === 'envelope A';
    const seen = unknown.reading === 'no rows' ? 'an empty content' : lines.summaryOf(unknown);
    findings.check('N21', isUsual, `an unknown id: ${seen}`, 'different');
  }
  const apiKey = `wrong-${randomBytes(8).toString('hex')}`;
  const asked = { sessionId: randomUUID() };
  const { answer } = await line.ask((client) => client.retrieveStatus(asked), { apiKey });
  findings.check('§7', isB(answer, 401), `a wrong key: ${lines.summaryOf(answer)}`);
  const invalid = await line.post(operations.createPaymentLink.path, {});
  const isList = isFields(invalid.body) && Array.isArray(invalid.body['message']);
  findings.check('§7', isB(invalid, 400) && isList, `an empty link: ${lines.summaryOf(invalid)}`);
  // N7: without an amount and a card no sale can be made; the refusal may name the fields that it misses.
  const sale = await line.post(operations.sale.path, {});
  const said = `an empty sale: ${findings.wordsOf(sale)}`;
  if (sale.status !== 0) findings.note('N7', 'not seen', said);
  await noteRecurring(visit);
}

const isB = (answer: lines.Answer, status: number) =>
  answer.status === status && lines.envelopeOf(answer) === 'envelope B';

/** X4: without an amount and a token no charge can be made; a 404 says that the path is another one. */
async function noteRecurring(visit: Visit): Promise<void> {
  for (const path of pathsOf(visit, 'chargeRecurring', '/payment/s2s/recurring')) {
    const answer = await visit.line.post(path, {});
    if (lines.isNoRoute(answer)) continue;
    if (lines.isInvalid(answer) || lines.isSuccess(answer))
      notePath(visit, 'X4', 'chargeRecurring', path);
    return;
  }
  visit.findings.note('X4', 'contradicted', 'both paths answer 404');
}

type Moved = 'refund' | 'chargeRecurring';

/** Where an operation may be: on the profile's path, the usual one, and the one that circulates. */
function pathsOf({ profile }: Visit, operation: Moved, other: string): ReadonlySet<string> {
  const usual = operations[operation].path;
  return new Set([profile.operations[operation]?.path ?? usual, usual, other]);
}

function notePath({ findings, profile }: Visit, id: 'X3' | 'X4', operation: Moved, path: string) {
  const isUsual = path === operations[operation].path;
  const isInUse = path === profile.operations[operation]?.path;
  const value = isUsual && !isInUse ? undefined : path;
  findings.noteEntry(id, `operations.${operation}.path`, value, `POST ${path}`);
}

/** Refunds test money, only when it was asked for by name (X3, X5, X6, X7, §4.3). */
export async function takeRefund(visit: Visit): Promise<void> {
  needs(visit.mayRefund, 'it is taken only with --refund');
  needs(visit.transaction !== undefined, 'there is no paid transaction');
  const { findings } = visit;
  const least = await sendRefund(visit, '0.01');
  if (least === undefined) {
    findings.note('X3', 'contradicted', 'both paths answer 404');
    return;
  }
  const isTooSmall = least.error?.outcome === 'rejected' && !lines.saysNothing(least.answer);
  const more = isTooSmall ? await sendRefund(visit, '0.02') : undefined;
  if (least.value !== undefined) findings.note('X5', 'confirmed', '0.01 is accepted');
  else if (more?.value !== undefined) {
    findings.note('X5', 'different', '0.01 is refused, 0.02 is accepted');
  }
  const taken = more ?? least;
  const word = valueAt(taken.answer.body, '/data/result');
  if (typeof word === 'string')
    findings.check('X6', /^accepted$/i.test(word), `a refund is ${word.slice(0, 40)}`);
  if (taken.error !== undefined) {
    findings.remark(`The refund failed: ${findings.wordsOf(taken.answer)}`);
    if (taken.error.outcome !== 'rejected' || lines.saysNothing(taken.answer)) return;
  }
  // X7: the gateway refuses to refund more than was paid, in either envelope.
  const tooMuch = await sendRefund(visit, '100.00');
  if (tooMuch !== undefined && tooMuch.answer.status !== 0) {
    const { answer, value } = tooMuch;
    const isUsual = lines.isInvalid(answer) && /[AB]$/.test(lines.envelopeOf(answer));
    findings.check('X7', isUsual, lines.summaryOf(answer));
    if (value) findings.remark('A refund of 100.00 was accepted for a payment of 1.00.');
  }
  if (taken.value === undefined) return;
  // An accepted refund missed no field.
  findings.setUnseen('X3', '');
  const rows = await rowsNow(visit);
  if (rows.length === 0 || noteRefunds(visit, rows)) return;
  findings.note('§4.3', 'not seen', 'not yet after the refund of this run');
  findings.setUnseen(
    '§4.3',
    'it may settle later: take the step status with this run’s --session and --order',
  );
}

/** One refund, on the path that the gateway knows. */
async function sendRefund(visit: Visit, amount: string): Promise<lines.Asked<Refund> | undefined> {
  const { line, profile, transaction: transactionId = '' } = visit;
  for (const path of pathsOf(visit, 'refund', '/payment/refund')) {
    const refund = { ...profile.operations.refund, path };
    const candidate = { profile: { ...profile, operations: { ...profile.operations, refund } } };
    const asked = await line.ask((client) => client.refund({ transactionId, amount }), candidate);
    const { answer, value, error } = asked;
    if (lines.isNoRoute(answer)) continue;
    if (answer.status !== 0) notePath(visit, 'X3', 'refund', path);
    const isOpen = error?.outcome === 'unknown';
    if (value !== undefined) made(visit, `a refund of ${amount} SAR`, 'accepted');
    else if (isOpen) made(visit, `a refund of ${amount} SAR`, 'whether it was done is not known');
    return asked;
  }
  return undefined;
}
