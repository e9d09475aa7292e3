import { operations } from '../../../gateway/operations.ts';
import { rowsNow } from '../ask-status.ts';
import {
  envelopeOf,
  isFields,
  isInvalid,
  isSuccess,
  summaryOf,
  type Answer,
} from '../gateway-line.ts';
import { noteForm } from '../note-form.ts';
import { findForm, type OpenOperation } from '../operation-forms.ts';
import { made, type Step, type Visit } from '../visit.ts';
import { noteRefunds } from './status-rows.ts';

const refund: OpenOperation = {
  reading: 'X3',
  name: 'refund',
  route: ['POST', operations.refund.path],
  otherRoutes: [['POST', '/payment/refund']],
  changes: ['path'],
};

/** Refunds test money, only when it was asked for by name (X3, X5, X6, X7, §4.3). */
export const refundStep: Step = {
  name: 'refund',
  does: 'refunds 0.01 of the payment (else 0.02), and asks for too much once',
  missing: ({ mayRefund, transaction }) => {
    if (!mayRefund) return 'it is taken only with --refund';
    return transaction === undefined ? 'there is no paid transaction' : undefined;
  },
  async run(visit) {
    const { findings } = visit;
    const least = await sendRefund(visit, 0.01);
    if (least === undefined) {
      findings.note('X3', 'contradicted', 'both paths answer 404');
      return;
    }
    if (!isSuccess(least) && !isInvalid(least)) {
      findings.remark(`The refund failed: ${findings.wordsOf(least)}`);
      return;
    }
    const more = isSuccess(least) ? undefined : await sendRefund(visit, 0.02);
    noteLeast(visit, least, more);
    const taken = more ?? least;
    // An accepted refund missed no field.
    if (isSuccess(taken)) findings.setUnseen('X3', '');
    noteWord(visit, taken);
    noteTooMuch(visit, await sendRefund(visit, 100));
    if (isSuccess(taken)) await noteRefunded(visit);
  },
};

/** One refund, on the path that the gateway knows. */
async function sendRefund(visit: Visit, amount: number): Promise<Answer | undefined> {
  const values = { transactionId: visit.transaction, amount };
  const form = await findForm(visit, refund, { values });
  if (form === undefined) return undefined;
  noteForm(visit, refund, form);
  if (isSuccess(form.answer)) made(visit, `a refund of ${amount.toFixed(2)} SAR`, 'accepted');
  return form.answer;
}

function noteLeast({ findings }: Visit, least: Answer, more: Answer | undefined): void {
  if (isSuccess(least)) findings.note('X5', 'confirmed', '0.01 is accepted');
  else if (more !== undefined && isSuccess(more)) {
    findings.note('X5', 'different', '0.01 is refused, 0.02 is accepted');
  }
}

function noteWord({ findings }: Visit, { body }: Answer): void {
  const data = isFields(body) && isFields(body['data']) ? body['data'] : {};
  const { result } = data;
  if (typeof result !== 'string') return;
  const isUsual = /^accepted$/i.test(result);
  findings.note('X6', isUsual ? 'confirmed' : 'contradicted', `a refund is ${result.slice(0, 40)}`);
}

function noteTooMuch({ findings }: Visit, answer: Answer | undefined): void {
  if (answer === undefined || answer.status === 0) return;
  const isUsual = isInvalid(answer) && /[AB]$/.test(envelopeOf(answer));
  findings.note('X7', isUsual ? 'confirmed' : 'contradicted', summaryOf(answer));
  if (isSuccess(answer)) findings.remark('A refund of 100.00 was accepted for a payment of 1.00.');
}

/** §4.3: an accepted refund shows in the status, at once or when it has settled. */
async function noteRefunded(visit: Visit): Promise<void> {
  const rows = await rowsNow(visit);
  if (rows.length === 0) return;
  if (noteRefunds(visit, rows)) return;
  visit.findings.note('§4.3', 'not seen', 'not yet after the refund of this run');
  visit.findings.setUnseen(
    '§4.3',
    'it may settle later: take the step status with this run’s --session and --order',
  );
}
