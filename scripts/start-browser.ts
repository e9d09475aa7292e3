import { type Browser, chromium } from 'playwright';
import { chromiumArguments, findChromium } from './find-chromium.ts';

/** Starts this machine's browser, without a window. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...chromiumArguments],
  });
}
