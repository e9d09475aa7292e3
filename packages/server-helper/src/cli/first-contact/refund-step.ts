import { changeOf } from '../../gateway/profile.ts';
import {
  envelopeOf,
  isFields,
  isInvalid,
  isNoRoute,
  isSuccess,
  toldOf,
  type Answer,
} from './gateway-line.ts';
import { isKnown, askStatus } from './status-call.ts';
import { queryNames, type Step, type Visit } from './visit.ts';

const USUAL_PATH = '/payment/s2s/refund';
const OTHER_PATH = '/payment/refund';

/** Refunds test money, only when it was asked for by name (X3, X5, X6, X7). */
export const refundStep: Step = {
  name: 'refund',
  does: 'refunds 0.01 of the test payment (0.02 where that is refused), and asks for too much once',
  missing: ({ mayRefund, transaction }) => {
    if (!mayRefund) return 'it is taken only with --refund';
    return transaction === undefined ? 'there is no paid transaction' : undefined;
  },
  async run(visit) {
    const { findings } = visit;
    const found = await findPath(visit);
    if (found === undefined) {
      findings.note('X3', 'contradicted', 'both paths answer 404');
      return;
    }
    const { path, answer } = found;
    if (!isSuccess(answer) && !isInvalid(answer)) {
      findings.remark(
        `The refund was not taken: ${[toldOf(answer), ...answer.messages].join('; ')}`,
      );
      return;
    }
    const place = 'operations.refund.path';
    findings.noteEntry('X3', { place, value: path, usual: USUAL_PATH }, `${path} is known`);
    let taken = answer;
    if (isSuccess(answer)) findings.note('X5', 'confirmed', '0.01 is taken');
    else {
      taken = await sendRefund(visit, path, 0.02);
      if (isSuccess(taken)) findings.note('X5', 'contradicted', '0.01 is refused, 0.02 is taken');
    }
    noteWord(visit, taken);
    noteTooMuch(visit, await sendRefund(visit, path, 100));
    await noteRefunded(visit, taken);
  },
};

const sendRefund = ({ line, apiKey, profile, transaction }: Visit, path: string, amount: number) =>
  line.ask({
    method: 'POST',
    path,
    body: { ...changeOf(profile, 'refund').add, transactionId: transaction, amount },
    headers: { 'x-api-key': apiKey },
  });

/** The path in use first; the other one only where that one is unknown, so that one refund is sent. */
async function findPath(visit: Visit): Promise<{ path: string; answer: Answer } | undefined> {
  const inUse = changeOf(visit.profile, 'refund').path ?? USUAL_PATH;
  for (const path of new Set([inUse, USUAL_PATH, OTHER_PATH])) {
    const answer = await sendRefund(visit, path, 0.01);
    if (!isNoRoute(answer)) return { path, answer };
  }
  return undefined;
}

function noteWord({ findings }: Visit, { body }: Answer): void {
  const data = isFields(body) && isFields(body['data']) ? body['data'] : {};
  const { result } = data;
  if (typeof result !== 'string') return;
  const isUsual = /^accepted$/i.test(result);
  findings.note('X6', isUsual ? 'confirmed' : 'contradicted', `a refund is ${result.slice(0, 40)}`);
}

function noteTooMuch({ findings }: Visit, answer: Answer): void {
  if (answer.status === 0) return;
  const isUsual = isInvalid(answer) && /[AB]$/.test(envelopeOf(answer));
  findings.note('X7', isUsual ? 'confirmed' : 'contradicted', toldOf(answer));
  if (isSuccess(answer)) findings.remark('A refund of 100.00 was taken for a payment of 1.00.');
}

/** §4.3: a refund that was taken on shows in the status. */
async function noteRefunded(visit: Visit, taken: Answer): Promise<void> {
  if (!isSuccess(taken)) return;
  const ids = [visit.transaction, visit.session].filter((id) => id !== undefined);
  for (const id of ids) {
    for (const name of queryNames) {
      const answer = await askStatus(visit, name, id);
      if (!isKnown(answer)) continue;
      const shows = /"refundStatus":"(?:PARTIAL|FULL)"/.test(JSON.stringify(answer.body));
      const seen = shows ? 'refundStatus shows the refund' : 'not yet: it may settle later';
      visit.findings.remark(`After the refund: ${seen}.`);
      return;
    }
  }
}
