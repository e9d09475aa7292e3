import type { GatewayProfile, Status } from '../../index.ts';
import { asPage, type Fields, isFields, isMoney, lackOf, refusedWith } from '../../parts.ts';
import { isMerchantOrderId } from '../../ids.ts';
import type { Findings } from './findings.ts';
import { type Asked, formOf, isInvalid, isPlainName, isSuccess, summaryOf } from './line.ts';
import {
  type AskedBoth,
  type QueryName,
  queryNames,
  RETURN_ADDRESS,
  type StatusAnswer,
  type StatusReading,
  needs,
  type Visit,
} from './visit.ts';

/** Asks about a session or a transaction by one name of the query (§4.2). */
export async function askStatus(
  { line, profile }: Visit,
  id: string,
  parameter: QueryName = profile.status.parameter,
): Promise<StatusAnswer> {
  const candidate = { profile: { ...profile, status: { ...profile.status, parameter } } };
  return statusIn(await line.ask((client) => client.retrieveStatus({ sessionId: id }), candidate));
}

function statusIn({ answer, value, error }: Asked<Status>): StatusAnswer {
  const isRefusal = error !== undefined && refusedWith(error) !== undefined;
  let reading: StatusReading = 'unreadable';
  if (isRefusal && error.code === 'not_found') reading = 'unknown';
  else if (value !== undefined && lackOf(value) === undefined) {
    reading = value.transactions.length > 0 ? 'rows' : 'no rows';
  }
  return { ...answer, reading, isRefusal };
}

/** Two answers to one question; absent without an id. */
export async function askByBothNames(visit: Visit, id: string | undefined) {
  if (id === undefined) return undefined;
  const asked: AskedBoth = {
    id: await askStatus(visit, id, 'id'),
    sessionId: await askStatus(visit, id, 'sessionId'),
  };
  remember(visit, rowsIn(asked));
  return asked;
}

/** The rows of a status answer as they came; none where it holds no list of them. */
function rowsOf({ status, body }: StatusAnswer): readonly Fields[] {
  const page = asPage(status === 200 && isFields(body) ? (body['data'] ?? false) : false);
  const content = isFields(page) ? page['content'] : undefined;
  return Array.isArray(content) ? content.filter(isFields) : [];
}

/** Whether the gateway knows what it was asked about, and says what happened there. */
const isKnown = (answer: StatusAnswer | undefined): boolean =>
  answer !== undefined && rowsOf(answer).length > 0;

/** The rows of whichever of the two answers has some. */
export const rowsIn = (asked: AskedBoth | undefined): readonly Fields[] =>
  queryNames
    .map((name) => (asked === undefined ? [] : rowsOf(asked[name])))
    .find((rows) => rows.length > 0) ?? [];

/** The rows of the payment now, by every name of the query that was not refused before it. */
export async function rowsNow(visit: Visit): Promise<readonly Fields[]> {
  const { session, transaction, unpaid } = visit;
  for (const id of [session, transaction]) {
    if (id === undefined) continue;
    for (const name of queryNames) {
      if (unpaid !== undefined && isInvalid(unpaid[name])) continue;
      const rows = rowsOf(await askStatus(visit, id, name));
      remember(visit, rows);
      if (rows.length > 0) return rows;
    }
  }
  return [];
}

/** Remembers the words of each transaction, to see how they change (N5). */
function remember({ history }: Visit, rows: readonly Fields[]): void {
  for (const { transactionId, transactionStatus } of rows) {
    if (typeof transactionId !== 'string' || typeof transactionStatus !== 'string') continue;
    const words = history.get(transactionId) ?? [];
    if (words.at(-1) !== transactionStatus) words.push(transactionStatus);
    history.set(transactionId, words);
  }
}

/** Our name of a payment of a run says when it was made, in seconds. */
const RUN_NAME = /^first-contact-([a-z\d]+)-[\da-f]+~1$/;

/** Asks about the payment in every way that circulates (X1, X2, N1, N3, N11, N21). */
export async function takeStatus(visit: Visit): Promise<void> {
  needs(
    visit.session !== undefined || visit.transaction !== undefined,
    'there is no link and no transaction to ask about (--session, --transaction)',
  );
  noteReturn(visit);
  const bySession = await askByBothNames(visit, visit.session);
  const rowsOfSession = rowsIn(bySession);
  const paid = rowsOfSession.find(({ transactionStatus }) => transactionStatus === 'SUCCESS');
  visit.transaction = idOf(paid) ?? visit.transaction ?? idOf(rowsOfSession.at(-1));
  const byTransaction = await askByBothNames(visit, visit.transaction);
  const name = noteParameter(visit, bySession, byTransaction);
  noteAsksFor(visit, bySession?.[name], byTransaction?.[name]);
  noteNotFound(visit, bySession?.[name], visit.unpaid?.[name]);
  noteOldSession(visit, bySession?.[name]);
  await notePoll(visit, bySession?.[name], byTransaction?.[name]);
  const rows = rowsOfSession.length > 0 ? rowsOfSession : rowsIn(byTransaction);
  if (rows.length > 0) noteRows(visit, rows);
}

const idOf = (row: Fields | undefined): string | undefined =>
  typeof row?.['transactionId'] === 'string' ? row['transactionId'] : undefined;

/** X1: the name by which a question finds something; before a payment, the one that is not refused. */
function noteParameter(
  { findings, profile, unpaid }: Visit,
  ...asked: readonly (AskedBoth | undefined)[]
): QueryName {
  const { parameter: current } = profile.status;
  const answers = [...asked, unpaid].filter((one) => one !== undefined);
  const namesWhere = (holds: (answer: StatusAnswer) => boolean) =>
    queryNames.filter((name) => answers.some((one) => holds(one[name])));
  const open = namesWhere((answer) => !isInvalid(answer));
  const found = [namesWhere(isKnown), namesWhere(isSuccess), open.length === 1 ? open : []];
  const names = found.find((some) => some.length > 0) ?? [];
  const value = names.includes(current) ? current : names[0];
  if (value === undefined) return current;
  const seen = names.length === 2 ? 'both names are answered' : `only ${value} is answered`;
  findings.noteEntry('X1', 'status.parameter', value, seen);
  return value;
}

/** X2: whose ids find the payment. */
function noteAsksFor(
  { findings, profile, session, transaction }: Visit,
  bySession: StatusAnswer | undefined,
  byTransaction: StatusAnswer | undefined,
): void {
  const note = (value: string, seen: string) =>
    findings.noteEntry('X2', 'status.asksFor', value, seen);
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
  paid: StatusAnswer | undefined,
  unpaid: StatusAnswer | undefined,
): void {
  if (unpaid === undefined || !isKnown(paid)) return;
  const { reading } = unpaid;
  const about = `a session before its payment: ${reading === 'unknown' ? '404' : reading}`;
  if (reading === 'unreadable') {
    findings.note('N21', 'contradicted', `${about} (${summaryOf(unpaid)})`);
    return;
  }
  const value = reading === 'unknown' ? 'not-yet' : 'unknown';
  findings.noteEntry('N21', 'status.notFound', value, about);
}

const DAY = 86_400_000;

/** N3: the session of an earlier run, after its 48 hours. */
function noteOldSession({ findings, orderName = '' }: Visit, bySession: StatusAnswer | undefined) {
  const [, at = ''] = RUN_NAME.exec(orderName) ?? [];
  const age = Date.now() - Number.parseInt(at, 36) * 1_000;
  if (bySession === undefined || !(age >= 2 * DAY)) return;
  const { reading, isRefusal } = bySession;
  const seen = `after ${Math.floor(age / DAY)} days: ${summaryOf(bySession)}`;
  if (reading === 'no rows') findings.note('N3', 'different', `${seen}, no rows`);
  else if (isRefusal) findings.noteEntry('N3', 'session.afterEnd', 'gone', seen);
  else findings.check('N3', reading === 'rows', seen);
}

const pollForms = ['transactionId', 'trans_id', 'transaction_id', 'id'].map((name) => ({
  method: 'POST' as const,
  path: '/payment/s2s/status',
  ...(name === 'transactionId' ? {} : { body: { transactionId: name } }),
}));

/** N11: the call that answers a transaction's id, where §4.2 answers sessions alone. */
async function notePoll(
  { findings, line, profile, transaction }: Visit,
  bySession: StatusAnswer | undefined,
  byTransaction: StatusAnswer | undefined,
): Promise<void> {
  const note = (value: unknown, seen: string) =>
    findings.noteEntry('N11', 'operations.pollStatus', value, seen);
  if (isKnown(byTransaction)) {
    note(undefined, 'the status call answers it');
    return;
  }
  if (transaction === undefined || !isKnown(bySession)) return;
  const { pollStatus: inUse, ...operations } = profile.operations;
  for (const form of [...(inUse === undefined ? [] : [inUse]), ...pollForms]) {
    const candidate = { profile: { ...profile, operations: { ...operations, pollStatus: form } } };
    const poll = await line.ask(
      (client) => client.pollStatus({ transactionId: transaction }),
      candidate,
    );
    if (!isKnown(statusIn(poll))) continue;
    note(form, `${form.method ?? 'GET'} ${poll.answer.path}`);
    return;
  }
  findings.note('N11', 'contradicted', 'no call answers the transaction’s id');
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
  const names = [...new Set(url.searchParams.keys())].slice(0, 8).join(', ');
  const seen = names === '' ? 'nothing was appended' : `appended: ${names}`;
  findings.check('N1', names === '', seen, 'different');
}

/** Tries the profile to propose: this kit's client has to read the payment as paid with it (§3). */
export async function takeTrial(visit: Visit): Promise<void> {
  const isSeen = [...visit.history.values()].some((words) => words.includes('SUCCESS'));
  needs(isSeen, 'no payment was seen');
  const { findings, isLoggedIn, line } = visit;
  const proposed = findings.proposed();
  const { error } = await line.ask(
    async (client) => {
      const { transactions } = await client.retrieveStatus(payment(visit, proposed));
      const isPaid = transactions.some(isMoney);
      findings.check('§3', isPaid, `${isPaid ? '' : 'no row is '}SUCCESS and APPROVED`);
      if (isLoggedIn !== true) return;
      await client.listWebhooks();
      await client.retrieveCredentials();
      await client.listSdkTokens();
      findings.note('§3', 'confirmed', 'the lists of the portal are read');
    },
    { profile: proposed },
  );
  if (error === undefined) return;
  findings.note('§3', 'contradicted', `${error.operation} fails: ${error.code}`);
}

function payment({ session, transaction = '' }: Visit, { status }: GatewayProfile) {
  const isByTransaction = status?.asksFor === 'transaction' || session === undefined;
  return isByTransaction ? { transactionId: transaction } : { sessionId: session };
}

/** The fields of a row that the specification states (§2.2). */
const statedFields: Readonly<Record<string, string>> = {
  transactionId: 'a UUID',
  amount: 'a text with two decimals',
  transactionStatus: 'a text',
  paymentStatus: 'a text',
  refundStatus: 'a text',
  totalRefundAmount: 'a text with two decimals',
  pan: 'a text',
  cardScheme: 'a text',
};

function noteRows(visit: Visit, rows: readonly Fields[]): void {
  const { findings } = visit;
  noteStated(findings, rows);
  noteOrderName(visit, rows);
  noteWords(findings, rows);
  noteTries(visit, rows);
  const forms = [...new Set(rows.map(({ amount }) => formOf(amount)))];
  const isUsual = forms.every((form) => form === 'a text with two decimals');
  findings.check('N23', isUsual, `amount is ${forms.join(', ')}`);
  noteRefunds(visit, rows);
  if (rows.some(({ recurringToken }) => typeof recurringToken === 'string')) {
    findings.note('N10', 'different', 'the row of a payment link has a token');
  }
}

/** §2.2: a row of an open or a declined payment may lack what does not exist yet (N4). */
function noteStated(findings: Findings, rows: readonly Fields[]): void {
  const paid = rows.filter(({ transactionStatus }) => transactionStatus === 'SUCCESS');
  if (paid.length === 0) return;
  const wrong = Object.entries(statedFields).flatMap(([name, form]) => {
    const odd = paid.map((row) => formOf(row[name])).find((one) => one !== form);
    return odd === undefined ? [] : [`${name} is ${odd}`];
  });
  const seen = wrong.join(', ') || 'all eight fields, in their form';
  findings.check('§2.2', wrong.length === 0, seen);
}

/** N6: the field that has our name of the payment, and the fields beside the stated ones. */
function noteOrderName({ findings, orderName, profile }: Visit, rows: readonly Fields[]): void {
  const extra = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !(name in statedFields),
  );
  const named = extra.filter((name) => rows.every((row) => row[name] === orderName));
  const usual = ['merchantOrderId', 'orderId'].find((name) =>
    rows.some((row) => isMerchantOrderId(row[name])),
  );
  const current = profile.status.orderName;
  const isCurrent = typeof current === 'string' && named.includes(current);
  const isUsual = usual !== undefined && named.includes(usual) && !isCurrent;
  const found = isCurrent ? current : named.find(isPlainName);
  const holder = isUsual ? usual : found;
  const shown = extra.filter((name) => name !== holder && isPlainName(name)).slice(0, 12);
  const numbers = shown.filter((name) => rows.some((row) => typeof row[name] === 'number'));
  const forms = numbers.length === 0 ? '' : `; numbers: ${numbers.join(', ')}`;
  const fields = `further fields: ${shown.join(', ') || 'none'}${forms}`;
  if (orderName === undefined) {
    findings.note('N6', 'not seen', `${fields}; our name of the payment is not known (--order)`);
    return;
  }
  const seen = `${holder ?? 'no field'} has our name; ${fields}`;
  findings.noteEntry('N6', 'status.orderName', isUsual ? undefined : (found ?? null), seen);
}

/** N4: the words of rows that are not paid. */
export function noteWords(findings: Findings, rows: readonly Fields[]): void {
  const usual: Readonly<Record<string, string>> = { FAILED: 'DECLINED', PENDING: 'PENDING' };
  for (const { transactionStatus, paymentStatus } of rows) {
    const wanted = usual[String(transactionStatus)];
    if (wanted === undefined) continue;
    const word = typeof paymentStatus === 'string' ? paymentStatus : formOf(paymentStatus);
    const seen =
      paymentStatus === undefined
        ? `a ${String(transactionStatus)} row has no paymentStatus`
        : `${String(transactionStatus)} comes with ${word.slice(0, 40)}`;
    findings.check('N4', paymentStatus === wanted, seen, 'different');
  }
}

/** N2 and N5: how many tries there were, and how their words changed. */
function noteTries({ findings, history }: Visit, rows: readonly Fields[]): void {
  const words = new Set(rows.map(({ transactionStatus }) => transactionStatus));
  if (words.has('FAILED') && words.has('SUCCESS')) {
    const seen = 'paid after a failure; a row for each try';
    findings.noteEntry('N2', 'session.afterFailure', 'payable', seen);
  } else if (words.has('FAILED')) findings.note('N2', 'not seen', 'the only payment failed');
  else if ([...history.values()].some((seen) => seen.includes('FAILED'))) {
    findings.note('N2', 'different', 'the failed try is no longer listed');
  }
  for (const seen of history.values()) {
    if (seen.length < 2) continue;
    const isUsual = seen.length === 2 && seen[0] === 'PENDING';
    const path = seen.map((word) => word.slice(0, 20)).join(' to ');
    findings.check('N5', isUsual, path, 'different');
  }
}

/** §4.3: a refund shows in the status, at once or when it has settled. */
export function noteRefunds({ findings }: Visit, rows: readonly Fields[]): boolean {
  const shows = rows.some(({ refundStatus }) => /^(?:PARTIAL|FULL)$/.test(String(refundStatus)));
  if (shows) findings.note('§4.3', 'confirmed', 'refundStatus shows the refund');
  return shows;
}
