import type { Action } from './actions/action.ts';
import { accept } from './actions/accept.ts';
import { charge } from './actions/charge.ts';
import { confirmNow } from './actions/confirm-now.ts';
import { giveUp } from './actions/give-up.ts';
import { capture, voidHeld } from './actions/held-money.ts';
import { happened, notHappened } from './actions/operation-outcome.ts';
import { approve, withdraw } from './actions/proposals.ts';
import { redeliver } from './actions/redeliver.ts';
import { refundMatter } from './actions/refund-matter.ts';
import { refund } from './actions/refund.ts';
import { reopen } from './actions/reopen.ts';
import { resolve } from './actions/resolve.ts';
import { deleteWebhook, switchWebhook } from './actions/change-webhook.ts';
import { createWebhook } from './actions/create-webhook.ts';
import type { PortalMatter } from './actions/portal-deed.ts';
import { rotateKey } from './actions/rotate-key.ts';
import { createSdkToken, switchSdkToken } from './actions/sdk-tokens.ts';
import type { Matter } from './matters.ts';
import type { OrderCase } from './order-case.ts';

/** What a person can do about an order, in the order in which its page shows it. */
export const orderActions: readonly Action<OrderCase>[] = [
  capture,
  voidHeld,
  refund,
  charge,
  confirmNow,
  reopen,
  giveUp,
];

/** What a person can do about a matter under review, in the order in which the list shows it. */
export const reviewActions: readonly Action<Matter>[] = [
  accept,
  refundMatter,
  happened,
  notHappened,
  resolve,
  approve,
  withdraw,
  redeliver,
];

/** What a person can do at the gateway's portal. */
export const portalActions: readonly Action<PortalMatter>[] = [
  rotateKey,
  createWebhook,
  switchWebhook,
  deleteWebhook,
  createSdkToken,
  switchSdkToken,
];
