import { z } from 'zod';

const optionalText = z.string().nullish();

/**
 * One transaction of a status answer: the stated fields (§2.2) and the ones that may appear
 * (assumption N6). Words and amounts stay text here: what they mean is judged elsewhere.
 */
const statusRow = z.object({
  transactionId: z.string().min(1).max(200),
  amount: z.string(),
  transactionStatus: z.string(),
  paymentStatus: z.string(),
  refundStatus: optionalText,
  totalRefundAmount: optionalText,
  pan: optionalText,
  cardScheme: optionalText,
  merchantOrderId: optionalText,
  orderId: optionalText,
  currencyCode: optionalText,
});

/** `data` of a status answer (§4.2). */
export const statusData = z.object({ content: z.array(statusRow).max(1_000) });

/** One decoded row, still in the gateway's spelling. */
export type StatusRow = z.infer<typeof statusRow>;
