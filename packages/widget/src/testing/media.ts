import { emulateMedia } from './emulate-media.ts';

export const colorSchemes = ['light', 'dark', 'forced'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** Shows the page as the browser does under a scheme; `light` is how every test finds it. */
export async function showIn(scheme: ColorScheme): Promise<void> {
  await emulateMedia('forced-colors', scheme === 'forced' ? 'active' : 'none');
  document.documentElement.style.colorScheme = scheme === 'dark' ? 'dark' : 'light';
  // A colour that axe can read: it takes a page without one for white.
  document.body.style.background = scheme === 'dark' ? '#121212' : 'Canvas';
}
