import { describe, expect, it } from 'vitest';
import { aRecord, aReview, NOW } from '../../test-support/records.ts';
import { Draft } from './draft.ts';
import type { ReviewItem } from './record.ts';

const LATER = NOW + 1_000;

const draftOf = (...reviews: readonly ReviewItem[]) => new Draft(aRecord({}, { reviews }), LATER);

describe('a draft of a change', () => {
  it('is nothing until something changes, and whatever changes is something', () => {
    expect(draftOf().finish()).toBeNull();
    const draft = draftOf();
    draft.enter({ cancelled: true });
    expect(draft.finish()).toMatchObject({ payment: { cancelled: true, version: 3 } });
    const unknown = draftOf();
    unknown.putAttempt(9, { state: 'lost' });
    expect(unknown.finish()).toBeNull();
  });

  it('asks about a matter once, by its subject and its reason', () => {
    const draft = draftOf(aReview());
    expect(draft.askForReview('t-1', 'amount_mismatch')).toBe(false);
    expect(draft.askForReview('t-1', 'order_mismatch')).toBe(true);
    expect(draft.askForReview('t-2', 'amount_mismatch')).toBe(true);
    expect(draft.askForReview('t-2', 'amount_mismatch')).toBe(false);
    expect(draft.finish()?.reviews).toMatchObject([
      { reason: 'order_mismatch', subject: 't-1' },
      { reason: 'amount_mismatch', subject: 't-2' },
    ]);
  });

  it('asks again about a matter that evidence had ended, and not about one that a person had', () => {
    const createdAt = NOW - 1_000;
    const ended = { createdAt, resolvedAt: NOW, resolution: 'evidence' };
    const draft = draftOf(
      aReview(ended),
      aReview({ ...ended, subject: 't-2', resolution: 'called the bank' }),
    );
    expect(draft.askForReview('t-1', 'amount_mismatch')).toBe(true);
    expect(draft.askForReview('t-1', 'amount_mismatch')).toBe(false);
    expect(draft.askForReview('t-2', 'amount_mismatch')).toBe(false);
    expect(draft.finish()?.reviews).toEqual([aReview({ createdAt })]);
  });

  it('resolves a matter once, and no other', () => {
    const draft = draftOf(aReview({ subject: 't-0' }), aReview(), aReview({ reason: 'paid_late' }));
    draft.resolveReview('amount_mismatch', 't-9', 'seen');
    draft.resolveReview('amount_mismatch', 't-1', 'seen');
    draft.resolveReview('amount_mismatch', 't-1', 'again');
    expect(draft.finish()?.reviews).toEqual([aReview({ resolvedAt: LATER, resolution: 'seen' })]);
    const over = draftOf(aReview({ resolvedAt: NOW, resolution: 'seen' }));
    over.resolveReview('amount_mismatch', 't-1', 'again');
    expect(over.finish()).toBeNull();
  });
});
