import { z } from 'zod';

/** What a parser drops or reads in a second way, a browser's header or eye may not. */
const AMBIGUOUS = /[\p{Cc}\s\\]/u;

/**
 * Only an http(s) address without credentials may be handed to a shopper's browser; the widget
 * checks it once more. Written in ASCII, since it also travels in a header.
 */
const webAddress = z
  .string()
  .max(4_096)
  .transform((text, context) => {
    const url = AMBIGUOUS.test(text) ? null : URL.parse(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    if (url !== null && isWeb && url.username === '' && url.password === '') return url.href;
    context.addIssue('not a web address');
    return z.NEVER;
  });

/** Answer of create-payment-link (§4.1). Unknown fields are left out, never an error. */
export const paymentLinkAnswer = z.object({
  id: z.string().min(1).max(200),
  redirectUrl: webAddress,
  /** A text here is the gateway's refusal and is read before this; anything else is unreadable. */
  errorCode: z.null().optional(),
});
