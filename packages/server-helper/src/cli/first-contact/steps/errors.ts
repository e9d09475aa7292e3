import { randomBytes, randomUUID } from 'node:crypto';
import { operations } from '../../../gateway/operations.ts';
import { askStatus, rowsOf } from '../ask-status.ts';
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
import type { Step, Visit } from '../visit.ts';
import { createLink, freshName } from './link.ts';

/** Questions that need no payment: each is refused, and the refusal is what they are for. */
export const errorsStep: Step = {
  name: 'errors',
  does: 'sends what must be refused, such as a wrong key and an empty sale',
  async run(visit) {
    const { line, profile } = visit;
    noteUnknown(visit, await askStatus(line, profile.status.parameter, randomUUID()));
    const wrong = { 'x-api-key': `wrong-${randomBytes(8).toString('hex')}` };
    const refused = await askStatus(line, 'id', randomUUID(), wrong);
    noteRefusal(visit, 'a wrong key', refused, isB(refused, 401));
    const invalid = await createLink(visit, freshName(), '');
    const isList = isFields(invalid.body) && Array.isArray(invalid.body['message']);
    noteRefusal(visit, 'an empty phone number', invalid, isB(invalid, 400) && isList);
    await noteSale(visit);
    await noteRecurring(visit);
  },
};

const isB = (answer: Answer, status: number) =>
  answer.status === status && envelopeOf(answer) === 'envelope B';

function noteRefusal({ findings }: Visit, what: string, answer: Answer, holds: boolean): void {
  findings.note('§7', holds ? 'confirmed' : 'contradicted', `${what}: ${summaryOf(answer)}`);
}

function noteUnknown({ findings }: Visit, answer: Answer): void {
  if (answer.status === 0 || answer.status >= 500) return;
  if (isInvalid(answer)) return; // The name of the query is another one (X1).
  const isUsual = answer.status === 404 && envelopeOf(answer) === 'envelope A';
  const seen = rowsOf(answer)?.length === 0 ? 'an empty content' : summaryOf(answer);
  findings.note('N21', isUsual ? 'confirmed' : 'different', `an unknown id: ${seen}`);
}

/** N7: without an amount and a card no sale can be made; the refusal may name the fields that it misses. */
async function noteSale({ line, findings }: Visit): Promise<void> {
  const answer = await line.ask({ method: 'POST', path: operations.sale.path, body: {} });
  const seen = `an empty sale: ${findings.wordsOf(answer)}`;
  if (answer.status !== 0) findings.note('N7', 'not seen', seen);
}

const chargeRecurring: OpenOperation = {
  reading: 'X4',
  name: 'chargeRecurring',
  route: ['POST', operations.chargeRecurring.path],
  otherRoutes: [['POST', '/payment/s2s/recurring']],
  changes: ['path'],
};

/** X4: without an amount and a token no charge can be made; a 404 says that the path is another one. */
async function noteRecurring(visit: Visit): Promise<void> {
  const form = await findForm(visit, chargeRecurring, { values: {} });
  if (form === undefined) visit.findings.note('X4', 'contradicted', 'both paths answer 404');
  else if (isInvalid(form.answer) || isSuccess(form.answer)) noteForm(visit, chargeRecurring, form);
}
