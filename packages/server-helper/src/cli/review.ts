import { guideAddress } from '../errors.ts';
import type { ReviewEntry } from '../index.ts';
import { findEntry, type FlowContext, isOutdated, loadPayment, reviewVerbs } from '../parts.ts';
import { plain } from '../text.ts';
import {
  type Command,
  done,
  type ExitCode,
  filledOf,
  type Invocation,
  isConfirmed,
  textOf,
  UsageError,
  wholeOf,
} from './command.ts';
import { withPayments, withStore } from './shop.ts';
import { minuteOf, type Terminal } from './terminal.ts';

export const review: Command = async (invocation) => {
  const [what = '', id, ...others] = invocation.words;
  if (what === 'list' && id === undefined) return list(invocation);
  const act = Object.hasOwn(acts, what) && others.length === 0 ? acts[what] : undefined;
  if (act !== undefined && id !== undefined) return act(invocation, id);
  throw new UsageError('Say list, accept ID, resolve ID or redeliver EVENT.');
};

const acts: Readonly<Record<string, (invocation: Invocation, id: string) => Promise<ExitCode>>> = {
  /** The shop's own code is asked for the price, and works in the commit. */
  accept: (invocation, id) => {
    const why = readWhy(invocation);
    return withPayments(invocation, async (payments) => {
      const question = `Accept the money of ${id}? The order is then paid, and shipped.`;
      if (!(await isConfirmed(invocation, question))) return 1;
      await payments.review.accept(id, why, { by: textOf(invocation.values, 'by') });
      return done(invocation, `Accepted: ${id}`, { accepted: id });
    });
  },
  resolve: (invocation, id) => {
    const why = readWhy(invocation);
    return withStore(invocation, async (context) => {
      const reopen = invocation.values['reopen'] === true;
      await verbsOf(context).resolve(id, why, { by: textOf(invocation.values, 'by'), reopen });
      return done(invocation, `Taken off the list: ${id}`, { resolved: id });
    });
  },
  redeliver: (invocation, id) =>
    withStore(invocation, async (context) => {
      const entry = await findEntry(context, id);
      const record = entry === undefined ? null : await loadPayment(context, entry.orderId);
      if (isOutdated(entry, record) && !(await isConfirmed(invocation, OUTDATED))) return 1;
      await verbsOf(context).redeliver(id, { by: textOf(invocation.values, 'by') });
      const text = `The running shop hands it to its handler again: ${id}`;
      return done(invocation, text, { redelivered: id });
    }),
};

const OUTDATED = 'The money went back in full since, or is in doubt: it may ship unpaid. Go on?';

/** Review verbs but for accept write no event, so that no code of the merchant is missed by them. */
const verbsOf = (context: FlowContext<unknown>) => reviewVerbs((work) => work(context));

const readWhy = ({ values }: Invocation): string =>
  filledOf(values, 'why', 'Say what you found: --why "…". It is stored.');

function list(invocation: Invocation): Promise<ExitCode> {
  const limit = wholeOf(invocation.values, 'limit', 100, 1_000);
  return withStore(invocation, async (context) => {
    const entries = await verbsOf(context).list({ limit });
    if (entries.length > 0 && !invocation.isJson) writeTable(invocation.terminal, entries);
    else done(invocation, 'Nothing is waiting for a person.', entries);
    return entries.length === 0 ? 0 : 1;
  });
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
