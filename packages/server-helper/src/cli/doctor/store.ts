import { storeName, type ShopSettings } from '../shop-settings.ts';
import { readStoreState, storeFinding, type StoreState } from '../shop-store.ts';
import { type Check, type CheckResult, fine, helpOf, notChecked } from './check.ts';
import { helpAddress, nameOf } from '../../errors.ts';
import type { Backlog } from '../../stores/store.ts';
import { storeFromUrl } from '../../payments-from-env.ts';

const DRIFT_MS = 5_000;

/** Whether the store can be read, is of this release, and is this shop's; and its clock. */
export const checkStore: Check = {
  id: 'store',
  title: 'Store',
  needs: ['database'],
  async run({ settings }) {
    const name = storeName(settings);
    const state = await stateOf(settings);
    if (state.kind !== 'ready') return [{ status: 'wrong', ...storeFinding(state, name) }];
    const { clockOffsetMs } = state;
    const results: CheckResult[] = [fine(`${name} can be read, and has all tables`)];
    if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > DRIFT_MS) {
      results.push({
        status: 'odd',
        code: 'clock_skew',
        what: `The database’s clock and this machine’s are ${Math.round(Math.abs(clockOffsetMs) / 1_000)} s apart.`,
        why: 'The kit goes by the database’s clock, but your logs do not.',
        fix: 'Let both keep time by NTP.',
        help: helpOf('clock'),
      });
    }
    return results;
  },
};

/** The state of the store; that of the shop's own code may throw. */
async function stateOf(settings: ShopSettings): Promise<StoreState> {
  try {
    return await readStoreState(settings);
  } catch (error) {
    return { kind: 'unreachable', reason: nameOf(error) };
  }
}

/** What waits for a person. */
export const checkReview: Check = {
  id: 'review',
  title: 'Review list',
  needs: ['database'],
  run: ({ settings }) =>
    judgeBacklog(settings, 'review', ({ openReviews, deadLetters }) =>
      openReviews + deadLetters === 0
        ? fine('nothing waits for a person')
        : {
            status: 'odd',
            code: 'review_waiting',
            what: `${openReviews} reviews and ${deadLetters} dead letters wait for a person.`,
            why: 'Each is money that needs a decision, or an event that your code did not handle.',
            fix: 'Run npx pay-button review list.',
            help: helpOf('the-review-list'),
          },
    ),
};

/** Later than cron is, with a pause for a deployment. */
const LATE_MS = 15 * 60_000;

/** Whether a process does the background work. */
export const checkBackground: Check = {
  id: 'background',
  title: 'Background work',
  needs: ['database'],
  run: ({ settings }) =>
    judgeBacklog(settings, 'background', ({ oldestDueAt, oldestUndeliveredAt }) => {
      const oldestAt = Math.min(oldestDueAt ?? Infinity, oldestUndeliveredAt ?? Infinity);
      const lateMs = Date.now() - oldestAt;
      if (lateMs <= LATE_MS) return fine('no status check and no event waits for long');
      return {
        status: 'odd',
        code: 'events_overdue',
        what: `A status check or an event waits for ${Math.floor(lateMs / 60_000)} minutes.`,
        why: 'No process does the background work: payments are found late, and handlers are not called.',
        fix: 'Call payments.start() in one process at least, or payments.tick() every minute from cron.',
        help: helpAddress('events_overdue'),
      };
    }),
};

/** Reads how much waits in the shop's store, and judges it. */
async function judgeBacklog(
  settings: ShopSettings,
  place: string,
  judge: (backlog: Backlog) => CheckResult,
): Promise<readonly CheckResult[]> {
  const unchecked = (why: string): readonly CheckResult[] => [
    notChecked(place, why, 'Mend the store first.'),
  ];
  if ((await stateOf(settings)).kind !== 'ready') {
    return unchecked('The store cannot be used as it is.');
  }
  const store = settings.store ?? storeFromUrl(settings.databaseUrl);
  try {
    await store.open(settings.scope);
    return [judge(await store.health.backlog(Date.now(), settings.handled))];
  } catch (error) {
    return unchecked(`The store cannot be read (${nameOf(error)}).`);
  } finally {
    await store.close();
  }
}
