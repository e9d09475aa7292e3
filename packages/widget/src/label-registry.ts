import { labelsChanged } from './page.ts';

/** The common part of every element's texts. */
export interface Labels {
  /** BCP 47 tag, in lower case. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

/** The texts of one element, by language. */
export class LabelRegistry<T extends Labels> {
  readonly #english: T;
  readonly #known: Map<string, T>;

  constructor(english: T, arabic: T) {
    this.#english = english;
    this.#known = new Map([
      ['en', english],
      ['ar', arabic],
    ]);
  }

  /** Adds a language, or changes some texts of a known one. A missing text is English. */
  register(locale: string, labels: Partial<T>): void {
    const language = locale.toLowerCase();
    this.#known.set(language, { ...this.find(language), ...labels, language });
    if (globalThis.window) dispatchEvent(new Event(labelsChanged));
  }

  /** The texts for a locale: its own, else those of its language, else English. */
  find(locale: string): T {
    const tag = locale.toLowerCase();
    return this.#known.get(tag) ?? this.#known.get(tag.replace(/-.*/, '')) ?? this.#english;
  }
}
