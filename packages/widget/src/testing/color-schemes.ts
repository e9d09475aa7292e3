import { emulateMedia, emulatesMedia } from './emulate-media.ts';

export type ColorScheme = 'light' | 'dark' | 'forced';

/** The schemes that this browser can show. */
export const colorSchemes: readonly ColorScheme[] = emulatesMedia
  ? ['light', 'dark', 'forced']
  : ['light', 'dark'];

/** Shows the page as the browser does under a scheme; `light` is how every test finds it. */
export async function showIn(scheme: ColorScheme): Promise<void> {
  if (emulatesMedia) {
    await emulateMedia('forced-colors', scheme === 'forced' ? 'active' : 'none');
  }
  document.documentElement.style.colorScheme = scheme === 'dark' ? 'dark' : 'light';
  // A colour that axe can read: it takes a page without one for white.
  document.body.style.background = scheme === 'dark' ? '#121212' : 'Canvas';
}
