import { expect, it } from 'vitest';
import { periodIntentId, requestIntentId } from './intent.ts';

it('an operation is known by its key, and a recurring charge by its order and period', () => {
  expect(requestIntentId('r-77')).toBe('request/r-77');
  expect(periodIntentId('1001', '2026-11')).toBe('period/1001/2026-11');
});
