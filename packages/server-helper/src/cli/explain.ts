import { checkOrderId } from '../ids.ts';
import { type Explanation, explanationOf } from '../flows/list-payments.ts';
import { type Command, UsageError } from './command.ts';
import { readShopSettings, requireSettings, storeSettings } from './shop-settings.ts';
import { withStore } from './shop-store.ts';
import { describeEntry } from '../payments/timeline-text.ts';
import type { TimelineKind } from '../payments/timeline.ts';
import type { PaymentState } from '../payments/record.ts';
import { plain } from '../html-text.ts';
import { table, type Terminal, wrap } from './terminal.ts';

/** `pay-button explain ORDER` */
export const explainOrder: Command = {
  options: { merchant: 'text' },
  async run(invocation) {
    const { words, values, terminal } = invocation;
    const [order, ...others] = words;
    if (order === undefined || others.length > 0) {
      throw new UsageError('Name one order, as in: pay-button explain 1001', 'explain');
    }
    const orderId = checkOrderId(order);
    const settings = readShopSettings(invocation, 'explain');
    requireSettings(settings, storeSettings);
    const isJson = values['json'] === true;
    return withStore({ settings, terminal, isJson }, async (store) => {
      const record = await store.load(orderId);
      if (record === null) {
        if (isJson) terminal.json(null);
        else terminal.error(`The order ${orderId} has no payment: no link was asked for yet.`);
        return 1;
      }
      const explanation = explanationOf(record, await store.history(orderId));
      if (isJson) terminal.json(explanation);
      else writeTimelineOf(terminal, explanation);
      return 0;
    });
  },
};

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

const bad: ReadonlySet<PaymentState> = new Set(['review', 'paid_late']);
const good: ReadonlySet<PaymentState> = new Set(['paid', 'captured', 'authorized']);

/** Writes an order's timeline, and beneath it the state of each part. */
export function writeTimelineOf(terminal: Terminal, explanation: Explanation): void {
  const { payment } = explanation;
  const colour = bad.has(payment.state) ? 'red' : good.has(payment.state) ? 'green' : 'yellow';
  const state = terminal.paint(['bold', colour], payment.state.replaceAll('_', ' '));
  terminal.line(
    `${terminal.paint('bold', `Order ${payment.orderId}`)}  ${state}  ${payment.amount} ${payment.currency}`,
  );
  const notes = [
    payment.refunded === '0.00' ? '' : `refunded ${payment.refunded} ${payment.currency}`,
    payment.cancelled ? 'cancelled by the merchant' : '',
    payment.isChecking ? 'a status check is on its way' : '',
  ].filter((note) => note !== '');
  if (notes.length > 0) terminal.line(notes.join(' · '));
  writeTimeline(terminal, explanation.timeline);
  writeAttempts(terminal, explanation);
  writeOperations(terminal, explanation);
  writeReviews(terminal, explanation);
  writeEffects(terminal, explanation);
}

function heading(terminal: Terminal, text: string): void {
  terminal.line();
  terminal.line(terminal.paint('bold', text));
}

function writeTimeline(terminal: Terminal, timeline: Explanation['timeline']): void {
  let day = '';
  for (const entry of timeline) {
    const { at, kind } = entry;
    if (at.slice(0, 10) !== day) {
      day = at.slice(0, 10);
      heading(terminal, `${day} (UTC)`);
    }
    const time = terminal.paint('dim', at.slice(11, 19));
    const [first = '', ...rest] = wrap(plain(describeEntry(entry)), terminal.width - 16);
    terminal.line(`  ${time}  ${markOf(terminal, kind)}  ${first}`);
    for (const line of rest) terminal.line(`${' '.repeat(15)}${line}`);
    for (const row of entry.kind === 'evidence' ? entry.rows : []) {
      const { transactionId, amount, transactionStatus, paymentStatus, refundStatus } = row;
      const refund =
        refundStatus === undefined || refundStatus === 'NONE'
          ? ''
          : `, refunded ${refundStatus} ${row.totalRefundAmount ?? ''}`;
      const text = `${transactionStatus}/${paymentStatus} ${amount}${refund}  ${transactionId}`;
      terminal.line(`${' '.repeat(15)}${terminal.paint('dim', plain(text))}`);
    }
  }
}

function markOf(terminal: Terminal, kind: TimelineKind): string {
  const mark = marks[kind];
  if (kind === 'review') return terminal.paint('red', mark);
  return mark === marks.payment ? terminal.paint('cyan', mark) : terminal.paint('dim', mark);
}

const minutes = (iso: string | null): string =>
  iso === null ? '–' : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;

function rowsOf(terminal: Terminal, head: readonly string[], rows: readonly (readonly string[])[]) {
  const cells = rows.map((row) => row.map((cell) => plain(cell)));
  const [first = '', ...rest] = table([head, ...cells]);
  terminal.line(`  ${terminal.paint('dim', first)}`);
  for (const line of rest) terminal.line(`  ${line}`);
}

function writeAttempts(terminal: Terminal, { attempts }: Explanation): void {
  heading(terminal, 'Attempts');
  const head = ['#', 'kind', 'state', 'amount', 'asked last', 'asks next', 'session'];
  const rows = attempts.map((one) => [
    String(one.number),
    one.kind,
    one.state,
    one.amount,
    minutes(one.lastCheckAt),
    minutes(one.nextCheckAt),
    one.sessionId ?? '–',
  ]);
  rowsOf(terminal, head, rows);
}

function writeOperations(terminal: Terminal, { operations }: Explanation): void {
  if (operations.length === 0) return;
  heading(terminal, 'Money operations');
  const head = ['kind', 'state', 'amount', 'asked for', 'by', 'why', 'id'];
  const rows = operations.map((one) => [
    one.kind,
    one.state,
    `${one.amount} ${one.currency}`,
    minutes(one.createdAt),
    one.requestedBy ?? '–',
    one.reason ?? '–',
    one.operationId,
  ]);
  rowsOf(terminal, head, rows);
}

function writeReviews(terminal: Terminal, { reviews }: Explanation): void {
  if (reviews.length === 0) return;
  heading(terminal, 'For a person');
  const head = ['reason', 'since', 'resolved', 'how', 'id'];
  const rows = reviews.map((one) => [
    one.reason,
    minutes(one.createdAt),
    minutes(one.resolvedAt),
    one.resolution ?? '–',
    one.id,
  ]);
  rowsOf(terminal, head, rows);
}

function writeEffects(terminal: Terminal, { effects }: Explanation): void {
  if (effects.length === 0) return;
  heading(terminal, 'Events for your handlers');
  const head = ['event', 'outcome', 'tries', 'id'];
  const rows = effects.map((one) => [one.type, one.outcome, String(one.tries), one.eventId]);
  rowsOf(terminal, head, rows);
}
