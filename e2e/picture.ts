import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Where a picture of the documents is kept. */
export function pictureFile(name: string): string {
  return `${FOLDER}${name}`;
}

/** What a picture shows beside the page. */
export interface PictureOptions {
  /** Whether the testers' tools are in it. @defaultValue `false` */
  readonly withTools?: boolean;
}

/**
 * Takes a picture of what a shopper sees for the documents, only when `UPDATE_SCREENSHOTS=1`: an
 * ordinary run leaves no file changed.
 */
export async function takePicture(
  page: Page,
  name: string,
  { withTools = false }: PictureOptions = {},
): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  await mkdir(FOLDER, { recursive: true });
  await showTools(page, withTools);
  await page.screenshot({ path: pictureFile(`${name}.png`), animations: 'disabled' });
  await showTools(page, true);
}

/** A style of Playwright's own would break the page's content policy, so the tools are hidden. */
async function showTools(page: Page, areShown: boolean): Promise<void> {
  await page.locator('.qa').evaluateAll((tools, hidden) => {
    for (const one of tools) if (one instanceof HTMLElement) one.hidden = hidden;
  }, !areShown);
}
