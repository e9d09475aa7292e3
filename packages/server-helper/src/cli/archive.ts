import { setTimeout as sleep } from 'node:timers/promises';
import { archivePage } from '../flows/store-opening.ts';
import type { Store } from '../stores/store.ts';
import { type Command, type ExitCode, textOf, UsageError } from './command.ts';
import { readShopSettings, requireSettings, storeSettings } from './shop-settings.ts';
import { withStore } from './shop-store.ts';
import type { Terminal } from './terminal.ts';

/** Orders in one transaction: few enough that the shop waits for none of them noticeably. */
const ORDERS_A_PAGE = 200;
const PROGRESS_EVERY_MS = 1_000;

/** `pay-button archive --before DATE` */
export const archive: Command = {
  options: { before: 'text', merchant: 'text' },
  async run(invocation) {
    const { terminal, values, words } = invocation;
    if (words.length > 0) throw new UsageError('It takes no order: say --before DATE.', 'archive');
    const before = readDate(textOf(values, 'before'), Date.now());
    const settings = readShopSettings(invocation, 'archive');
    requireSettings(settings, storeSettings);
    const isJson = values['json'] === true;
    return withStore({ settings, terminal, isJson }, (store) =>
      archiveBefore(store, before, terminal, isJson),
    );
  },
};

/** Reads a day as its first moment in UTC. A day to come would archive what is still going on. */
function readDate(text: string | undefined, now: number): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse takes the 30th of February for the 1st of March.
  if (Number.isNaN(at) || dayOf(at) !== text) {
    throw new UsageError('--before takes a day such as 2025-01-01; it begins in UTC.', 'archive');
  }
  if (at > now) throw new UsageError(`--before takes no day to come: ${text}.`, 'archive');
  return at;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Archives page by page, and rests after each as long as it took, since the shop is at work too. */
async function archiveBefore(
  store: Store<unknown>,
  before: number,
  terminal: Terminal,
  isJson: boolean,
): Promise<ExitCode> {
  let archived = 0;
  let reportedAt = Date.now();
  for (let after: string | null = null; ;) {
    const startedAt = performance.now();
    const page = await archivePage(store, { after, before, limit: ORDERS_A_PAGE });
    archived += page.archived;
    if (page.next === null) break;
    after = page.next;
    if (!isJson && Date.now() - reportedAt >= PROGRESS_EVERY_MS) {
      reportedAt = Date.now();
      terminal.progress(`${archived} archived, at order ${after}`);
    }
    await sleep(performance.now() - startedAt);
  }
  terminal.endProgress();
  if (isJson) terminal.json({ before: new Date(before).toISOString(), archived });
  else {
    const payments = `${archived} payment${archived === 1 ? '' : 's'}`;
    const mark = terminal.paint('green', '✓');
    terminal.line(`${mark} Archived: ${payments} that last changed before ${dayOf(before)} (UTC).`);
  }
  return 0;
}
