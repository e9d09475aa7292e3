import type { Payments } from '../create-payments.ts';
import type { MoneyOperation } from '../flows/views.ts';
import type { OperationState } from '../payments/record.ts';
import { noPayment } from '../flows/money/money-operation.ts';
import { decimalOf, parseAmount } from '../money.ts';
import { type Command, type ExitCode, type Invocation, textOf, UsageError } from './command.ts';
import { isConfirmed, yesOption } from './confirmation.ts';
import { readShopSettings } from './shop-settings.ts';
import { withPayments } from './shop-payments.ts';
import { plain } from '../html-text.ts';
import { table, type Terminal } from './terminal.ts';

/** `pay-button refund ORDER --amount AMOUNT --request-id ID [--by NAME] [--propose]` */
export const refund: Command = {
  options: {
    amount: 'text',
    'request-id': 'text',
    transaction: 'text',
    operation: 'text',
    by: 'text',
    propose: 'flag',
    merchant: 'text',
    ...yesOption,
  },
  async run(invocation) {
    const { orderId, ...request } = readRequest(invocation);
    return withPayments(invocation, 'refund', async (payments) => {
      const payment = await payments.retrieve(orderId);
      if (payment === null) throw noPayment();
      const { amount } = request;
      const sum = `${amount} ${payment.currency}`;
      if (invocation.values['json'] !== true) {
        const operations = (await payments.explain(orderId))?.operations ?? [];
        const before = operations.find(({ requestId }) => requestId === request.requestId);
        writePlan(invocation, payment, request, before);
      }
      const question = `Refund ${sum} of order ${orderId}?`;
      if (!(await isConfirmed(invocation, question, 'refund'))) return 1;
      return reportOperation(invocation, await payments.refund(orderId, request));
    });
  },
};

interface Request {
  readonly amount: string;
  readonly requestId: string;
  readonly transactionId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly by?: string | undefined;
  readonly propose: boolean;
}

function readRequest({ words, values }: Invocation): Request & { readonly orderId: string } {
  const [orderId, ...others] = words;
  if (orderId === undefined || others.length > 0) {
    throw new UsageError('Name one order, as in: pay-button refund 1001 --amount 20.00', 'refund');
  }
  const amount = textOf(values, 'amount');
  if (amount === undefined) {
    throw new UsageError('Say how much: --amount 20.00, in the currency of the order.', 'refund');
  }
  const requestId = textOf(values, 'request-id');
  if (requestId === undefined) {
    throw new UsageError(
      'Give the refund a name of yours: --request-id ticket-88. The same name is never sent twice, so that you can repeat the command.',
      'refund',
    );
  }
  const of = {
    transactionId: textOf(values, 'transaction'),
    operationId: textOf(values, 'operation'),
  };
  const who = { by: textOf(values, 'by'), propose: values['propose'] === true };
  return { orderId, amount, requestId, ...of, ...who };
}

/** Shows what is asked for, beside what the payment is now. */
function writePlan(
  invocation: Invocation,
  payment: NonNullable<Awaited<ReturnType<Payments['retrieve']>>>,
  { amount, requestId, transactionId, operationId }: Request,
  before: MoneyOperation | undefined,
): void {
  const { terminal } = invocation;
  const { currency, refunded } = payment;
  const { gateway } = readShopSettings(invocation, 'refund').options;
  const paid = parseAmount(payment.amount) ?? 0;
  const left = paid - (parseAmount(refunded) ?? 0) - (parseAmount(amount) ?? 0);
  const of = transactionId ?? operationId;
  const rows = [
    ['order', `${payment.orderId}, ${payment.state.replaceAll('_', ' ')}`],
    ['amount', `${payment.amount} ${currency}`],
    ['refunded', `${refunded} ${currency} so far`],
    ...(before === undefined
      ? [
          ['refund now', terminal.paint('bold', `${amount} ${currency}`)],
          // Another transaction has an amount of its own, which is not known here.
          of === undefined && left >= 0
            ? ['left then', `${decimalOf(left)} ${currency}`]
            : ['of', of ?? 'the payment'],
        ]
      : [['refund now', `nothing: ${before.amount} ${currency} by this id, ${before.state}`]]),
    ['request id', requestId],
    ['gateway', `${gateway.environment}, ${gateway.baseUrl}`],
  ];
  for (const line of table(
    rows.map(([name = '', text = '']) => [terminal.paint('dim', name), text]),
  ))
    terminal.line(`  ${line}`);
  terminal.line();
}

/** Says what became of an operation; it ends well while money moves or waits for a person. */
export function reportOperation(
  { terminal, values }: Invocation,
  operation: MoneyOperation,
): ExitCode {
  if (values['json'] === true) terminal.json(operation);
  else writeOutcome(terminal, operation);
  return good.has(operation.state) ? 0 : 1;
}

const good: ReadonlySet<OperationState> = new Set(['proposed', 'pending', 'succeeded']);

const outcomes = {
  proposed: [
    'yellow',
    '…',
    'Nothing is sent before another person approves it: pay-button operations approve',
  ],
  sending: ['yellow', '…', 'Another process is sending it right now: run the command again'],
  pending: ['green', '✓', 'The gateway took it on. The shop records it once its status shows it'],
  succeeded: ['green', '✓', 'It is refunded'],
  failed: ['red', '✗', 'It was refused, and nothing moved'],
  unknown: [
    'red',
    '?',
    'It may have happened: never send it again by another name. Evidence ends it, or you: npx pay-button operations resolve',
  ],
} as const;

function writeOutcome(terminal: Terminal, { state, reason, operationId }: MoneyOperation): void {
  const [colour, mark, text] = outcomes[state];
  const why = reason === null ? '' : ` (${plain(reason)})`;
  terminal.line(`${terminal.paint(colour, mark)} ${terminal.paint('bold', state)}  ${text}${why}.`);
  terminal.line(terminal.paint('dim', `  operation ${operationId}`));
}
