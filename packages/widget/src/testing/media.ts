import { cdp } from 'vitest/browser';

/** The part of Chromium's own protocol that the tests use. */
interface Protocol {
  send(method: string, parameters: object): Promise<unknown>;
}

/** Makes the browser report a wish of the shopper, as `@media (name: value)` sees it. */
export async function emulateMedia(name: string, value: string): Promise<void> {
  const features = [{ name, value }];
  await (cdp() as Protocol).send('Emulation.setEmulatedMedia', { features });
}

export type ColorScheme = 'light' | 'dark' | 'forced';

/** Shows the page as the browser does under a scheme. Every test starts with `light`. */
export async function showIn(scheme: ColorScheme): Promise<void> {
  await emulateMedia('forced-colors', scheme === 'forced' ? 'active' : 'none');
  document.documentElement.style.colorScheme = scheme === 'dark' ? 'dark' : 'light';
  // axe takes a page without a background for white.
  document.body.style.background = scheme === 'dark' ? '#121212' : 'Canvas';
}
