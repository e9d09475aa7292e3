import { describeEntry, type Explanation, type PaymentState, type TimelineKind } from '../index.ts';
import { explanationOf, listPayments as pageOf } from '../parts.ts';
import { plain } from '../text.ts';
import { checkOrderId } from '../ids.ts';
import { type Command, done, noWords, onlyWord, spanOf, textOf, wholeOf } from './command.ts';
import { withStore } from './shop.ts';
import { minuteOf, type Terminal, wrap } from './terminal.ts';

export const listPayments: Command = (invocation) => {
  noWords(invocation, 'It takes options only; one order is shown by: pay-button explain ORDER');
  const { terminal, values, isJson } = invocation;
  const { since, until } = spanOf(values);
  const query = {
    state: textOf(values, 'state')?.split(',') as readonly PaymentState[] | undefined,
    since: new Date(since),
    until: until === Number.MAX_SAFE_INTEGER ? undefined : new Date(until),
    search: textOf(values, 'search'),
    limit: wholeOf(values, 'limit', 50, 200),
    cursor: textOf(values, 'cursor'),
  };
  return withStore(invocation, async (context) => {
    const page = await pageOf(context, query);
    const { payments, nextCursor } = page;
    if (isJson || payments.length === 0) return done(invocation, 'There is no such payment.', page);
    const rows = payments.map((one) => [
      minuteOf(one.createdAt),
      plain(one.orderId),
      terminal.paint(colourOf(one.state), one.state.replaceAll('_', ' ')),
      `${one.amount} ${one.currency}`,
      one.refunded === '0.00' ? '–' : one.refunded,
      one.review.map(({ reason }) => reason).join(', ') || '–',
    ]);
    terminal.table(['created (UTC)', 'order', 'state', 'amount', 'refunded', 'review'], rows);
    if (nextCursor !== null) terminal.line(`There are more: --cursor ${nextCursor}`);
    return 0;
  });
};

export const explainOrder: Command = async (invocation) => {
  const { words, terminal, isJson, config } = invocation;
  const orderId = checkOrderId(onlyWord(words, 'Name one order, as in: pay-button explain 1001'));
  return withStore(invocation, async ({ store }, { handled }) => {
    const record = await store.load(orderId);
    if (record === null) {
      if (isJson) terminal.json(null);
      else terminal.error(`The order ${orderId} has no payment: no link was asked for yet.`);
      return 1;
    }
    const explanation = explanationOf(record, await store.history(orderId));
    if (isJson) return done(invocation, '', explanation);
    writeTimeline(terminal, explanation);
    writeParts(terminal, explanation, config && handled);
    return 0;
  });
};

const bad: ReadonlySet<PaymentState> = new Set(['review', 'paid_late']);
const good: ReadonlySet<PaymentState> = new Set(['paid', 'captured', 'authorized']);

const colourOf = (state: PaymentState) =>
  bad.has(state) ? 'red' : good.has(state) ? 'green' : 'yellow';

const marks: Readonly<Record<TimelineKind, string>> = {
  attempt: '○',
  evidence: '?',
  verdict: '=',
  operation: '⇄',
  review: '!',
  payment: '●',
  refunded: '●',
  cancelled: '●',
  redelivered: '↻',
};

function heading(terminal: Terminal, text: string): void {
  terminal.line(`\n${terminal.paint('bold', text)}`);
}

function writeTimeline(terminal: Terminal, explanation: Explanation): void {
  const { orderId, state, amount, currency, refunded, ...payment } = explanation.payment;
  const word = terminal.paint(['bold', colourOf(state)], state.replaceAll('_', ' '));
  terminal.line(`${terminal.paint('bold', `Order ${orderId}`)}  ${word}  ${amount} ${currency}`);
  const notes = [
    refunded === '0.00' ? '' : `refunded ${refunded} ${currency}`,
    payment.cancelled ? 'cancelled by the merchant' : '',
    payment.isChecking ? 'a status check is on its way' : '',
  ].filter((note) => note !== '');
  if (notes.length > 0) terminal.line(notes.join(' · '));
  let day = '';
  for (const entry of explanation.timeline) {
    const { at, kind } = entry;
    if (at.slice(0, 10) !== day) {
      day = at.slice(0, 10);
      heading(terminal, `${day} (UTC)`);
    }
    const time = terminal.paint('dim', at.slice(11, 19));
    const [first = '', ...rest] = wrap(plain(describeEntry(entry)), terminal.width - 16);
    const colour = kind === 'review' ? 'red' : marks[kind] === marks.payment ? 'cyan' : 'dim';
    terminal.line(`  ${time}  ${terminal.paint(colour, marks[kind])}  ${first}`);
    for (const line of rest) terminal.line(`${' '.repeat(15)}${line}`);
    for (const row of entry.kind === 'evidence' ? entry.rows : []) {
      const { transactionId, transactionStatus, paymentStatus, refundStatus } = row;
      const isRefunded = (refundStatus ?? 'NONE') !== 'NONE';
      const refund = isRefunded ? `, refunded ${refundStatus} ${row.totalRefundAmount ?? ''}` : '';
      const text = `${transactionStatus}/${paymentStatus} ${row.amount}${refund}  ${transactionId}`;
      terminal.line(`${' '.repeat(15)}${terminal.paint('dim', plain(text))}`);
    }
  }
}

function writeParts(terminal: Terminal, explanation: Explanation, on?: readonly string[]): void {
  const { attempts, operations, reviews, effects } = explanation;
  const section = (title: string, head: readonly string[], rows: readonly string[][]): void => {
    if (rows.length === 0) return;
    heading(terminal, title);
    const cells = rows.map((row) => row.map(plain));
    terminal.table(head, cells, '  ');
  };
  section(
    'Attempts',
    ['#', 'kind', 'state', 'amount', 'asked last', 'asks next', 'session'],
    attempts.map((one) => [
      String(one.number),
      one.kind,
      one.state,
      one.amount,
      minuteOf(one.lastCheckAt),
      minuteOf(one.nextCheckAt),
      one.sessionId ?? '–',
    ]),
  );
  section(
    'Money operations',
    ['kind', 'state', 'amount', 'asked for', 'by', 'why', 'id'],
    operations.map((one) => [
      one.kind,
      one.state,
      `${one.amount} ${one.currency}`,
      minuteOf(one.createdAt),
      one.requestedBy ?? '–',
      one.reason ?? '–',
      one.operationId,
    ]),
  );
  section(
    'For a person',
    ['reason', 'since', 'resolved', 'how', 'id'],
    reviews.map((one) => [
      one.reason,
      minuteOf(one.createdAt),
      minuteOf(one.resolvedAt),
      one.resolution ?? '–',
      one.id,
    ]),
  );
  section(
    'Events for your handlers',
    ['event', 'outcome', 'tries', 'id'],
    effects.map(({ type, outcome, tries, eventId }) => {
      // Without a handler of its type in any process an event waits for ever.
      const untried = `${on?.includes(type) === false ? 'has no' : 'waits for'} on.${type}`;
      return [type, outcome === 'waiting' && tries === 0 ? untried : outcome, `${tries}`, eventId];
    }),
  );
}
