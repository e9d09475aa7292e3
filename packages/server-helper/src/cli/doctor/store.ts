import { databaseName } from '../shop-settings.ts';
import { readStoreState, storeFinding } from '../shop-store.ts';
import { type Check, type CheckResult, fine, helpOf } from './check.ts';
import { nameOf } from '../../errors.ts';
import { storeFromUrl } from '../../options/payments-from-env.ts';

const DRIFT_MS = 5_000;

/** Whether the store can be read, is of this release, and is this shop's; and its clock. */
export const checkStore: Check = {
  id: 'store',
  title: 'Store',
  needs: ['database'],
  async run({ settings }) {
    const name = databaseName(settings.databaseUrl);
    const state = await readStoreState(settings.databaseUrl, settings.scope);
    if (state.kind !== 'ready') return [{ status: 'wrong', ...storeFinding(state, name) }];
    const { clockOffsetMs, schema } = state;
    const results: CheckResult[] = [fine(`${name} can be read, all ${schema} migrations are made`)];
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

/** What waits for a person. */
export const checkReview: Check = {
  id: 'review',
  title: 'Review list',
  needs: ['database'],
  async run({ settings }) {
    const { databaseUrl, scope } = settings;
    const unchecked = (why: string) => [
      {
        status: 'unchecked' as const,
        code: 'not_checked',
        what: 'Not checked.',
        why,
        fix: 'Mend the store first.',
        help: helpOf('review'),
      },
    ];
    if ((await readStoreState(databaseUrl, scope)).kind !== 'ready') {
      return unchecked('The store cannot be used as it is.');
    }
    const store = storeFromUrl(databaseUrl);
    try {
      await store.open(scope);
      const { openReviews, deadLetters } = await store.backlog(Date.now(), []);
      if (openReviews + deadLetters === 0) return [fine('nothing waits for a person')];
      return [
        {
          status: 'odd',
          code: 'review_waiting',
          what: `${openReviews} reviews and ${deadLetters} dead letters wait for a person.`,
          why: 'Each is money that needs a decision, or an event that your code did not handle.',
          fix: 'Run pay-button review list.',
          help: helpOf('the-review-list'),
        },
      ];
    } catch (error) {
      return unchecked(`The store cannot be read (${nameOf(error)}).`);
    } finally {
      await store.close();
    }
  },
};
