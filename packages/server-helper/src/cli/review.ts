import { type ReviewEntry, reviewVerbs, type ReviewVerbs } from '../flows/money/review-verbs.ts';
import type { Store } from '../stores/store.ts';
import { type Command, type ExitCode, type Invocation, textOf, UsageError } from './command.ts';
import { wholeOption } from './number-option.ts';
import { readShopSettings, requireSettings, storeSettings } from './shop-settings.ts';
import { isConfirmed, yesOption } from './confirmation.ts';
import { withPayments } from './shop-payments.ts';
import { plain } from '../html-text.ts';
import { table, type Terminal } from './terminal.ts';
import { withStore } from './shop-store.ts';
import { systemClock } from '../clock.ts';
import { ConfigurationError, guideAddress } from '../errors.ts';
import { createRecurringTokens } from '../flows/money/recurring-tokens.ts';
import type { FlowContext } from '../flows/flow-context.ts';
import { silentLogger } from '../logger.ts';

/** `pay-button review list | accept ID | resolve ID | redeliver EVENT` */
export const review: Command = {
  options: {
    why: 'text',
    by: 'text',
    reopen: 'flag',
    limit: 'text',
    merchant: 'text',
    ...yesOption,
  },
  run(invocation) {
    const { terminal, values, words } = invocation;
    if (words[0] === 'accept') return accept(invocation, words.slice(1));
    const act = actionOf(invocation);
    const settings = readShopSettings(invocation, 'review');
    requireSettings(settings, storeSettings);
    const isJson = values['json'] === true;
    return withStore({ settings, terminal, isJson }, (store) =>
      act(verbsOf(store, settings.scope)),
    );
  },
};

function actionOf(invocation: Invocation): (verbs: ReviewVerbs) => Promise<ExitCode> {
  const { words, values, terminal } = invocation;
  const [what, id, ...others] = words;
  const isJson = values['json'] === true;
  const report = (text: string, json: object): ExitCode => {
    if (isJson) terminal.json(json);
    else terminal.line(`${terminal.paint('green', '✓')} ${text}`);
    return 0;
  };
  if (what === 'list' && id === undefined) {
    const rule = { name: 'limit', usual: 100, most: 1_000, command: 'review' };
    const limit = wholeOption(values, rule);
    return async (verbs) => list(terminal, await verbs.list({ limit }), isJson);
  }
  if (what === 'resolve' && id !== undefined && others.length === 0) {
    const why = readWhy(invocation);
    return async (verbs) => {
      await verbs.resolve(id, why, { by: textOf(values, 'by'), reopen: values['reopen'] === true });
      return report(`Taken off the list: ${id}`, { resolved: id });
    };
  }
  if (what === 'redeliver' && id !== undefined && others.length === 0) {
    return async (verbs) => {
      await verbs.redeliver(id, { by: textOf(values, 'by') });
      return report(`The running shop hands it to its handler again: ${id}`, { redelivered: id });
    };
  }
  throw new UsageError('Say list, accept ID, resolve ID or redeliver EVENT.', 'review');
}

function readWhy({ values }: Invocation): string {
  const why = textOf(values, 'why')?.trim() ?? '';
  if (why === '') throw new UsageError('Say what you found: --why "…". It is stored.', 'review');
  return why;
}

/** Accepts money: the shop's own code is asked for the price, and works in the commit. */
function accept(invocation: Invocation, [id, ...others]: readonly string[]): Promise<ExitCode> {
  const { terminal, values } = invocation;
  if (id === undefined || others.length > 0) {
    throw new UsageError('Name one review, as review list shows it: review accept ID.', 'review');
  }
  const why = readWhy(invocation);
  return withPayments(invocation, 'review accept', async (payments) => {
    const question = `Accept the money of ${id}? The order is then paid, and shipped.`;
    if (!(await isConfirmed(invocation, question, 'review'))) return 1;
    await payments.review.accept(id, why, { by: textOf(values, 'by') });
    if (values['json'] === true) terminal.json({ accepted: id });
    else terminal.line(`${terminal.paint('green', '✓')} Accepted: ${id}`);
    return 0;
  });
}

/** Review verbs write no event, so that no code of the merchant is missed here. */
function verbsOf(store: Store<unknown>, scope: string): ReviewVerbs {
  const context = moneylessContext(store, scope);
  return reviewVerbs((work) => work(context));
}

function list(terminal: Terminal, entries: readonly ReviewEntry[], isJson: boolean): ExitCode {
  if (isJson) terminal.json(entries);
  else if (entries.length === 0)
    terminal.line(`${terminal.paint('green', '✓')} Nothing is waiting for a person.`);
  else writeTable(terminal, entries);
  return entries.length === 0 ? 0 : 1;
}

function writeTable(terminal: Terminal, entries: readonly ReviewEntry[]): void {
  const rows = entries.map((entry) => [
    `${entry.createdAt.slice(0, 10)} ${entry.createdAt.slice(11, 16)}`,
    entry.orderId,
    matterOf(entry),
    entry.id,
  ]);
  const cells = rows.map((row) => row.map((cell) => plain(cell)));
  const [head = '', ...lines] = table([['since (UTC)', 'order', 'reason', 'id'], ...cells]);
  terminal.line(terminal.paint('dim', head));
  for (const line of lines) terminal.line(line);
  terminal.line();
  terminal.line(
    `What each means, and what to do: ${guideAddress('operations.md#the-review-list')}`,
  );
  terminal.line('Then: npx pay-button review resolve ID --why "…" --by NAME, or review accept ID.');
  if (!entries.some(({ kind }) => kind === 'proposal')) return;
  terminal.line(
    'A proposal: npx pay-button operations approve ID --by NAME, or resolve ID withdrawn.',
  );
}

function matterOf(entry: ReviewEntry): string {
  switch (entry.kind) {
    case 'payment':
      return entry.reason;
    case 'proposal':
      return `a refund of ${entry.amount} ${entry.currency} is proposed by ${entry.requestedBy}`;
    case 'dead_letter':
      return `handler of ${entry.event.type} failed ${entry.tries} times`;
  }
}

const refuse = (): never => {
  throw new ConfigurationError(
    'closed',
    'This needs the shop’s own code: leave it to the running shop and try again in a moment.',
  );
};

/**
 * What flows need that only read and tidy: a store, and nothing that could move money. A change
 * with an event would need the merchant's hook, which is not here, so it is refused.
 */
export function moneylessContext(store: Store<unknown>, scope: string): FlowContext<unknown> {
  return {
    gateway: {
      createPaymentLink: refuse,
      retrieveStatus: refuse,
      refund: refuse,
      capture: refuse,
      void: refuse,
      chargeRecurring: refuse,
      sale: refuse,
    },
    store,
    scope,
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
    loadOrder: () => null,
    recurringTokens: createRecurringTokens([]),
    inTransaction: refuse,
    on: {},
    addresses: { returnUrls: refuse, statusUrl: refuse },
  };
}
