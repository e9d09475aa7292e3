import { operations } from '../../../gateway/operations.ts';
import { refusesQuestion } from '../../../gateway/meaning.ts';
import { askByBothNames, isKnown, readStatus, remember, rowsIn } from '../ask-status.ts';
import { isInvalid, isSuccess, summaryOf, type Answer, type Fields } from '../gateway-line.ts';
import { noteForm } from '../note-form.ts';
import { findForm, type OpenOperation } from '../operation-forms.ts';
import {
  queryNames,
  RETURN_ADDRESS,
  type Asked,
  type QueryName,
  type Step,
  type Visit,
} from '../visit.ts';
import { ageMsOf } from './link.ts';
import { noteRows } from './status-rows.ts';

/** Asks about the payment in every way that circulates (X1, X2, N1, N3, N11, N21). */
export const statusStep: Step = {
  name: 'status',
  does: 'asks the status of the payment in every way that circulates',
  missing: ({ session, transaction }) =>
    session === undefined && transaction === undefined
      ? 'there is no link and no transaction to ask about (--session, --transaction)'
      : undefined,
  async run(visit) {
    noteReturn(visit);
    const bySession = await askBoth(visit, visit.session);
    const rowsOfSession = rowsIn(bySession);
    visit.transaction = paidIn(rowsOfSession) ?? visit.transaction ?? idOf(rowsOfSession.at(-1));
    const byTransaction = await askBoth(visit, visit.transaction);
    const name = noteParameter(visit, bySession, byTransaction);
    noteAsksFor(visit, bySession?.[name], byTransaction?.[name]);
    noteNotFound(visit, bySession?.[name], visit.unpaid?.[name]);
    noteOldSession(visit, bySession?.[name]);
    await notePoll(visit, bySession?.[name], byTransaction?.[name]);
    const rows = rowsOfSession.length > 0 ? rowsOfSession : rowsIn(byTransaction);
    if (rows.length > 0) noteRows(visit, rows);
  },
};

async function askBoth(visit: Visit, id: string | undefined): Promise<Asked | undefined> {
  if (id === undefined) return undefined;
  const asked = await askByBothNames(visit.line, id);
  remember(visit, rowsIn(asked));
  return asked;
}

const idOf = (row: Fields | undefined): string | undefined =>
  typeof row?.['transactionId'] === 'string' ? row['transactionId'] : undefined;

/** The transaction that was paid. */
const paidIn = (rows: readonly Fields[]): string | undefined =>
  idOf(rows.find(({ transactionStatus }) => transactionStatus === 'SUCCESS'));

/** X1: the name by which a question finds something. */
function noteParameter(visit: Visit, ...asked: readonly (Asked | undefined)[]): QueryName {
  const { findings, profile } = visit;
  const names = namesThatWork(visit, asked);
  const { parameter: current } = profile.status;
  const value = names.includes(current) ? current : names[0];
  if (value === undefined) return current;
  const seen = names.length === 2 ? 'both names are answered' : `only ${value} is answered`;
  findings.noteEntry('X1', { place: 'status.parameter', value, usual: 'id' }, seen);
  return value;
}

/** The names by which a question finds something; before a payment, those that are not refused. */
function namesThatWork(visit: Visit, asked: readonly (Asked | undefined)[]): readonly QueryName[] {
  const known = queryNames.filter((name) => asked.some((one) => isKnown(one?.[name])));
  if (known.length > 0) return known;
  const before = [...asked, visit.unpaid].filter((one) => one !== undefined);
  const taken = queryNames.filter((name) => before.some((one) => isSuccess(one[name])));
  if (taken.length > 0) return taken;
  const open = queryNames.filter((name) => before.some((one) => !isInvalid(one[name])));
  return open.length === 1 ? open : [];
}

/** X2: whose ids find the payment. */
function noteAsksFor(
  { findings, profile, session, transaction }: Visit,
  bySession: Answer | undefined,
  byTransaction: Answer | undefined,
): void {
  const place = 'status.asksFor';
  const note = (value: string, seen: string) =>
    findings.noteEntry('X2', { place, value, usual: 'session' }, seen);
  const both = profile.status.asksFor === 'either' ? 'either' : 'session';
  if (!isKnown(bySession)) {
    if (isKnown(byTransaction)) note('transaction', 'transaction ids only');
  } else if (!isKnown(byTransaction)) note('session', 'session ids only');
  else if (session === transaction) note(both, 'the transaction’s id is the session’s');
  else note(both, 'session and transaction ids');
}

/**
 * N21: a 404 before the payment of a session that is known after it says "not yet". An answer that
 * cannot be read would leave each abandoned order pending.
 */
function noteNotFound(
  { findings }: Visit,
  paid: Answer | undefined,
  unpaid: Answer | undefined,
): void {
  if (unpaid === undefined || !isKnown(paid)) return;
  const read = readStatus(unpaid);
  const about = `a session before its payment: ${read === 'unknown' ? '404' : read}`;
  if (read === 'unreadable') {
    findings.note('N21', 'contradicted', `${about} (${summaryOf(unpaid)})`);
    return;
  }
  const value = read === 'unknown' ? 'not-yet' : 'unknown';
  findings.noteEntry('N21', { place: 'status.notFound', value, usual: 'unknown' }, about);
}

const DAY = 86_400_000;

/** N3: the session of an earlier run, after its 48 hours. */
function noteOldSession({ findings, orderName = '' }: Visit, bySession: Answer | undefined): void {
  const age = ageMsOf(orderName) ?? 0;
  if (bySession === undefined || age < 2 * DAY) return;
  const read = readStatus(bySession);
  const seen = `after ${Math.floor(age / DAY)} days: ${summaryOf(bySession)}`;
  if (read === 'no rows') findings.note('N3', 'different', `${seen}, no rows`);
  else if (read === 'unknown' || refusesQuestion(bySession)) {
    findings.noteEntry('N3', { place: 'session.afterEnd', value: 'gone', usual: 'unknown' }, seen);
  } else {
    const verdict = read === 'rows' ? 'confirmed' : 'contradicted';
    findings.note('N3', verdict, seen);
  }
}

const pollStatus: OpenOperation = {
  reading: 'N11',
  name: 'pollStatus',
  route: ['GET', operations.pollStatus.path],
  otherRoutes: [['POST', '/payment/s2s/status']],
  changes: ['method', 'path'],
  request: { transactionId: ['trans_id', 'transaction_id', 'id'] },
  isAnswered: isKnown,
};

async function notePoll(
  visit: Visit,
  bySession: Answer | undefined,
  byTransaction: Answer | undefined,
): Promise<void> {
  const { findings, transaction } = visit;
  if (isKnown(byTransaction)) {
    const entry = { place: 'operations.pollStatus', value: undefined, usual: undefined };
    findings.noteEntry('N11', entry, '§4.2 answers it');
    return;
  }
  if (transaction === undefined || !isKnown(bySession)) return;
  const form = await findForm(visit, pollStatus, { values: { transactionId: transaction } });
  if (isKnown(form?.answer) && form !== undefined) noteForm(visit, pollStatus, form);
  else findings.note('N11', 'contradicted', 'no call answers the transaction’s id');
}

/** N1: the names of what was appended; their values are not shown. */
function noteReturn({ findings, returned }: Visit): void {
  const url = returned === undefined ? null : URL.parse(returned);
  if (url === null) return;
  const page = `${url.origin}${url.pathname}`;
  if (!page.startsWith(RETURN_ADDRESS)) {
    findings.note('N1', 'not seen', 'the browser ended elsewhere');
    return;
  }
  const names = [...new Set(url.searchParams.keys())];
  const isBare = names.length === 0;
  const seen = isBare ? 'nothing was appended' : `appended: ${names.slice(0, 8).join(', ')}`;
  findings.note('N1', isBare ? 'confirmed' : 'different', seen);
}
