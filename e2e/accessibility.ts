import axe from 'axe-core';
import { expect, type Page } from '@playwright/test';

/** Expects that axe finds nothing against the open page, the elements' shadow trees included. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the browser's own debugger, so the page's strict content policy stays as it is.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const results = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' | ')}`,
    );
  });
  expect(violations, page.url()).toEqual([]);
}
