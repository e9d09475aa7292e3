import type { PayError } from './errors.ts';

/** What was said of each element. */
const said = new WeakMap<Element, Set<string>>();

/** Says on the console what to mend: once for an element, however often a shopper presses. */
export function advise(element: Element, advice: string): void {
  const before = said.get(element) ?? new Set();
  if (before.has(advice)) return;
  said.set(element, before.add(advice));
  // oxlint-disable-next-line no-console -- a merchant who tries the page has nothing else to read
  console.error(`<${element.localName}> ${advice}`);
}

/** About a request without an answer; `attribute` bears its address. */
export const unanswered = (attribute: string) =>
  `network: ${attribute} gave no answer. Look at the server, CORS and the CSP's connect-src.`;

/** About an answer of another kind. Of its text only this is said: it may hold anything. */
export const contentOf = (text: string) => (/^\s*</.test(text) ? 'with HTML' : 'without JSON');

/** How long a framework may take to set what the page's HTML leaves out. */
export const graceMs = 500;

/** Properties whose attributes have a dash; HTML reads `orderId` as `orderid`, which is none. */
const dashed = ['orderId', 'fullWidth', 'allowedOrigins', 'timeoutMs'] as const;

/** What a page writes on a button. */
export type WrittenButton = Element &
  Readonly<Record<'endpoint' | 'amount' | 'disabled' | (typeof dashed)[number], unknown>>;

/** Says what the page's HTML has wrong, and tells whether that keeps the button from working. */
export function adviseOnPage(button: WrittenButton): boolean {
  const notConfigured = (advice: string) => advise(button, `not_configured: ${advice}`);
  const { endpoint, orderId, amount } = button;
  if (!endpoint) notConfigured('endpoint is missing. Write endpoint="/pay/checkout".');
  for (const name of dashed) {
    const written = name.toLowerCase();
    if (!button[name] && button.hasAttribute(written)) {
      const attribute = name.replace(/[A-Z]/, '-$&').toLowerCase();
      notConfigured(`${written} is no attribute. Write ${attribute}="…".`);
    } else if (name === 'orderId' && !orderId) {
      notConfigured('order-id is missing. Write order-id="1001".');
    }
  }
  if (amount && !button.shadowRoot?.querySelector('[part=amount]')) {
    const fix = 'Write amount="115.00" currency="SAR".';
    advise(button, `invalid_amount: the amount cannot be shown. ${fix}`);
  }
  return !endpoint || !orderId;
}

/** Buttons whose page will be looked at. */
const waiting = new WeakSet<Element>();

/** Looks at a button's page a little later, unless the page has disabled the button. */
export function adviseSoon(button: WrittenButton): void {
  if (waiting.has(button)) return;
  waiting.add(button);
  setTimeout(() => {
    waiting.delete(button);
    if (button.isConnected && !button.disabled) adviseOnPage(button);
  }, graceMs);
}

/** Says why an attempt failed, where the page or the shop's server is to be mended. */
export function adviseOnError(button: WrittenButton, { code, cause }: PayError): void {
  if (!cause) return;
  if (code === 'not_configured') {
    if (!adviseOnPage(button)) advise(button, 'not_configured: data is not JSON. Mend it.');
  } else if (code === 'network') advise(button, unanswered('endpoint'));
  else if (code === 'invalid_response' || code === 'untrusted_redirect') {
    advise(button, `${code}: ${(cause as Error).message}`);
  }
}
