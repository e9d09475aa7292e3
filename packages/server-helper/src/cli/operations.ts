import { type MoneyOperation, operationOf } from '../flows/views.ts';
import type { Store } from '../stores/store.ts';
import { type Command, type ExitCode, type Invocation, textOf, UsageError } from './command.ts';
import { isConfirmed, yesOption } from './confirmation.ts';
import { wholeOption } from './number-option.ts';
import { recordsChangedSince } from './store-pages.ts';
import { reportOperation } from './refund.ts';
import { withPayments } from './shop-payments.ts';
import { readShopSettings, requireSettings, storeSettings } from './shop-settings.ts';
import { withStore } from './shop-store.ts';
import { plain } from '../html-text.ts';
import { table, type Terminal } from './terminal.ts';

const NAME = 'operations';
const DAY_MS = 86_400_000;

/** `pay-button operations list | approve ID | resolve ID succeeded|failed|withdrawn` */
export const operations: Command = {
  options: {
    since: 'text',
    all: 'flag',
    why: 'text',
    by: 'text',
    transaction: 'text',
    merchant: 'text',
    ...yesOption,
  },
  run(invocation) {
    const [what, ...rest] = invocation.words;
    if (what === 'list' && rest.length === 0) return list(invocation);
    if (what === 'resolve') return resolve(invocation, rest);
    if (what === 'approve') return approve(invocation, rest);
    throw new UsageError('Say list, approve ID, or resolve ID succeeded|failed|withdrawn.', NAME);
  },
};

async function list(invocation: Invocation): Promise<ExitCode> {
  const { terminal, values } = invocation;
  const days = wholeOption(values, { name: 'since', usual: 30, most: 3_650, command: NAME });
  const settings = readShopSettings(invocation, NAME);
  requireSettings(settings, storeSettings);
  const isJson = values['json'] === true;
  return withStore({ settings, terminal, isJson }, async (store) => {
    const since = Date.now() - days * DAY_MS;
    const found = await operationsOf(store, since, values['all'] === true, (orders) => {
      if (!isJson) terminal.progress(`${orders} payments read`);
    });
    terminal.endProgress();
    if (isJson) terminal.json(found);
    else writeTable(terminal, found, days);
    return found.some(({ state }) => state === 'unknown') ? 1 : 0;
  });
}

async function operationsOf(
  store: Store<unknown>,
  since: number,
  isAll: boolean,
  progress: (orders: number) => void,
): Promise<readonly MoneyOperation[]> {
  const found: MoneyOperation[] = [];
  for await (const record of recordsChangedSince(store, since, progress)) {
    for (const operation of record.operations) {
      const isEnded = operation.state === 'succeeded' || operation.state === 'failed';
      if (isAll || !isEnded) found.push(operationOf(operation));
    }
  }
  return found.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

const colours = {
  proposed: 'yellow',
  sending: 'yellow',
  pending: 'yellow',
  succeeded: 'green',
  failed: 'dim',
  unknown: 'red',
} as const;

function writeTable(terminal: Terminal, found: readonly MoneyOperation[], days: number): void {
  if (found.length === 0) {
    const mark = terminal.paint('green', '✓');
    terminal.line(`${mark} No money operation waits, of payments that changed in ${days} days.`);
    return;
  }
  const rows = found.map((one) => [
    one.createdAt.slice(0, 16).replace('T', ' '),
    plain(one.orderId),
    one.kind,
    terminal.paint(colours[one.state], one.state),
    `${one.amount} ${one.currency}`,
    plain(one.reason ?? '–'),
    one.operationId,
  ]);
  const head = ['since (UTC)', 'order', 'kind', 'state', 'amount', 'why', 'id'];
  const [first = '', ...lines] = table([head, ...rows]);
  terminal.line(terminal.paint('dim', first));
  for (const line of lines) terminal.line(line);
  if (!found.some(({ state }) => state === 'unknown')) return;
  terminal.line();
  terminal.line('Look each unknown one up on the gateway’s dashboard, then say what you found:');
  terminal.line('npx pay-button operations resolve ID succeeded|failed --why "…" --by NAME');
}

async function approve(invocation: Invocation, words: readonly string[]): Promise<ExitCode> {
  const { values } = invocation;
  const [id, ...others] = words;
  if (id === undefined || others.length > 0) {
    throw new UsageError('Name one operation, as operations list shows it: approve ID.', NAME);
  }
  const by = textOf(values, 'by')?.trim() ?? '';
  if (by === '') throw new UsageError('Say who approves it: --by NAME. It is stored.', NAME);
  return withPayments(invocation, 'operations approve', async (payments) => {
    const question = `Approve the operation ${id}, and send it?`;
    if (!(await isConfirmed(invocation, question, NAME))) return 1;
    return reportOperation(invocation, await payments.approve(id, { by }));
  });
}

const isOutcome = (word: string | undefined) =>
  word === 'succeeded' || word === 'failed' || word === 'withdrawn';

async function resolve(invocation: Invocation, words: readonly string[]): Promise<ExitCode> {
  const { terminal, values } = invocation;
  const [id, outcome, ...others] = words;
  if (id === undefined || others.length > 0 || !isOutcome(outcome)) {
    throw new UsageError(
      'Say which and what: operations resolve ID succeeded, failed or withdrawn.',
      NAME,
    );
  }
  const why = textOf(values, 'why')?.trim() ?? '';
  if (why === '') throw new UsageError('Say how you know: --why "…". It is stored.', NAME);
  const options = { by: textOf(values, 'by'), transactionId: textOf(values, 'transaction') };
  return withPayments(invocation, 'operations resolve', async (payments) => {
    const question = `Record that the operation ${id} ${outcome === 'withdrawn' ? 'is withdrawn' : outcome}? The first answer is final.`;
    if (!(await isConfirmed(invocation, question, NAME))) return 1;
    const operation = await payments.resolveOperation(id, outcome, why, options);
    if (values['json'] === true) terminal.json(operation);
    else
      terminal.line(
        `${terminal.paint('green', '✓')} Recorded: the ${operation.kind} of ${operation.amount} ${operation.currency} for order ${plain(operation.orderId)} ${operation.state}.`,
      );
    return 0;
  });
}
