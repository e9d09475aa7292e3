import type { ElementDescription, Named } from './manifest.ts';

/** The allowed words of an attribute, from its type: `'self' | 'top'`. */
export function wordsOf({ type }: Named): readonly string[] {
  return [...(type?.text ?? '').matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
}

/** For VS Code's `html.customData`: tags, attributes and their values. */
export function vscodeHtmlData(elements: readonly ElementDescription[]): object {
  const attribute = (given: Named) => ({
    name: given.name,
    description: given.description,
    ...(given.type?.text === 'boolean' ? { valueSet: 'v' } : {}),
    ...(wordsOf(given).length > 0 ? { values: wordsOf(given).map((name) => ({ name })) } : {}),
  });
  return {
    version: 1.1,
    tags: elements.map(({ tagName, description, attributes }) => ({
      name: tagName,
      description,
      attributes: attributes.map(attribute),
    })),
  };
}

/** For VS Code's `css.customData`: the custom properties. */
export function vscodeCssData(elements: readonly ElementDescription[]): object {
  const properties = elements.flatMap(({ cssProperties }) => cssProperties);
  return {
    version: 1.1,
    properties: properties.map(({ name, description }) => ({ name, description })),
  };
}

/** For JetBrains editors, which read the package's `web-types`. */
export function webTypes(elements: readonly ElementDescription[], version: string): object {
  const named = ({ name, description }: Named) => ({ name, description });
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name: '@pay-button/widget',
    version,
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: elements.map((element) => ({
          ...named({ ...element, name: element.tagName }),
          attributes: element.attributes.map((attribute) => ({
            ...named(attribute),
            ...(attribute.default === undefined ? {} : { default: attribute.default }),
            value: { type: attribute.type?.text },
          })),
          slots: element.slots.map(named),
          js: {
            properties: element.members.filter(({ kind }) => kind === 'field').map(named),
            events: element.events.map(named),
          },
          css: {
            properties: element.cssProperties.map(named),
            parts: element.cssParts.map(named),
          },
        })),
      },
    },
  };
}
