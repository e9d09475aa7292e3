import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { vscodeCssData, vscodeHtmlData, webTypes } from '../build/editor-data.ts';
import { createManifest, type ElementDescription, elementsOf } from '../build/manifest.ts';
import { PayButton } from './pay-button.ts';
import { PayStatus } from './pay-status.ts';

const classes = { 'pay-button': PayButton, 'pay-status': PayStatus } as const;
type Tag = keyof typeof classes;
const tags = Object.keys(classes) as Tag[];

/** The files in which an element's events are dispatched. */
const dispatchers = { 'pay-button': 'checkout-controller', 'pay-status': 'status-poller' } as const;

/** The files besides the element's own that have parts of its template. */
const moreTemplates = { 'pay-button': ['line-below'], 'pay-status': [] } as const;

const elements = elementsOf(await createManifest());

function described(tag: Tag): ElementDescription {
  const element = elements.find(({ tagName }) => tagName === tag);
  if (!element) throw new Error(`${tag} is not described.`);
  return element;
}

function source(name: string): Promise<string> {
  return readFile(new URL(`${name}.ts`, import.meta.url), 'utf8');
}

/** What a pattern finds, each once and sorted. */
function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted();
}

function names(list: readonly { readonly name: string }[] = []): string[] {
  return list.map(({ name }) => name).toSorted();
}

describe.for(tags)('custom-elements.json on <%s>', (tag) => {
  it('has the attributes that the element observes, and their properties', () => {
    const { attributes, members } = described(tag);
    expect(names(attributes)).toEqual(classes[tag].observedAttributes.toSorted());
    for (const { name, fieldName } of attributes) {
      const options = classes[tag].elementProperties.get(fieldName);
      expect(options?.attribute ?? fieldName.toLowerCase(), name).toBe(name);
    }
    const fields = members.filter((member) => member.kind === 'field' && !member.static);
    const properties = [...classes[tag].elementProperties.keys()].map(String);
    expect(names(fields)).toEqual([...properties, 'state'].toSorted());
  });

  it('has the defaults that the element starts with', () => {
    const element = new classes[tag]() as unknown as Readonly<Record<string, unknown>>;
    for (const { fieldName, default: start = '' } of described(tag).attributes) {
      expect(String(element[fieldName]), fieldName).toBe(start.replaceAll("'", ''));
    }
  });

  it('has the events, parts and custom properties of the sources, no more and no less', async () => {
    const element = described(tag);
    const templates = await Promise.all([tag, 'amount', ...moreTemplates[tag]].map(source));
    const styles = await source(`${tag}.styles`);
    const dispatcher = await source(dispatchers[tag]);
    expect(names(element.events)).toEqual(found(dispatcher, /new Pay\w+Event\(\s*'([\w-]+)'/g));
    expect(names(element.cssParts)).toEqual(found(templates.join('\n'), /\spart="([\w-]+)"/g));
    expect(names(element.cssProperties)).toEqual(found(styles, /var\((--pay-[\w-]+)/g));
  });

  it('describes everything that it names', () => {
    const { attributes, events, slots, cssParts, cssProperties, members } = described(tag);
    const things = [attributes, events, slots, cssParts, cssProperties, members].flat();
    for (const { name, description } of things) expect(description, name).toMatch(/\w{3}/);
  });

  it('agrees with the README and the typings of the frameworks', async () => {
    const { attributes, events, cssParts, cssStates } = described(tag);
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const typings = await source('frameworks/attributes');
    const eventMap = await source('events');
    for (const { name, fieldName } of attributes) {
      expect(readme, name).toContain(`\`${name}\``);
      if (name !== fieldName) expect(typings, name).toContain(`'${name}'?:`);
    }
    for (const { name } of events) {
      expect(readme).toContain(`\`${name}\``);
      expect(eventMap).toContain(`'${name}': `);
    }
    for (const { name } of cssParts) expect(readme).toMatch(new RegExp(`\\b${name}\\b`));
    for (const { name } of cssStates ?? []) expect(readme).toContain(`:state(${name})`);
  });
});

it('the data for editors has every tag, attribute, value and custom property', () => {
  const html = JSON.stringify(vscodeHtmlData(elements));
  const css = JSON.stringify(vscodeCssData(elements));
  const jetBrains = JSON.stringify(webTypes(elements, '1.2.3'));
  for (const { tagName, attributes, cssProperties, events } of elements) {
    for (const { name } of [{ name: tagName }, ...attributes]) {
      expect(html).toContain(`"name":"${name}"`);
      expect(jetBrains).toContain(`"name":"${name}"`);
    }
    for (const { name } of cssProperties) expect(css).toContain(`"name":"${name}"`);
    for (const { name } of events) expect(jetBrains).toContain(`"name":"${name}"`);
  }
  expect(html).toContain('"values":[{"name":"primary"},{"name":"outline"},{"name":"plain"}]');
  expect(html).toContain('"valueSet":"v"');
  expect(jetBrains).toContain('"version":"1.2.3"');
});
