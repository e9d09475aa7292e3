import dns from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { AttemptResult, Delivery, Effect, InjectedFaults } from '../domain/events.ts';
import { newestDeliveries, receiverOf } from '../domain/tenant.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Fault, Faults } from '../faults.ts';
import type { Machine } from '../machine.ts';
import { alteredPayload, payloadOf, signatureOf } from '../readings/on-wire.ts';
import { signatureForm, type Readings } from '../readings/readings.ts';
import type { Tenants } from '../tenants.ts';

interface DispatcherOptions extends Readings {
  readonly machine: Machine;
  readonly tenants: Tenants;
  readonly faults: Faults;
  readonly ownPort: () => number;
  readonly isPrivate: boolean;
  readonly allowsRemote: boolean;
  readonly timeoutMs: number;
}

interface SignedBody {
  readonly body: string;
  signature: string;
}

/** The differences of a replay from the delivery. */
interface ReplayOptions {
  readonly url: string | null;
  /** Signs the bytes anew, with this secret or with the webhook's own. */
  readonly resign: { readonly secret: string | null } | null;
}

/** Sends what the outbox releases: to one webhook one after another, to several at once. */
export class WebhookDispatcher {
  readonly #parts: DispatcherOptions;
  readonly #stop = new AbortController();
  /** The last thing to be done for each webhook. */
  readonly #queues = new Map<string, Promise<void>>();
  /** The sends that are under way or queued, by delivery. */
  readonly #underWay = new Map<string, { transactionId: string; done: Promise<void> }>();

  constructor(parts: DispatcherOptions) {
    this.#parts = parts;
    parts.machine.watch((tenant, effects) => this.#dispatch(tenant, effects));
  }

  /** Sends again the deliveries that a crash interrupted. A webhook may come twice (N15). */
  resume(): void {
    for (const tenant of this.#parts.machine.tenantIds()) this.#resend(tenant);
  }

  /** Releases held deliveries in this order, each after the answer to the one before. */
  async release(tenant: string, deliveryIds: readonly string[]): Promise<void> {
    for (const deliveryId of deliveryIds) {
      this.#parts.machine.execute({ kind: 'release-delivery', tenant, deliveryId });
      await this.#underWay.get(deliveryId)?.done;
    }
  }

  /** Resolves when the webhooks have come that have to come before a payment's answer (9907.00). */
  async ahead({ id, sideEffects }: Transaction): Promise<void> {
    if (!sideEffects.beforeRedirect) return;
    const own = [...this.#underWay.values()].filter(({ transactionId }) => transactionId === id);
    await Promise.all(own.map(({ done }) => done));
  }

  /** Ends the sends under way; they count as never sent. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#queues.values());
  }

  signedBody(tenantId: string, { event, injected, webhookId, dueAt }: Delivery): SignedBody {
    const { tenants, profile } = this.#parts;
    const signed = payloadOf(event, this.#parts);
    const secret = tenants.secrets(tenantId).webhookSecret(webhookId);
    return {
      body: injected?.isAltered === true ? alteredPayload(event, this.#parts) : signed,
      signature: signatureOf(profile, secret, signed, dueAt),
    };
  }

  /** Sends a delivery once more, in any state. Null: no address is left. */
  async replay(tenant: string, delivery: Delivery, { url, resign }: ReplayOptions) {
    const { machine, tenants, profile } = this.#parts;
    const { id: deliveryId, webhookId, attempts, dueAt } = delivery;
    const webhook = machine.tenant(tenant).webhooks.find(({ id }) => id === webhookId);
    const target = url ?? webhook?.url ?? attempts.at(-1)?.url ?? null;
    if (target === null) return null;
    const sent = this.signedBody(tenant, delivery);
    if (resign !== null) {
      const secret = resign.secret ?? tenants.secrets(tenant).webhookSecret(webhookId);
      sent.signature = signatureOf(profile, secret, sent.body, dueAt);
    }
    const result = await this.#post(target, deliveryId, sent);
    machine.execute({ kind: 'record-replay', tenant, deliveryId, result });
    return result;
  }

  #resend(tenant: string): void {
    const deliveries = newestDeliveries(this.#parts.machine.tenant(tenant));
    const halfSent = deliveries.filter(({ state }) => state === 'sending');
    for (const { id } of halfSent.toReversed()) void this.#queue(tenant, id);
  }

  #dispatch(tenant: string, effects: readonly Effect[]): Promise<unknown> | undefined {
    if (effects.some(({ kind }) => kind === 'snapshot-restored')) this.#resend(tenant);
    const due = effects.filter(({ kind }) => kind === 'webhook-due');
    if (due.length === 0) return undefined;
    return Promise.all(due.map(({ id }) => this.#queue(tenant, id)));
  }

  #queue(tenantId: string, deliveryId: string): Promise<void> {
    const delivery = this.#parts.machine.tenant(tenantId).outbox.deliveries.get(deliveryId);
    if (delivery === undefined) return Promise.resolve();
    const queue = `${tenantId} ${delivery.webhookId}`;
    const before = this.#queues.get(queue) ?? Promise.resolve();
    // A journal that cannot be written is reported by the next call; sending it again is allowed.
    const done = before.then(() => this.#send(tenantId, deliveryId)).catch(() => {});
    this.#queues.set(queue, done);
    const { transactionId } = delivery.event;
    this.#underWay.set(deliveryId, { transactionId, done });
    void done.finally(() => {
      if (this.#queues.get(queue) === done) this.#queues.delete(queue);
      if (this.#underWay.get(deliveryId)?.done === done) this.#underWay.delete(deliveryId);
    });
    return done;
  }

  async #send(tenantId: string, deliveryId: string): Promise<void> {
    const { machine } = this.#parts;
    if (!this.#passesFaults(tenantId, deliveryId)) return;
    const tenant = machine.tenant(tenantId);
    const delivery = tenant.outbox.deliveries.get(deliveryId);
    if (delivery?.state !== 'sending') return;
    const webhook = receiverOf(tenant, delivery);
    const results: AttemptResult[] = [];
    if (webhook !== null) {
      const signedBody = this.signedBody(tenantId, delivery);
      for (let copy = 0; copy < (delivery.injected?.copies ?? 1); copy += 1) {
        results.push(await this.#post(webhook.url, deliveryId, signedBody));
      }
    }
    if (this.#stop.signal.aborted) return;
    const isLast = this.#parts.policy.has('noRetries');
    machine.execute({ kind: 'record-attempt', tenant: tenantId, deliveryId, results, isLast });
  }

  /** Injects the waiting faults into a delivery that falls due for the first time; true: it goes on. */
  #passesFaults(tenant: string, deliveryId: string): boolean {
    const { machine, faults } = this.#parts;
    const delivery = machine.tenant(tenant).outbox.deliveries.get(deliveryId);
    if (delivery?.state !== 'sending' || this.#stop.signal.aborted) return false;
    if (delivery.injected !== null || delivery.attempts.length > 0) return true;
    const { merchantOrderId } = delivery.event;
    const taken = faults.take(tenant, 'delivery', { operation: null, merchantOrderId });
    if (taken.length === 0) return true;
    const injected = injectedFaults(taken);
    const command = { kind: 'inject-delivery-faults', tenant, deliveryId, injected } as const;
    const { reply } = machine.execute(command);
    return reply.kind === 'injected' && reply.goes;
  }

  /** Posts a webhook on a connection of its own. Only the answer's status matters. */
  async #post(url: string, deliveryId: string, signedBody: SignedBody): Promise<AttemptResult> {
    const { isPrivate, timeoutMs, policy, profile } = this.#parts;
    if (!this.#isAllowedTarget(url)) return { url, outcome: 'blocked', status: null };
    const { body, signature } = signedBody;
    const signed = policy.has('unsignedWebhooks')
      ? {}
      : { [signatureForm(profile).header]: signature };
    const open = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve) => {
      const request = open(url, {
        method: 'POST',
        agent: false,
        signal: this.#stop.signal,
        lookup: isPrivate ? undefined : lookUpElsewhere,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'pay-gateway-sandbox',
          ...signed,
          'x-sandbox-delivery': deliveryId,
        },
      });
      const end = (outcome: AttemptResult['outcome'], status: number | null) => {
        resolve({ url, outcome, status });
      };
      // Until the answer's head has come.
      const timer = setTimeout(() => {
        end('timed-out', null);
        request.destroy();
      }, timeoutMs);
      request.once('response', (answer) => {
        const { statusCode = 0 } = answer;
        end(statusCode === 200 ? 'acknowledged' : 'refused', statusCode);
        answer.once('error', () => {});
        answer.resume();
      });
      request.once('error', (error) => {
        end(error instanceof ComesBack ? 'blocked' : 'unreachable', null);
      });
      request.once('close', () => clearTimeout(timer));
      request.end(body);
    });
  }

  /**
   * Whether the sandbox may send to an address. Without leave it reaches this machine only, so that
   * a webhook of production that was copied here gets no test event. A sandbox that others reach
   * sends nothing to this machine, so that they do not reach this machine's private services through
   * it; and it never calls itself. Names are judged as they are written, and once more when they are
   * looked up for the connection.
   */
  #isAllowedTarget(url: string): boolean {
    const { ownPort, isPrivate, allowsRemote } = this.#parts;
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') return false;
    if (!isThisMachine(hostname)) return allowsRemote;
    const effectivePort = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
    return isPrivate && effectivePort !== ownPort();
  }
}

function injectedFaults(faults: readonly Fault[]): InjectedFaults {
  const find = (kind: Fault['kind']) => faults.find((fault) => fault.kind === kind);
  return {
    isDropped: find('drop') !== undefined,
    copies: find('duplicate')?.times ?? 1,
    isAltered: find('alter') !== undefined,
    lateMs: find('late')?.latencyMs ?? 0,
    isBehind: find('reorder') !== undefined,
  };
}

/** Addresses that lead back to this machine, those of IPv4 in IPv6 form included. */
const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addSubnet('0.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');
ownAddresses.addAddress('::', 'ipv6');

function isThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  if (version !== 0) return isOwnAddress(address);
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

const isOwnAddress = (address: string): boolean =>
  ownAddresses.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

class ComesBack extends Error {}

/** Looks a name up for a connection, which is not made where the name leads to this machine. */
const lookUpElsewhere: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = error === null ? addresses : [];
    if (first === undefined) callback(error ?? new Error('no address'), []);
    else if (addresses.some(({ address }) => isOwnAddress(address))) {
      callback(new ComesBack(hostname), []);
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
