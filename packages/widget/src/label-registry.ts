/** What the texts of every element say about themselves. */
export interface Labels {
  /** BCP 47 tag, in lower case. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

/** The texts of one element in every language it knows. */
export interface LabelRegistry<T> {
  /** Adds a language, or changes some texts of a known one; what is left out is English. */
  register(locale: string, labels: Partial<T>): void;
  /** The texts for a locale: its own, else its language's, else English. */
  find(locale: string): T;
}

/** The window's event that tells elements to show new texts. */
export const labelsChanged = 'pay-labels';

/** Makes a registry that knows the two languages of the house. */
export function labelRegistry<T extends Labels>(en: T, ar: T): LabelRegistry<T> {
  const known = new Map([
    ['en', en],
    ['ar', ar],
  ]);
  const find = (locale: string): T => {
    const tag = locale.toLowerCase();
    return known.get(tag) ?? known.get(tag.replace(/-.*/, '')) ?? en;
  };
  return {
    find,
    register(locale, labels) {
      const language = locale.toLowerCase();
      known.set(language, { ...en, ...known.get(language), ...labels, language });
      if (globalThis.window) dispatchEvent(new Event(labelsChanged));
    },
  };
}

/** The language an element speaks: its own attribute, else the nearest `lang` around it. */
export function localeOf(element: Element & { readonly locale: string }): string {
  return element.locale || langAround(element) || 'en';
}

/** Looks out of shadow roots too: a page's `lang` counts for what its components hold. */
function langAround(element: Element | undefined): string | undefined {
  if (!element) return undefined;
  const around = element.closest<HTMLElement>('[lang]');
  return around ? around.lang : langAround((element.getRootNode() as Partial<ShadowRoot>).host);
}

// A shop may change its language without a load.
if (globalThis.document) {
  new MutationObserver(() => dispatchEvent(new Event(labelsChanged))).observe(
    document.documentElement,
    { attributeFilter: ['lang'] },
  );
}
