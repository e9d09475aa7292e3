import { it, expect } from 'vitest';
import { delayMs } from './status-poller.ts';

it('the wait between two questions grows from a second to half a minute, with a fifth of jitter', () => {
  expect(delayMs(0, 0.5)).toBe(1_000);
  expect(delayMs(0, 0)).toBe(800);
  expect(delayMs(0, 1)).toBeCloseTo(1_200);
  expect(delayMs(2, 0.5)).toBe(2_250);
  expect(delayMs(99, 1)).toBeCloseTo(36_000);
});
