/**
 * Takes the place of `console-advice.ts` in the files for script tags, whose pages load the advice at
 * their first mistake.
 *
 * @see docs/decisions/0080-lit-as-published.md
 */
import type * as Advice from '../console-advice.ts';
import type { PayError } from '../errors.ts';

/** What the page's policy has blocked before the advice comes. */
const violations: SecurityPolicyViolationEvent[] = [];

addEventListener('securitypolicyviolation', (violation) => violations.push(violation));

function note(file: typeof Advice): typeof Advice {
  violations.splice(0).forEach(file.note);
  return file;
}

/** Where the file is missing, the console says nothing, and shoppers pay as before. */
function load(give: (file: typeof Advice) => void): void {
  import('../console-advice.ts')
    .then(note)
    .then(give)
    .catch(() => undefined);
}

export const graceMs = 500;

export const advise: typeof Advice.advise = (...advice) => load((file) => file.advise(...advice));

export const adviseUnanswered: typeof Advice.adviseUnanswered = (element, attribute) =>
  load((file) => file.adviseUnanswered(element, attribute));

/** Loads the advice when the page's HTML has a mistake. `timeoutMs="…"` is the attribute `timeoutms`. */
export function adviseOnPage(button: Advice.WrittenButton): void {
  const { endpoint, orderId, amount, shadowRoot } = button;
  const isMisspelt = button.matches('[fullWidth], [allowedOrigins], [timeoutMs]');
  const isAmountShown = !amount || shadowRoot?.querySelector('[part=amount]');
  if (endpoint && orderId && isAmountShown && !isMisspelt) return;
  load((file) => file.adviseOnPage(button));
}

export function adviseOnError(button: Advice.WrittenButton, error: PayError): void {
  if (error.cause && error.code !== 'offline') load((file) => file.adviseOnError(button, error));
}
