import type { PayError } from './errors.ts';

/** The advice that the console has for each element. */
const given = new WeakMap<Element, Set<string>>();

/** Writes a correction on the console: once for an element, however often a shopper presses. */
export function advise(element: Element, advice: string): void {
  const before = given.get(element) ?? new Set();
  if (before.has(advice)) return;
  given.set(element, before.add(advice));
  // oxlint-disable-next-line no-console -- a merchant who tries the page has nothing else to read
  console.error(`<${element.localName}> ${advice}`);
}

/** The advice for a request without an answer; `attribute` has its address. */
export const unanswered = (attribute: string) =>
  `network: no answer from ${attribute}. Check the server, CORS and connect-src.`;

/** The time that a framework may take to set properties that the page's HTML leaves out. */
export const graceMs = 500;

/** Attributes with a dash, by their properties. HTML reads `orderId="…"` as the attribute `orderid`. */
const dashed = {
  orderId: 'order-id',
  fullWidth: 'full-width',
  allowedOrigins: 'allowed-origins',
  timeoutMs: 'timeout-ms',
} as const;

/** The properties of a button that a page can get wrong. */
export type WrittenButton = Element &
  Readonly<Record<'endpoint' | 'amount' | 'disabled' | keyof typeof dashed, unknown>>;

/** Advises on the page's HTML. Returns whether the HTML keeps the button from working. */
export function adviseOnPage(button: WrittenButton): boolean {
  const write = (attribute: string, example: string, misspelt = '') =>
    advise(button, `not_configured: ${misspelt}write ${attribute}="${example}".`);
  const { endpoint, orderId, amount } = button;
  if (!endpoint) write('endpoint', '/pay/checkout');
  for (const [name, attribute] of Object.entries(dashed)) {
    const misspelt = name.toLowerCase();
    if (button[name as keyof typeof dashed]) continue;
    if (button.hasAttribute(misspelt)) write(attribute, '…', `${misspelt} is not an attribute, `);
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
  if (code === 'not_configured') {
    if (!adviseOnPage(button)) advise(button, 'not_configured: data is not JSON.');
  } else if (code === 'network') advise(button, unanswered('endpoint'));
  else if (code === 'invalid_response' || code === 'untrusted_redirect') {
    advise(button, `${code}: ${(cause as Error).message}`);
  }
}
