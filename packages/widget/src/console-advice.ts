import type { PayError } from './errors.ts';

/** The advice that the console has for each element. */
const given = new WeakMap<Element, string>();

/** Writes a correction on the console: once for an element, however often a shopper presses. */
export function advise(element: Element, advice: string): void {
  const before = given.get(element) ?? '';
  if (before.includes(advice)) return;
  given.set(element, before + advice);
  // oxlint-disable-next-line no-console -- a merchant who tries the page has nothing else to read
  console.error(`<${element.localName}> ${advice}`);
}

/** The time that a framework may take to set properties that the page's HTML leaves out. */
export const graceMs = 500;

/** The addresses that the page's policy has blocked. */
let blocked = '';

/** Notes what the page's policy blocks. A policy that only reports blocks nothing. */
export function note(violation: { disposition: string; blockedURI: string }): void {
  if (violation.disposition === 'enforce') blocked += violation.blockedURI;
}

globalThis.addEventListener?.('securitypolicyviolation', note);

/** Advises on a request without an answer. The browser reports a blocked one a moment later. */
export function adviseUnanswered<Name extends 'endpoint' | 'src'>(
  element: Element & Readonly<Record<Name, string>>,
  attribute: Name,
): void {
  setTimeout(() => {
    const { origin } = new URL(element[attribute], element.baseURI);
    const fix = blocked.includes(origin)
      ? `the policy needs connect-src ${origin}`
      : `check the server${origin === location.origin ? '' : ' and its cors.origins'}`;
    advise(element, `network: no answer from ${attribute}: ${fix}.`);
  }, graceMs);
}

/** Properties whose attributes have a dash. HTML reads `orderId="…"` as the attribute `orderid`. */
const dashed = ['orderId', 'fullWidth', 'allowedOrigins', 'timeoutMs'] as const;

/** The properties of a button that a page can get wrong. */
export type WrittenButton = Element &
  Readonly<Record<'amount' | (typeof dashed)[number], unknown>> & {
    readonly endpoint: string;
  };

/** Advises on the page's HTML. Returns whether the HTML keeps the button from working. */
export function adviseOnPage(button: WrittenButton): boolean {
  const write = (attribute: string, example: string, misspelt = '') =>
    advise(button, `not_configured: ${misspelt}write ${attribute}="${example}".`);
  const { endpoint, orderId, amount } = button;
  if (!endpoint) write('endpoint', '/pay/checkout');
  for (const name of dashed) {
    if (button[name]) continue;
    const attribute = name.replace(/[A-Z]/, '-$&').toLowerCase();
    if (button.hasAttribute(name)) write(attribute, '…', `${name} is not an attribute, `);
    else if (name === 'orderId') write(attribute, '1001');
  }
  if (amount && !button.shadowRoot?.querySelector('[part=amount]')) {
    advise(button, 'invalid_amount: write amount="115.00" currency="SAR".');
  }
  return !endpoint || !orderId;
}

/** Advises on a failed attempt whose cause is in the page or in the shop's server. */
export function adviseOnError(button: WrittenButton, { code, cause }: PayError): void {
  if (!cause) return;
  if (code === 'network') adviseUnanswered(button, 'endpoint');
  else if (code !== 'offline' && !(code === 'not_configured' && adviseOnPage(button))) {
    advise(button, `${code}: ${(cause as Error).message}`);
  }
}
