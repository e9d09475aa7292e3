/** The texts of this page, for browsers that refuse sessionStorage. */
const pageMemory = new Map<string, string>();

/** A text that this tab has stored, in this page or before a reload. */
export function recall(name: string): string | null | undefined {
  try {
    return pageMemory.get(name) ?? sessionStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** Stores a text for this tab. It survives reload and Back, unless the browser refuses storage. */
export function remember(name: string, text: string): void {
  pageMemory.set(name, text);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // The text lives as long as the page.
  }
}
