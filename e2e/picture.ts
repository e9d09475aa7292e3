import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));

/**
 * Takes a picture of what a shopper sees for the README, only when `UPDATE_SCREENSHOTS=1`: an
 * ordinary run leaves no file changed.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled' });
}
