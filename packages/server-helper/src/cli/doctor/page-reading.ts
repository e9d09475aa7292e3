export interface WrittenElement {
  readonly name: string;
  /** By their names in lower case, as HTML reads them. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Elements whose content is text, in which a tag is none. */
const ofText: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

/** The characters of addresses and policies that templates write by name. */
const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
};
const CHARACTER = /&(?:amp|apos|#39|#x27);/g;

/** A comment, or a start tag: its name, and its attributes up to the first ">" outside of quotes. */
const TAG = /<!--(?:-?>|[^]*?(?:-->|$))|<([a-z][\w-]*)((?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*)/gi;
const ATTRIBUTE = /([^\s/][^\s/=]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|(\S*)))?/g;

/** The start tags of a page, in their order; comments and the texts of scripts hold none. */
export function elementsOf(html: string): readonly WrittenElement[] {
  const found: WrittenElement[] = [];
  const lower = html.toLowerCase();
  const tags = new RegExp(TAG);
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    const name = tag[1]?.toLowerCase();
    if (name === undefined) continue;
    found.push({ name, attributes: attributesOf(tag[2] ?? '') });
    if (!ofText.has(name)) continue;
    const end = lower.indexOf(`</${name}`, tags.lastIndex);
    tags.lastIndex = end < 0 ? html.length : end;
  }
  return found;
}

/** The first of equal names counts. */
function attributesOf(text: string): ReadonlyMap<string, string> {
  const written = [...text.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => {
    const value = values.find((one) => one !== undefined) ?? '';
    const read = value.replaceAll(CHARACTER, (character) => characters[character] ?? character);
    return [name.toLowerCase(), read] as const;
  });
  return new Map(written.toReversed());
}

/** The directives that decide on a kind of address; the first one that a policy has counts. */
const directives = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
  form: ['form-action'],
} as const;

/** What to write where `default-src` decided, which is about more than the address. */
const ownDirective = { script: 'script-src', connect: 'connect-src', form: 'form-action' } as const;

/** A Content-Security-Policy: sources by directive. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** The policies of a page: of its header, which may hold several, and of its own tags. */
export function policiesOf(
  header: string | null,
  elements: readonly WrittenElement[],
): readonly Policy[] {
  const tags = elements
    .filter(({ name, attributes }) => {
      const kind = attributes.get('http-equiv')?.toLowerCase();
      return name === 'meta' && kind === 'content-security-policy';
    })
    .map(({ attributes }) => attributes.get('content') ?? '');
  return [...(header ?? '').split(','), ...tags].map(policyOf);
}

function policyOf(text: string): Policy {
  const all = text
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
    .map(([name = '', ...sources]) => [name.toLowerCase(), sources] as const);
  return new Map(all.toReversed());
}

/** The directive that would have to admit an address; `undefined` where none keeps it from the page. */
export function blockedBy(
  policies: readonly Policy[],
  kind: keyof typeof directives,
  url: URL,
  page: URL,
  nonce = '',
): string | undefined {
  for (const policy of policies) {
    const directive = directives[kind].find((name) => policy.has(name));
    const sources = directive === undefined ? [] : (policy.get(directive) ?? []);
    const isTrusted = sources.some((source) => isByNonce(source, nonce));
    const isListed = !sources.includes("'strict-dynamic'") && admits(sources, url, page);
    if (directive === undefined || isTrusted || isListed) continue;
    return directive === 'default-src' ? ownDirective[kind] : directive;
  }
  return undefined;
}

/** A script may be admitted by its nonce or by a digest, which is not computed here. */
const isByNonce = (source: string, nonce: string): boolean =>
  source === `'nonce-${nonce}'` || source.startsWith("'sha");

const admits = (sources: readonly string[], url: URL, page: URL): boolean =>
  sources.some((source) => {
    if (source === '*') return true;
    if (source === "'self'") return url.origin === page.origin;
    return source.endsWith(':')
      ? isProtocol(source.toLowerCase(), url)
      : isOfHost(source, url, page);
  });

/** Who admits http admits https. */
const isProtocol = (wanted: string, { protocol }: URL): boolean =>
  protocol === wanted || (wanted === 'http:' && protocol === 'https:');

function isOfHost(source: string, url: URL, page: URL): boolean {
  const isAnyHost = source.includes('*.');
  const isAnyPort = /:\*(?:\/|$)/.test(source);
  const plain = source.replace('*.', '').replace(':*', '');
  const wanted = URL.parse(/^https?:\/\//i.test(plain) ? plain : `${page.protocol}//${plain}`);
  if (wanted === null) return false;
  const isHost = isAnyHost
    ? url.hostname.endsWith(`.${wanted.hostname}`)
    : url.hostname === wanted.hostname;
  const isPort = isAnyPort || url.port === wanted.port;
  return isHost && isPort && isProtocol(wanted.protocol, url) && isBelow(wanted.pathname, url);
}

/** A path that ends in a slash admits what is below it, another one itself alone. */
const isBelow = (path: string, { pathname }: URL): boolean =>
  path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
