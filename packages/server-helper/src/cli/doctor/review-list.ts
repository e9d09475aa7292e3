import { nameOf } from '../../errors.ts';
import { storeFromUrl } from '../../options/payments-from-env.ts';
import { readStoreState } from '../store-state.ts';
import { fine, helpOf, type Check } from './check.ts';

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
          what: `${openReviews} matters and ${deadLetters} dead events wait for a person.`,
          why: 'Each is money in doubt, or something that your code was not told.',
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
