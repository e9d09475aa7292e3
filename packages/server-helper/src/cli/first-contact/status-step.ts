import { noteRows } from './status-rows.ts';
import { isInvalid, isSuccess, toldOf, type Answer } from './gateway-line.ts';
import { askStatus, isKnown, remember, rowsOf } from './status-call.ts';
import { queryNames, RETURN_ADDRESS, type QueryName, type Step, type Visit } from './visit.ts';

type Asked = Readonly<Record<QueryName, Answer>>;

/** Asks about the payment in every way that circulates (X1, X2, N11, N21). */
export const statusStep: Step = {
  name: 'status',
  does: 'asks the status by session and by transaction, with both names of the query',
  missing: ({ session, transaction }) =>
    session === undefined && transaction === undefined
      ? 'there is no link and no transaction to ask about (--session, --transaction)'
      : undefined,
  async run(visit) {
    noteReturn(visit);
    const bySession = await askBoth(visit, visit.session);
    visit.transaction ??= paidOf(rowsIn(bySession));
    const byTransaction = await askBoth(visit, visit.transaction);
    const parameter = noteParameter(visit, bySession, byTransaction);
    noteAsksFor(visit, bySession?.[parameter], byTransaction?.[parameter]);
    noteNotFound(visit, bySession?.[parameter], visit.unpaid?.[parameter]);
    await notePoll(visit, bySession?.[parameter], byTransaction?.[parameter]);
    const rows = [rowsIn(bySession), rowsIn(byTransaction)].find(({ length }) => length > 0) ?? [];
    if (rows.length > 0) noteRows(visit, rows);
  },
};

async function askBoth(visit: Visit, id: string | undefined): Promise<Asked | undefined> {
  if (id === undefined) return undefined;
  const asked = {
    id: await askStatus(visit, 'id', id),
    sessionId: await askStatus(visit, 'sessionId', id),
  };
  remember(visit, rowsIn(asked));
  return asked;
}

const rowsIn = (asked: Asked | undefined) =>
  queryNames
    .map((name) => asked && rowsOf(asked[name]))
    .find((rows) => rows !== undefined && rows !== null && rows.length > 0) ?? [];

/** The transaction that was paid, or the last one. */
function paidOf(rows: ReturnType<typeof rowsIn>): string | undefined {
  const row = rows.find(({ transactionStatus }) => transactionStatus === 'SUCCESS') ?? rows.at(-1);
  return typeof row?.['transactionId'] === 'string' ? row['transactionId'] : undefined;
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

function noteAsksFor(
  { findings, profile, session, transaction }: Visit,
  bySession: Answer | undefined,
  byTransaction: Answer | undefined,
): void {
  const [session_, transaction_] = [isKnown(bySession), isKnown(byTransaction)];
  if (!session_ && !transaction_) return;
  const both = profile.status.asksFor === 'either' ? 'either' : 'session';
  const value = !session_ ? 'transaction' : transaction_ ? both : 'session';
  const isSame = session !== undefined && session === transaction;
  const seen = isSame
    ? 'the transaction’s id is the session’s'
    : value === 'transaction'
      ? 'transaction ids only'
      : transaction_
        ? 'session and transaction ids'
        : 'session ids only';
  findings.noteEntry('X2', { place: 'status.asksFor', value, usual: 'session' }, seen);
}

/** A 404 before the payment of a session that is known after it says "not yet". */
function noteNotFound(
  { findings }: Visit,
  paid: Answer | undefined,
  unpaid: Answer | undefined,
): void {
  if (unpaid === undefined || !isKnown(paid)) return;
  const value = unpaid.status === 404 ? 'not-yet' : 'unknown';
  if (value === 'unknown' && !isSuccess(unpaid)) return;
  const seen = `a session before its payment: ${value === 'not-yet' ? '404' : 'an empty content'}`;
  findings.noteEntry('N21', { place: 'status.notFound', value, usual: 'unknown' }, seen);
}

const pollPath = '/payment/s2s/status';

/** The names of a transaction's id that circulate. */
const pollNames = ['transactionId', 'trans_id', 'transaction_id', 'id'];

async function notePoll(
  visit: Visit,
  bySession: Answer | undefined,
  byTransaction: Answer | undefined,
): Promise<void> {
  const { findings, line, apiKey, transaction } = visit;
  if (isKnown(byTransaction)) {
    const place = 'operations.pollStatus';
    findings.noteEntry('N11', { place, value: undefined, usual: undefined }, '§4.2 answers it');
    return;
  }
  if (transaction === undefined || !isKnown(bySession)) return;
  for (const name of pollNames) {
    const body = { [name]: transaction };
    const headers = { 'x-api-key': apiKey };
    const answer = await line.ask({ method: 'POST', path: pollPath, body, headers });
    if (isKnown(answer)) {
      const renamed = name === 'transactionId' ? {} : { body: { transactionId: name } };
      const value = { method: 'POST', path: pollPath, ...renamed };
      const seen = `§4.2 does not know the transaction; POST ${pollPath} does, by ${name}`;
      findings.noteEntry('N11', { place: 'operations.pollStatus', value, usual: undefined }, seen);
      return;
    }
    if (!isInvalid(answer)) break;
  }
  const told = byTransaction === undefined ? '' : ` (${toldOf(byTransaction)})`;
  findings.note(
    'N11',
    'contradicted',
    `§4.2 does not know the transaction${told}, nor does ${pollPath}`,
  );
}

/** N1: the names of what was appended; their values are not shown. */
function noteReturn({ findings, returned }: Visit): void {
  const url = returned === undefined ? null : URL.parse(returned);
  if (url === null) return;
  if (!`${url.origin}${url.pathname}`.startsWith(RETURN_ADDRESS)) {
    findings.note('N1', 'not seen', 'the browser ended elsewhere');
    return;
  }
  const names = [...new Set(url.searchParams.keys())];
  if (names.length === 0) findings.note('N1', 'confirmed', 'nothing was appended');
  else findings.note('N1', 'contradicted', `appended: ${names.slice(0, 8).join(', ')}`);
}
