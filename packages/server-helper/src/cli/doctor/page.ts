import { decimalOf, money } from '../../money.ts';
import type { Invocation } from '../command.ts';
import type { ShopSettings } from '../shop.ts';
import { type Check, type CheckResult, fine, notChecked, odd, wrong } from './check.ts';
import { ask, isProblem, sendStray } from './running-shop.ts';

const MOST_SCRIPTS = 20;

/** Whether a page with `<pay-button>` gets the script that brings it to life, and lets it work. */
export const checkPage: Check = async ({ page, settings, config }) => {
  if (page === undefined) {
    const fix = 'Name one: --page https://shop.example/checkout/1001';
    return notChecked('Only you know which page holds <pay-button>.', fix);
  }
  const answer = await ask(page);
  if (typeof answer === 'string' || answer.status !== 200) {
    const said = typeof answer === 'string' ? answer : `HTTP ${answer.status}`;
    // Another answer may be meant for a visitor who has not signed in.
    const judge = typeof answer === 'string' ? wrong : odd;
    return unserved('page_not_served', `${page} does not answer with a page (${said}).`, judge);
  }
  const elements = elementsOf(answer.text);
  if (!elements.some(({ name }) => name === 'pay-button' || name === 'pay-status')) {
    const judge = elements.some(({ name }) => name === 'script') ? odd : wrong;
    return unserved('widget_not_on_page', `There is no <pay-button> in the page ${page}.`, judge);
  }
  const policies = policiesOf(answer.headers.get('content-security-policy'), elements);
  const read = { url: new URL(page), elements, policies };
  // An order that cannot be read from here says nothing of its price.
  const prices = await Promise.all(elements.map((one) => judgePrice(one, config).catch(() => [])));
  const own = elements.filter(({ name }) => Object.hasOwn(needed, name));
  const buttons = own.filter(({ name }) => name === 'pay-button');
  const endpoints = await Promise.all(buttons.map((button) => judgeEndpoint(read, button)));
  return [
    await checkScripts(read),
    ...own.flatMap(judgeAttributes),
    ...buttons.flatMap((button) => judgeOrigins(button, settings)),
    ...endpoints.flat(),
    ...own.flatMap(({ name, attributes }) => {
      const address = attributes.get(needed[name]?.[0] ?? '');
      const url = address === undefined ? null : URL.parse(address, page);
      if (url === null) return [];
      return blocked(read, 'connect', url, `<${name}> may not ask ${url.origin}.`);
    }),
    ...judgeForms(read, settings),
    ...prices.flat(),
  ];
};

async function checkScripts(page: ReadPage): Promise<CheckResult> {
  const scripts = page.elements.filter(
    ({ name, attributes }) => name === 'script' && attributes.has('src'),
  );
  const faults: string[] = [];
  for (const { attributes } of scripts.slice(0, MOST_SCRIPTS)) {
    const url = URL.parse(attributes.get('src') ?? '', page.url.href) ?? page.url;
    const answer = await ask(url.href);
    const isScript =
      typeof answer !== 'string' && answer.status === 200 && /javascript/i.test(answer.type);
    if (!isScript) faults.push(url.href);
    else if (/pay-button/.test(answer.text)) {
      const what = `The page’s policy does not admit its script ${url.href}.`;
      const [refusal] = blocked(page, 'script', url, what, attributes.get('nonce'));
      return refusal ?? fine(`${url.href} brings it`);
    }
  }
  return faults.length > 0
    ? unserved('script_not_served', `The page’s script ${faults[0]} is not served as JavaScript.`)
    : unserved('widget_not_loaded', 'No script of the page brings the elements.');
}

const unserved = (code: string, what: string, judge = wrong): CheckResult =>
  judge(code, {
    what,
    why: 'Without the script <pay-button> stays as it is in the page, or shows nothing.',
    fix: 'Serve the widget’s file and put one script tag of type module on the page, as its README shows. A page behind a sign-in, and a button or a bundle that a script brings later, cannot be checked this way.',
  });

interface ReadPage {
  readonly url: URL;
  readonly elements: readonly WrittenElement[];
  readonly policies: readonly Policy[];
}

const dashed = ['order-id', 'full-width', 'allowed-origins', 'timeout-ms'];

/** What each element cannot work without; the first one is an address. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'pay-button': ['endpoint', 'order-id'],
  'pay-status': ['src'],
};

function judgeAttributes({ name, attributes }: WrittenElement): readonly CheckResult[] {
  const misspelt = dashed.filter(
    (one) => !attributes.has(one) && attributes.has(one.replace('-', '')),
  );
  const missing = (needed[name] ?? []).filter(
    (one) => !attributes.has(one) && !misspelt.includes(one),
  );
  return [
    ...misspelt.map((one) =>
      wrong('attribute_misspelt', {
        what: `<${name}> has the attribute ${one.replace('-', '')}, which is none of its own.`,
        why: 'HTML reads names in lower case, so that the element does not see it.',
        fix: `Write ${one}="…".`,
      }),
    ),
    ...missing.map((one) =>
      odd('attribute_missing', {
        what: `<${name}> is in the page without ${one}.`,
        why: 'The element does nothing until it has it.',
        fix: `Write ${one}="…", or pay no heed where a script of the page sets it.`,
      }),
    ),
  ];
}

function judgeOrigins({ attributes }: WrittenElement, { options }: ShopSettings) {
  const { pageOrigins } = options.gateway;
  if (pageOrigins === undefined) return [];
  const given = attributes.get('allowed-origins');
  const fix = `Write allowed-origins="${pageOrigins.join(' ')}".`;
  if (given === undefined) {
    const what = '<pay-button> has no allowed-origins.';
    const why = 'It goes to any https page that the shop’s answer names.';
    return [odd('allowed_origins_missing', { what, why, fix })];
  }
  const listed = new Set(given.split(/\s+/).map((one) => URL.parse(one)?.origin));
  const refused = pageOrigins.filter((origin) => !listed.has(origin));
  if (refused.length === 0) return [];
  const what = `allowed-origins lacks ${refused.join(', ')}, where GATEWAY_PAGE_ORIGINS has hosted pages.`;
  const why = 'The element refuses to send shoppers there (untrusted_redirect).';
  return [wrong('hosted_page_refused', { what, why, fix })];
}

/** Whether a checkout answers at the element's endpoint, and pages of this origin may ask it. */
async function judgeEndpoint({ url }: ReadPage, { attributes }: WrittenElement) {
  const given = attributes.get('endpoint');
  const endpoint = given === undefined ? null : URL.parse(given, url.href);
  if (endpoint === null) return [];
  const answer = await sendStray(endpoint.href, { origin: url.origin });
  if (
    typeof answer === 'string' ||
    !isProblem(answer.json, 'invalid_order', 'too_many_requests', 'cross_site')
  ) {
    const said = typeof answer === 'string' ? answer : `HTTP ${answer.status}`;
    const what = `${endpoint.origin}${endpoint.pathname}, the endpoint of <pay-button>, does not answer as the checkout does (${said}).`;
    const why = 'A press gets no payment link.';
    const fix =
      'Write the checkout’s address as browsers see it, path included, such as "/pay/checkout".';
    return [wrong('endpoint_not_found', { what, why, fix })];
  }
  const isAcross = endpoint.origin !== url.origin;
  const isReadable = answer.headers.get('access-control-allow-origin') === url.origin;
  if (!isProblem(answer.json, 'cross_site') && (!isAcross || isReadable)) return [];
  const what = `The checkout at ${endpoint.origin} refuses pages of ${url.origin}.`;
  const why = 'A browser gives such a page no answer.';
  const fix = `List "${url.origin}" in cors.origins (PAY_CORS_ORIGINS) of the shop; where it is the shop’s own, let PUBLIC_URL begin with it.`;
  return [wrong('origin_not_allowed', { what, why, fix })];
}

/** A price that the page shows and the order does not have, where `pay.config` finds the order. */
async function judgePrice({ name, attributes }: WrittenElement, config: Invocation['config']) {
  const [id = '', shown] = [attributes.get('order-id'), attributes.get('amount')];
  if (name !== 'pay-button' || shown === undefined) return [];
  const order = await config?.loadOrder(id, undefined, {});
  const price = order && decimalOf(money(order.amount, order.currency).minorUnits);
  if (!price || Number(price) === Number(shown)) return [];
  const what = `<pay-button> shows ${shown} for order ${id}, and loadOrder answers ${price}.`;
  const why = 'The shopper pays what loadOrder answers, which the hosted page shows.';
  return [odd('other_amount', { what, why, fix: 'Write the order’s own amount into the page.' })];
}

/** Where the form of a page without scripts leads: to the checkout, and on to the hosted page. */
function judgeForms(page: ReadPage, { options }: ShopSettings): readonly CheckResult[] {
  const addressesOf = (element: string, attribute: string) =>
    page.elements
      .filter(({ name, attributes }) => name === element && attributes.has(attribute))
      .map(({ attributes }) => URL.parse(attributes.get(attribute) ?? '', page.url.href))
      .filter((url) => url !== null);
  const endpoints = new Set(addressesOf('pay-button', 'endpoint').map(({ href }) => href));
  const targets = addressesOf('form', 'action').filter(({ href }) => endpoints.has(href));
  if (targets.length === 0) return [];
  const pages = (options.gateway.pageOrigins ?? []).map((origin) => new URL(origin));
  return [...targets, ...pages].flatMap((url) =>
    blocked(page, 'form', url, `The form in <pay-button> may not lead to ${url.origin}.`),
  );
}

function blocked(
  { policies, url: page }: ReadPage,
  kind: 'script' | 'connect' | 'form',
  url: URL,
  what: string,
  nonce?: string,
): readonly CheckResult[] {
  const directive = blockedBy(policies, kind, url, page, nonce);
  if (directive === undefined) return [];
  const why = 'The page’s Content-Security-Policy does not admit it.';
  const fix = `Add ${url.origin === page.origin ? "'self'" : url.origin} to ${directive}.`;
  return [wrong('policy_blocks', { what, why, fix })];
}

export interface WrittenElement {
  readonly name: string;
  /** By their names in lower case, as HTML reads them. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Elements whose content is text, in which a tag is none. */
const ofText: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);

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
    const written = [...(tag[2] ?? '').matchAll(ATTRIBUTE)].map(([, key = '', ...values]) => {
      const value = values.find((one) => one !== undefined) ?? '';
      // Templates write these by name; an ampersand last, so that none is read twice.
      const read = value.replaceAll(/&(?:apos|#39|#x27);/g, "'").replaceAll('&amp;', '&');
      return [key.toLowerCase(), read] as const;
    });
    // The first of equal names counts.
    found.push({ name, attributes: new Map(written.toReversed()) });
    if (!ofText.has(name)) continue;
    const end = lower.indexOf(`</${name}`, tags.lastIndex);
    tags.lastIndex = end < 0 ? html.length : end;
  }
  return found;
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
export function policiesOf(header: string | null, elements: readonly WrittenElement[]) {
  const tags = elements
    .filter(({ name, attributes }) => {
      const kind = attributes.get('http-equiv')?.toLowerCase();
      return name === 'meta' && kind === 'content-security-policy';
    })
    .map(({ attributes }) => attributes.get('content') ?? '');
  return [...(header ?? '').split(','), ...tags].map((text): Policy => {
    const all = text
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources] as const);
    return new Map(all.toReversed());
  });
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
    // A script may be admitted by its nonce or by a digest, which is not computed here.
    const byNonce = `'nonce-${nonce}'`;
    const isTrusted = sources.some((one) => one === byNonce || one.startsWith("'sha"));
    const isListed = !sources.includes("'strict-dynamic'") && admits(sources, url, page);
    if (directive === undefined || isTrusted || isListed) continue;
    return directive === 'default-src' ? ownDirective[kind] : directive;
  }
  return undefined;
}

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
  // A path that ends in a slash admits what is below it, another one itself alone.
  const { pathname: path } = wanted;
  const isBelow = path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path;
  return isHost && isPort && isBelow && isProtocol(wanted.protocol, url);
}
