import type { Explanation, MoneyOperation, OperationState, RefundRequest } from '../index.ts';
import { findEntry, noPayment, operationOf, partsOf } from '../parts.ts';
import { plain } from '../text.ts';
import { transactionKey } from '../ids.ts';
import { decimalOf, parseAmount } from '../money.ts';
import {
  type Command,
  done,
  type ExitCode,
  filledOf,
  type Invocation,
  isConfirmed,
  onlyWord,
  textOf,
  UsageError,
  wholeOf,
} from './command.ts';
import { recordsChangedSince, type ShopSettings, withPayments, withStore } from './shop.ts';
import { minuteOf, table, type Terminal } from './terminal.ts';

export const refund: Command = async (invocation) => {
  const { orderId, ...request } = readRequest(invocation);
  return withPayments(invocation, async (payments, { options }) => {
    const explanation = await payments.explain(orderId);
    if (explanation === null) throw noPayment();
    const key = transactionKey(request.transactionId ?? '');
    const row = explanation.transactions.find((one) => transactionKey(one.transactionId) === key);
    const sum = `${request.amount} ${(row ?? explanation.payment).currency}`;
    writePlan(invocation, options.gateway, explanation, { ...request, sum });
    if (!(await isConfirmed(invocation, `Refund ${sum} of order ${orderId}?`))) return 1;
    return reportOperation(invocation, await payments.refund(orderId, request));
  });
};

function readRequest({ words, values }: Invocation): RefundRequest & { readonly orderId: string } {
  const orderId = onlyWord(words, 'Name one order, as in: pay-button refund 1001 --amount 20.00');
  const howMuch = 'Say how much, with two decimals: --amount 20.00, in the order’s currency.';
  const amount = filledOf(values, 'amount', howMuch);
  if (!parseAmount(amount)) throw new UsageError(howMuch);
  return {
    orderId,
    amount,
    requestId: filledOf(
      values,
      'request-id',
      'Give the refund a name of yours: --request-id ticket-88. The same name is never sent twice, so that you can repeat the command.',
    ),
    transactionId: textOf(values, 'transaction'),
    operationId: textOf(values, 'operation'),
    by: textOf(values, 'by'),
    propose: values['propose'] === true,
  };
}

function writePlan(
  { terminal, isJson }: Invocation,
  gateway: ShopSettings['options']['gateway'],
  { payment, operations }: Explanation,
  { amount, sum, requestId, transactionId, operationId }: RefundRequest & { readonly sum: string },
): void {
  if (isJson) return;
  const before = operations.find((one) => one.requestId === requestId);
  const sent = before && `${before.amount} ${before.currency} by this id, ${before.state}`;
  const { currency, refunded } = payment;
  const paid = parseAmount(payment.amount) ?? 0;
  const left = paid - (parseAmount(refunded) ?? 0) - (parseAmount(amount) ?? 0);
  const of = transactionId ?? operationId;
  const rows = [
    ['order', `${payment.orderId}, ${payment.state.replaceAll('_', ' ')}`],
    ['amount', `${payment.amount} ${currency}`],
    ['refunded', `${refunded} ${currency} so far`],
    ...(sent === undefined
      ? [
          ['refund now', terminal.paint('bold', sum)],
          // Another transaction has an amount of its own, which is not known here.
          of === undefined && left >= 0
            ? ['left then', `${decimalOf(left)} ${currency}`]
            : ['of', of ?? 'the payment'],
        ]
      : [['refund now', `nothing: ${sent}`]]),
    ['request id', requestId],
    ['gateway', `${gateway.environment}, ${gateway.baseUrl}`],
  ];
  const cells = rows.map(([name = '', text = '']) => [terminal.paint('dim', name), text]);
  for (const line of table(cells)) terminal.line(`  ${line}`);
  terminal.line();
}

type Outcome = readonly [colour: 'red' | 'green' | 'yellow', mark: string, text: string];
const outcomes: Readonly<Partial<Record<OperationState, Outcome>>> = {
  proposed: ['yellow', '…', 'Another person sends it, by pay-button operations approve'],
  sending: ['yellow', '…', 'Another process is sending it right now: run the command again'],
  pending: ['green', '✓', 'The gateway took it on. The shop records it once its status shows it'],
  succeeded: ['green', '✓', 'It is refunded'],
  failed: ['red', '✗', 'It was refused, and nothing moved'],
  unknown: [
    'red',
    '?',
    'It may have happened: never send it again by another name. Evidence ends it, or you: npx pay-button operations resolve',
  ],
};

const outcomeOf = (state: OperationState): Outcome =>
  outcomes[state] ?? ['yellow', '?', 'A later release wrote this state: ask that release'];

const good: ReadonlySet<OperationState> = new Set(['proposed', 'pending', 'succeeded']);

/** Says what became of an operation; it ends well while money moves or waits for a person. */
function reportOperation({ terminal, isJson }: Invocation, operation: MoneyOperation): ExitCode {
  const { state, reason, operationId } = operation;
  if (isJson) terminal.json(operation);
  else {
    const [colour, mark, text] = outcomeOf(state);
    const why = reason === null ? '' : ` (${plain(reason)})`;
    const head = `${terminal.paint(colour, mark)} ${terminal.paint('bold', state)}`;
    terminal.line(`${head}  ${text}${why}.`);
    terminal.line(terminal.paint('dim', `  operation ${operationId}`));
  }
  return good.has(state) ? 0 : 1;
}

export const operations: Command = async (invocation) => {
  const [what, ...rest] = invocation.words;
  if (what === 'list' && rest.length === 0) return listOperations(invocation);
  if (what === 'resolve') return resolve(invocation, rest);
  if (what === 'approve') return approve(invocation, rest);
  throw new UsageError('Say list, approve ID, or resolve ID succeeded|failed|withdrawn.');
};

const DAY_MS = 86_400_000;

function listOperations(invocation: Invocation): Promise<ExitCode> {
  const { terminal, values, isJson } = invocation;
  const days = wholeOf(values, 'since', 30, 3_650);
  return withStore(invocation, async ({ store, clock }) => {
    const records = recordsChangedSince(store, clock.now() - days * DAY_MS, (orders) => {
      if (!isJson) terminal.progress(`${orders} payments read`);
    });
    const isShown = ({ state }: MoneyOperation): boolean =>
      values['all'] === true || (state !== 'succeeded' && state !== 'failed');
    const shown: MoneyOperation[] = [];
    for await (const { operations: all } of records) {
      shown.push(...all.map(operationOf).filter(isShown));
    }
    terminal.endProgress();
    const found = shown.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    const none = `No money operation waits, of payments that changed in ${days} days.`;
    if (!isJson && found.length > 0) writeOperations(terminal, found);
    else done(invocation, none, found);
    return found.some(({ state }) => state === 'unknown') ? 1 : 0;
  });
}

function writeOperations(terminal: Terminal, found: readonly MoneyOperation[]): void {
  const rows = found.map((one) => [
    minuteOf(one.createdAt),
    plain(one.orderId),
    one.kind,
    terminal.paint(outcomeOf(one.state)[0], one.state),
    `${one.amount} ${one.currency}`,
    plain(one.reason ?? '–'),
    one.operationId,
  ]);
  terminal.table(['since (UTC)', 'order', 'kind', 'state', 'amount', 'why', 'id'], rows);
  if (!found.some(({ state }) => state === 'unknown')) return;
  terminal.line();
  terminal.line('Look each unknown one up on the gateway’s dashboard, then say what you found:');
  terminal.line('npx pay-button operations resolve ID succeeded|failed --why "…" --by NAME');
}

function approve(invocation: Invocation, words: readonly string[]): Promise<ExitCode> {
  const id = onlyWord(words, 'Name one operation, as operations list shows it: approve ID.');
  const by = filledOf(invocation.values, 'by', 'Say who approves it: --by NAME. It is stored.');
  return withPayments(invocation, async (payments) => {
    const entry = await partsOf(payments)?.run((context) => findEntry(context, id));
    const what =
      entry?.kind === 'proposal'
        ? `refund of ${entry.amount} ${entry.currency} for order ${entry.orderId}, proposed by ${plain(entry.requestedBy ?? '')}`
        : `operation ${id}`;
    if (!(await isConfirmed(invocation, `Approve the ${what}, and send it?`))) return 1;
    return reportOperation(invocation, await payments.approve(id, { by }));
  });
}

function resolve(invocation: Invocation, words: readonly string[]): Promise<ExitCode> {
  const { values } = invocation;
  const [id, outcome, ...others] = words;
  const isOutcome = outcome === 'succeeded' || outcome === 'failed' || outcome === 'withdrawn';
  if (id === undefined || others.length > 0 || !isOutcome) {
    throw new UsageError('Say which and what: resolve ID succeeded, failed or withdrawn.');
  }
  const why = filledOf(values, 'why', 'Say how you know: --why "…". It is stored.');
  const options = { by: textOf(values, 'by'), transactionId: textOf(values, 'transaction') };
  return withPayments(invocation, async (payments) => {
    const became = outcome === 'withdrawn' ? 'is withdrawn' : outcome;
    const question = `Record that the operation ${id} ${became}? The first answer is final.`;
    if (!(await isConfirmed(invocation, question))) return 1;
    const operation = await payments.resolveOperation(id, outcome, why, options);
    const { kind, amount, currency, orderId, state } = operation;
    const what = `the ${kind} of ${amount} ${currency} for order ${plain(orderId)}`;
    return done(invocation, `Recorded: ${what} ${state}.`, operation);
  });
}
