import { guideAddress } from '../errors.ts';
import type { ReviewEntry, ReviewVerbs } from '../index.ts';
import { reviewVerbs } from '../parts.ts';
import { plain } from '../text.ts';
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
import { withPayments, withStore } from './shop.ts';
import { minuteOf, type Terminal } from './terminal.ts';

/** `pay-button review list | accept ID | resolve ID | redeliver EVENT` */
export const review: Command = async (invocation) => {
  const [what, ...ids] = invocation.words;
  if (what === 'accept') return accept(invocation, ids);
  const act = actionOf(invocation);
  // Review verbs write no event, so that no code of the merchant is missed here.
  return withStore(invocation, (context) => act(reviewVerbs((work) => work(context))));
};

function actionOf(invocation: Invocation): (verbs: ReviewVerbs) => Promise<ExitCode> {
  const { words, values } = invocation;
  const [what, id, ...others] = words;
  const by = textOf(values, 'by');
  if (what === 'list' && id === undefined) {
    const limit = wholeOf(values, 'limit', 100, 1_000);
    return async (verbs) => list(invocation, await verbs.list({ limit }));
  }
  if (what === 'resolve' && id !== undefined && others.length === 0) {
    const why = readWhy(invocation);
    return async (verbs) => {
      await verbs.resolve(id, why, { by, reopen: values['reopen'] === true });
      return done(invocation, `Taken off the list: ${id}`, { resolved: id });
    };
  }
  if (what === 'redeliver' && id !== undefined && others.length === 0) {
    return async (verbs) => {
      await verbs.redeliver(id, { by });
      const text = `The running shop hands it to its handler again: ${id}`;
      return done(invocation, text, { redelivered: id });
    };
  }
  throw new UsageError('Say list, accept ID, resolve ID or redeliver EVENT.');
}

const readWhy = ({ values }: Invocation): string =>
  filledOf(values, 'why', 'Say what you found: --why "…". It is stored.');

/** Accepts money: the shop's own code is asked for the price, and works in the commit. */
function accept(invocation: Invocation, words: readonly string[]): Promise<ExitCode> {
  const id = onlyWord(words, 'Name one review, as review list shows it: review accept ID.');
  const why = readWhy(invocation);
  return withPayments(invocation, async (payments) => {
    const question = `Accept the money of ${id}? The order is then paid, and shipped.`;
    if (!(await isConfirmed(invocation, question))) return 1;
    await payments.review.accept(id, why, { by: textOf(invocation.values, 'by') });
    return done(invocation, `Accepted: ${id}`, { accepted: id });
  });
}

function list(invocation: Invocation, entries: readonly ReviewEntry[]): ExitCode {
  if (invocation.isJson || entries.length === 0) {
    done(invocation, 'Nothing is waiting for a person.', entries);
  } else writeTable(invocation.terminal, entries);
  return entries.length === 0 ? 0 : 1;
}

function writeTable(terminal: Terminal, entries: readonly ReviewEntry[]): void {
  const rows = entries.map((entry) => [
    minuteOf(entry.createdAt),
    plain(entry.orderId),
    plain(matterOf(entry)),
    plain(entry.id),
  ]);
  terminal.table(['since (UTC)', 'order', 'reason', 'id'], rows);
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
