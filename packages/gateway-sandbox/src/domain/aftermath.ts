/** What an outcome brings besides the issuer's answer; only magic amounts make it unusual. */
export interface Aftermath {
  readonly webhook: WebhookPlan;
  /** The first refund after it is accepted and then fails. */
  readonly refundFails: boolean;
  /** Its capture is declined. */
  readonly captureFails: boolean;
  /** How long the status endpoint still says PENDING. */
  readonly statusLagMs: number;
}

/** How the webhook of a payment's result is delivered. */
export interface WebhookPlan {
  /** How often it is delivered; 0 is never. */
  readonly copies: number;
  /** How late it is, in milliseconds of the sandbox clock. */
  readonly lateMs: number;
  /** Whether it has to arrive before the shopper is sent back. */
  readonly beforeRedirect: boolean;
}

/** What happens to the answer of the call that paid. */
export interface AnswerPlan {
  /** How long the answer is held back, in milliseconds. */
  readonly delayMs: number;
  /** Whether the connection is cut instead of answering. */
  readonly cut: boolean;
}

export const usualWebhook: WebhookPlan = { copies: 1, lateMs: 0, beforeRedirect: false };
export const usualAnswer: AnswerPlan = { delayMs: 0, cut: false };
export const usualAftermath: Aftermath = {
  webhook: usualWebhook,
  refundFails: false,
  captureFails: false,
  statusLagMs: 0,
};
