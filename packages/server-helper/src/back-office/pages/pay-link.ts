import { ConfigurationError } from '../../errors.ts';
import type { Explanation } from '../../flows/list-payments.ts';
import { Html, html, nothing } from '../html.ts';
import type { Visit } from '../office.ts';
import { panel } from '../parts.ts';
import { orderTexts } from '../texts/order.ts';

/** States in which a customer can still pay the order. */
const payable: ReadonlySet<string> = new Set(['unpaid', 'pending', 'failed', 'expired']);

/** The order's stable address to send, and its picture where the package `qr` is installed. */
export async function payLink(visit: Visit, { payment }: Explanation): Promise<Html> {
  const { orderId, state, cancelled } = payment;
  const address = payable.has(state) && !cancelled ? addressOf(visit, orderId) : null;
  if (address === null) return nothing;
  const texts = orderTexts[visit.language];
  const picture = await pictureOf(address, texts.qr(orderId));
  return panel(
    'pay-link',
    texts.payLink,
    html`<p class="hint">${texts.payLinkHint}</p>
      <p class="link">
        <code dir="ltr" data-copy="${texts.payLink}" data-test="pay-link">${address}</code>
      </p>
      ${picture !== null && html`<div class="qr" data-test="qr">${picture}</div>`}`,
  );
}

/** `null` where the shop left the link route out. */
function addressOf({ office }: Visit, orderId: string): string | null {
  try {
    return office.payments.payLink(orderId);
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

/** `null` where the optional package is not installed. */
async function pictureOf(address: string, label: string): Promise<Html | null> {
  try {
    const { qrSvg } = await import('../../qr.ts');
    return new Html(qrSvg(address, { label }));
  } catch {
    return null;
  }
}
