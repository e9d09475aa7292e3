/**
 * Takes the place of `@lit/reactive-element/css-tag.js` in the self-contained files. Lit's own also
 * serves browsers without constructable style sheets, which cannot run these files anyway, and
 * class names as values; both weigh more than the styles themselves.
 */
export const supportsAdoptingStyleSheets = true;

export const CSSResult = CSSStyleSheet;

export function unsafeCSS(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** The house's styles hold no values. */
export function css(strings: TemplateStringsArray): CSSStyleSheet {
  return unsafeCSS(strings.join(''));
}

export function getCompatibleStyle(style: CSSStyleSheet): CSSStyleSheet {
  return style;
}

export function adoptStyles(root: ShadowRoot, styles: CSSStyleSheet[]): void {
  root.adoptedStyleSheets = styles;
}
