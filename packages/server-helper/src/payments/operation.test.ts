import { expect, it } from 'vitest';
import { periodOperationId, requestOperationId } from './record.ts';

it('an operation is known by its key, and a recurring charge by its order and period', () => {
  expect(requestOperationId('r-77')).toBe('request/r-77');
  expect(periodOperationId('1001', '2026-11')).toBe('period/1001/2026-11');
});
