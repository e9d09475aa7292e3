import type { ControlClient } from '@pay-button/gateway-sandbox';
import { type GatewayClient, GatewayError } from '@pay-button/server-helper';
import type { Warn } from '../http/problem.ts';
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

/** What the drawer shows of the sandbox. */
export interface SandboxState {
  /** The sandbox's clock, ISO 8601. */
  readonly now: string;
  /** The named faults in force. */
  readonly profile: string;
}

const INTERVAL_MS = 1_000;
const EVENTS = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Reads the sandbox's state again and again, since its own pages and API can change it as well. */
export class SandboxWatch {
  readonly #tools: QaTools;
  readonly #gateway: Pick<GatewayClient, 'listWebhooks' | 'createWebhook' | 'deleteWebhook'>;
  readonly #warn: Warn;
  #state: SandboxState = { now: '', profile: 'healthy' };
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;

  constructor(tools: QaTools, gateway: GatewayClient, warn: Warn) {
    this.#tools = tools;
    this.#gateway = gateway;
    this.#warn = warn;
  }

  get state(): SandboxState {
    return this.#state;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#checkQuietly(), INTERVAL_MS).unref();
    void this.#checkQuietly();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
  }

  /** Reads the state now; the shop's clock follows. */
  async check(): Promise<void> {
    const { control, clock } = this.#tools;
    const askedAt = clock.now();
    const { now } = (await control.info()).clock;
    clock.follow(Date.parse(now), askedAt);
    const { profile } = await control.faults();
    this.#state = { now, profile };
  }

  /** Subscribes to webhooks; a subscription of an earlier start on another port is deleted. */
  async subscribe(): Promise<void> {
    const { webhookUrl } = this.#tools;
    const { webhooks } = await this.#gateway.listWebhooks();
    for (const { id, url } of webhooks) {
      if (isOfThisShop(url, webhookUrl)) await this.#gateway.deleteWebhook({ id });
    }
    await this.#gateway.createWebhook({ url: webhookUrl, events: EVENTS, active: true });
  }

  /** A check in the background must not fail: testers put the gateway into trouble on purpose. */
  async #checkQuietly(): Promise<void> {
    this.#check ??= this.check()
      .then(() => this.#subscribeAfterReset())
      .catch((error: unknown) => {
        if (!(error instanceof GatewayError)) this.#warn('The sandbox could not be read', error);
      })
      .finally(() => {
        this.#check = undefined;
      });
    await this.#check;
  }

  async #subscribeAfterReset(): Promise<void> {
    const { ok, complete } = await this.#tools.control.verify({
      operation: 'createWebhook',
      atLeast: 1,
    });
    if (!ok && complete) await this.subscribe();
  }
}

function isOfThisShop(url: string, webhookUrl: string): boolean {
  const other = URL.parse(url);
  return (
    other !== null &&
    LOOPBACK.test(other.hostname) &&
    other.pathname === new URL(webhookUrl).pathname
  );
}
