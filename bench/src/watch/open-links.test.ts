import { expect, it } from 'vitest';
import { watchLinks } from './open-links.ts';

const noLimit = { checksPerSecond: Infinity, oldChecksPerSecond: Infinity };
const middle = (): number => 0.5;
const never = (): number => 0;

it('without a limit and without chance no check is late, and a link ends a quarter of an hour after its session', () => {
  const watched = watchLinks({ links: 10, openedWithinHours: 1, ...noLimit }, never);
  expect(watched.open).toBe(10);
  expect(Math.max(...watched.youngLate, ...watched.oldLate)).toBeLessThanOrEqual(1.1);
  expect(watched.lastEndsAfterHours).toBeCloseTo(48.25, 2);
});

it('a limit for old links makes their checks late, and no check that a shopper may wait for', () => {
  const limits = { checksPerSecond: 20, oldChecksPerSecond: 1 };
  const watched = watchLinks({ links: 10_000, openedWithinHours: 24, ...limits }, middle);
  expect(watched.checksPerSecond).toBeLessThanOrEqual(2);
  expect(watched.youngLate[1]).toBeLessThanOrEqual(2.2);
  expect(watched.oldLate[1]).toBeGreaterThan(3_600);
});
