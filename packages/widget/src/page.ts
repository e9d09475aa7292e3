/** The relation of an element to its page: its place, its name, its language and its children. */

/** The window's event that asks elements to render again in new texts or another language. */
export const labelsChanged = 'pay-labels';

// A shop may change the language of its page without a load.
if (globalThis.document) {
  new MutationObserver(() => dispatchEvent(new Event(labelsChanged))).observe(
    document.documentElement,
    { attributeFilter: ['lang'] },
  );
}

/** Empties the shadow root that a server rendered, unless Lit's hydration is there to take it over. */
export function clearServedRoot({ shadowRoot }: Element): void {
  if (!('litElementHydrateSupport' in globalThis)) shadowRoot?.replaceChildren();
}

/**
 * Registers an element once. A name that is taken stays as it is, so a second copy of the script is
 * harmless. A registry takes a class only once, so another name gets a subclass.
 */
export function defineOnce(
  constructor: CustomElementConstructor,
  usualTag: string,
  tag: string = usualTag,
  registry: CustomElementRegistry | undefined = globalThis.customElements,
): void {
  if (!registry || registry.get(tag)) return;
  registry.define(tag, tag === usualTag ? constructor : class extends constructor {});
}

/** The language of an element: its own attribute, else the nearest `lang` around it, else English. */
export function localeOf(element: Element & { readonly locale: string }): string {
  return element.locale || langAround(element) || 'en';
}

/** Searches outside of shadow roots too: the page's `lang` counts for its components. */
function langAround(element: Element | undefined): string | undefined {
  if (!element) return undefined;
  const around = element.closest<HTMLElement>('[lang]');
  return around ? around.lang : langAround((element.getRootNode() as Partial<ShadowRoot>).host);
}

/** Moves a form out of the slot of the label. Returns whether that slot then has a text. */
export function sortChildren(element: Element): boolean {
  let hasText = false;
  for (const node of element.childNodes) {
    if (node instanceof Element) {
      if (!node.slot && node.matches('form, :has(form)')) node.slot = 'form';
      hasText ||= !node.slot;
    } else if (node instanceof Text && node.data.trim()) hasText = true;
  }
  return hasText;
}
