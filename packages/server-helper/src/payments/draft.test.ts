import { expect, it } from 'vitest';
import { aRecord, aReview, NOW } from '../../test-support/records.ts';
import { Draft } from './draft.ts';
import type { ReviewItem } from './record.ts';

const draftOf = (...reviews: readonly ReviewItem[]) => new Draft(aRecord({}, { reviews }), NOW + 1);

it('a draft is a change once anything of the payment changes', () => {
  const draft = draftOf();
  expect(draft.finish()).toBeNull();
  draft.enter({ cancelled: true });
  expect(draft.finish()).toMatchObject({ payment: { cancelled: true, version: 3 } });
});

it('a review that is asked for again keeps its age, and is resolved once', () => {
  const ended = aReview({ createdAt: NOW - 1, resolvedAt: NOW, resolution: 'evidence' });
  const draft = draftOf(ended);
  draft.resolveReview('amount_mismatch', 't-1', 'seen');
  expect(draft.finish()).toBeNull();
  expect(draft.askForReview('t-1', 'amount_mismatch')).toBe(true);
  expect(draft.finish()?.reviews).toEqual([aReview({ createdAt: NOW - 1 })]);
});
