import type { ControlClient } from '@pay-button/gateway-sandbox';
import type { GatewayClient } from '@pay-button/server-helper';

type Portal = Pick<GatewayClient, 'listWebhooks' | 'createWebhook' | 'deleteWebhook'>;

const EVENTS = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Keeps the sandbox telling the shop what happens, also after it was emptied. */
export class WebhookSubscription {
  readonly #portal: Portal;
  readonly #control: Pick<ControlClient, 'verify'>;
  readonly #url: string;

  /** @param url - Where the shop takes webhooks, by a name of this machine. */
  constructor(portal: Portal, control: Pick<ControlClient, 'verify'>, url: string) {
    this.#portal = portal;
    this.#control = control;
    this.#url = url;
  }

  /** Subscribes anew; what a former start on another port left behind goes. */
  async renew(): Promise<void> {
    const { webhooks } = await this.#portal.listWebhooks();
    for (const { id, url } of webhooks) {
      if (isOurs(url, this.#url)) await this.#portal.deleteWebhook({ id });
    }
    await this.#portal.createWebhook({ url: this.#url, events: EVENTS, active: true });
  }

  /** Subscribes again when the sandbox has forgotten everything, and with it that we ever did. */
  async renewAfterReset(): Promise<void> {
    const operation = 'createWebhook';
    const { ok, complete } = await this.#control.verify({ operation, atLeast: 1 });
    if (!ok && complete) await this.renew();
  }
}

function isOurs(url: string, ownUrl: string): boolean {
  const other = URL.parse(url);
  return (
    other !== null && LOOPBACK.test(other.hostname) && other.pathname === new URL(ownUrl).pathname
  );
}
