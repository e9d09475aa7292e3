import { describe, expect, it } from 'vitest';
import { aRecord, aReview, NOW } from '../../test-support/records.ts';
import type { ReviewItem } from './record.ts';
import { orderOfReview, resolveReview, reviewId } from './reviews.ts';

const LATER = NOW + 1_000;

const matter = (subject: string, resolvedAt: number | null = null): ReviewItem =>
  aReview({ subject, resolvedAt });

const resolve = (
  reviews: readonly ReviewItem[],
  reopens = true,
  state: 'review' | 'paid' = 'review',
) =>
  resolveReview(
    aRecord({ state }, { reviews }),
    { id: '1001/amount_mismatch/t-1', why: 'seen', by: 'Noura', reopens },
    LATER,
  );

describe('a review item', () => {
  it('has an id that names its order', () => {
    expect(reviewId(matter('t-1'))).toBe('1001/amount_mismatch/t-1');
    expect(orderOfReview('1001/amount_mismatch/t-1')).toBe('1001');
    expect(orderOfReview('')).toBe('');
  });

  it('is resolved once, with what the person wrote', () => {
    expect(resolve([matter('t-1')], false)).toMatchObject({
      payment: { state: 'review' },
      reviews: [{ subject: 't-1', resolvedAt: LATER, resolution: 'seen' }],
    });
    expect(resolve([matter('t-1', NOW)], false)).toBeNull();
    expect(resolve([matter('t-2')])).toBeNull();
  });

  it('opens its order again when it was the last and the person wants it', () => {
    expect(resolve([matter('t-1')])?.payment.state).toBe('failed');
    expect(resolve([matter('t-1'), matter('t-2')])?.payment.state).toBe('review');
    expect(resolve([matter('t-1'), matter('t-2', NOW)])?.payment.state).toBe('failed');
  });

  it('that is resolved can be resolved again to reopen an order that nothing else stops', () => {
    const again = {
      payment: { state: 'failed' },
      reviews: [{ subject: 't-1', resolution: 'seen' }],
    };
    expect(resolve([matter('t-1', NOW)])).toMatchObject(again);
    expect(resolve([matter('t-1', NOW), matter('t-2')])).toBeNull();
    expect(resolve([matter('t-1', NOW)], true, 'paid')).toBeNull();
  });

  it('of a paid order leaves it paid', () => {
    expect(resolve([matter('t-1')], true, 'paid')?.payment.state).toBe('paid');
  });
});
