/** A start tag of the page. */
export interface WrittenElement {
  readonly name: string;
  /** By their names in lower case, as HTML reads them. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Elements whose content is text, in which a tag is none. */
const ofText: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

const NAME = /^[a-z][\w-]*/i;
/** The characters of addresses and policies that templates write by name. */
const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
};
const CHARACTER = /&(?:amp|apos|#39|#x27);/g;
const SPACE = /[\s/]/;
const END_OF_NAME = /[\s/=]/;

/** The start tags of a page, in their order; comments and the texts of scripts hold none. */
export function elementsOf(html: string): readonly WrittenElement[] {
  const found: WrittenElement[] = [];
  const lower = html.toLowerCase();
  const after = (text: string, from: number): number => {
    const at = lower.indexOf(text, from);
    return at < 0 ? html.length : at + text.length;
  };
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = after('-->', at);
      continue;
    }
    const name = NAME.exec(lower.slice(at + 1, at + 41))?.[0] ?? '';
    at += 1 + name.length;
    if (name === '') continue;
    const end = endOfTag(html, at);
    found.push({ name, attributes: attributesOf(html.slice(at, end)) });
    at = ofText.has(name) ? after(`</${name}`, end) : end;
  }
  return found;
}

function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const sign = html.charAt(at);
    if (quote === '' && sign === '>') return at;
    if (quote === sign) quote = '';
    else if (quote === '' && /["']/.test(sign)) quote = sign;
  }
  return html.length;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const takeWhile = (isPart: (sign: string) => boolean): string => {
    const from = at;
    while (at < text.length && isPart(text.charAt(at))) at++;
    return text.slice(from, at);
  };
  const takeValue = (): string => {
    const quote = text.charAt(at);
    if (quote !== '"' && quote !== "'") return takeWhile((sign) => !/\s/.test(sign));
    at++;
    const value = takeWhile((sign) => sign !== quote);
    at++;
    return value;
  };
  for (;;) {
    takeWhile((sign) => SPACE.test(sign));
    const from = at;
    const name = takeWhile((sign) => at === from || !END_OF_NAME.test(sign)).toLowerCase();
    if (name === '') return found;
    takeWhile((sign) => /\s/.test(sign));
    let value = '';
    if (text.charAt(at) === '=') {
      at++;
      takeWhile((sign) => /\s/.test(sign));
      value = takeValue().replaceAll(CHARACTER, (written) => characters[written] ?? written);
    }
    // The first of equal names counts.
    if (!found.has(name)) found.set(name, value);
  }
}
