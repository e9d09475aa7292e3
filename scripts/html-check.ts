const voids = new Set(
  'br circle hr image img input line link meta path polygon polyline rect use'.split(' '),
);

/** What a paragraph may hold, and what may stand in a term, a badge or a link. */
const phrasing = new Set(
  'a b bdi br button code details i img input label path select option small span strong svg symbol time use'.split(
    ' ',
  ),
);
const holdsPhrasingOnly = new Set([
  'p',
  'span',
  'bdi',
  'code',
  'strong',
  'label',
  'h1',
  'h2',
  'h3',
  'button',
]);

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const TAG = /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-zA-Z:-]+(?:="[^"]*")?)*)\s*(\/?)>/g;

/** What is wrong with a page’s HTML, as short lines: tags, nesting, attributes, ids and entities. */
export function htmlFindings(page: string): readonly string[] {
  const findings: string[] = [];
  const open: Tag[] = [];
  const ids: string[] = [];
  const wanted: string[] = [];
  let end = 0;
  const body = page.replace(/^<!doctype html>/, '');
  for (const match of body.matchAll(TAG)) {
    const text = body.slice(end, match.index);
    end = match.index + match[0].length;
    if (/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) findings.push(`text: ${text.trim()}`);
    const [, slash, name = '', rest = '', selfClosed] = match;
    if (slash === '/') {
      const last = open.pop();
      if (last?.name !== name) findings.push(`</${name}> closes <${last?.name ?? 'nothing'}>`);
      continue;
    }
    const attributes = readAttributes(rest, findings);
    const parent = open.at(-1)?.name ?? '';
    if (holdsPhrasingOnly.has(parent) && !phrasing.has(name))
      findings.push(`<${name}> in <${parent}>`);
    ids.push(...(attributes.has('id') ? [attributes.get('id') ?? ''] : []));
    for (const reference of ['for', 'form', 'aria-labelledby', 'aria-describedby']) {
      const target = attributes.get(reference);
      if (target !== undefined) wanted.push(...target.split(/\s+/));
    }
    if (!voids.has(name)) open.push({ name, attributes });
    else if (selfClosed !== '/') findings.push(`<${name}> is not closed`);
  }
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...findings,
    ...open.map(({ name }) => `<${name}> is open at the end`),
    ...doubled.map((id) => `two ids ${id}`),
    ...wanted.filter((id) => !ids.includes(id)).map((id) => `no id ${id}`),
  ];
}

function readAttributes(text: string, findings: string[]): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/\s+([a-zA-Z:-]+)(?:="([^"]*)")?/g)) {
    if (/^(?:style|on)/.test(name)) findings.push(`an attribute that the policy forbids: ${name}`);
    if (attributes.has(name)) findings.push(`two attributes ${name}`);
    if (/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(value)) findings.push(`${name}: ${value}`);
    attributes.set(name, value);
  }
  return attributes;
}
