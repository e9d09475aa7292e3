import { z } from 'zod';

/** Only an http(s) address may be handed to a shopper's browser; the widget checks it once more. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

/** Answer of create-payment-link (§4.1). Unknown fields are left out, never an error. */
export const paymentLinkAnswer = z.object({
  id: z.string().min(1).max(200),
  redirectUrl: z.string().max(4_096).refine(isWebAddress),
});
