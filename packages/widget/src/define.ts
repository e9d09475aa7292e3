/**
 * Registers an element once. A name that is taken is left alone, so a second copy of the script is
 * harmless; under another name a subclass is registered, since a registry takes a class only once.
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
