import type { ControlClient } from '@pay-button/gateway-sandbox';
import type { ShopClock } from './shop-clock.ts';

/** What testers get when the gateway is the sandbox. */
export interface QaTools {
  /** The sandbox's own address, for links. */
  readonly sandboxUrl: string;
  readonly control: ControlClient;
  /** The sandbox's key; only a bug shows it. */
  readonly apiKey: string;
  readonly clock: ShopClock;
  /** Where the shop takes webhooks, by a name of this machine. */
  readonly webhookUrl: string;
}
