import { expect } from '@open-wc/testing';

/** Fails with axe's findings, if it has any. */
export async function expectAccessible(element: Element): Promise<void> {
  await expect(element).to.be.accessible();
}
