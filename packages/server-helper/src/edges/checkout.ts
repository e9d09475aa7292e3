import { z } from 'zod';
import type { LinkRequest, PaymentLinkView } from '../flows/checkout/checkout.ts';
import { type Answer, type EdgeRequest, seeOther } from './http.ts';
import { readBody } from './body.ts';
import type { Checks } from './limits.ts';
import { problem, Refusal } from './problem.ts';
import { createHash } from 'node:crypto';

const MAX_BODY_BYTES = 16_384;

/** Nothing but the order's id: a price from a browser is refused, not ignored. */
const checkoutBody = z.strictObject({ orderId: z.string().min(1).max(100) });

/** What the checkout edge needs. */
export interface CheckoutDependencies {
  readonly publicOrigin: string;
  readonly checks: Checks;
  readonly bindKey: BindKey;
  ensureLink(orderId: string, asking: LinkRequest): Promise<PaymentLinkView>;
}

/**
 * `POST /checkout`: makes or finds the order's payment link. JSON gets 201 and the address, a form
 * gets 303 to it. An `Idempotency-Key` stands for one order: with it the same request gets the same
 * answer, as long as the link is the one to offer.
 */
export async function checkout(request: EdgeRequest, door: CheckoutDependencies): Promise<Answer> {
  if (isCrossSite(request, door.publicOrigin)) {
    return problem('cross_site', 'A payment starts on the shop’s own pages only.');
  }
  await door.checks.checkoutsPerAddress(request.address);
  const key = idempotencyKey(request);
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body.kind === 'problem') return body.answer;
  const parsed = checkoutBody.safeParse(body.value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.');
    const detail = 'Send {"orderId": "…"} and nothing else; the price comes from the shop itself.';
    return problem('invalid_body', detail, { field: field === '' ? undefined : field });
  }
  const link = await door.ensureLink(parsed.data.orderId, {
    request: request.original,
    seed: key,
    admit: async (orderId) => {
      if (key !== undefined) await bindKey(door.bindKey, key, orderId);
      await door.checks.checkoutsPerOrder(orderId);
    },
  });
  if (body.kind === 'form') return seeOther(link.redirectUrl);
  return { status: 201, json: link };
}

/** The shop's own pages, those of the same site beside it, and an address typed by hand. */
const ownSites: ReadonlySet<unknown> = new Set(['same-origin', 'same-site', 'none']);

/**
 * A browser tells where a request comes from: by Sec-Fetch-Site, which no page can forge, or, older
 * ones, by Origin. Who tells neither is no browser and carries no shopper's cookies.
 */
function isCrossSite(request: EdgeRequest, publicOrigin: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return !ownSites.has(site);
  const origin = request.header('origin');
  return origin !== undefined && origin !== publicOrigin;
}

/** How long a key stands for what it was first used for. */
const KEPT_MS = 24 * 3_600_000;

/** Characters that a header can carry, without spaces. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Keeps what keys were used for. */
export type BindKey = (key: string, subject: string, keptMs: number) => Promise<string>;

/**
 * The digest of a request's `Idempotency-Key`, if it has one; with or without the quotes of the
 * draft standard.
 *
 * @throws {@link Refusal} `invalid_idempotency_key`.
 */
export function idempotencyKey(request: EdgeRequest): string | undefined {
  const header = request.header('idempotency-key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (KEY.test(key)) return createHash('sha256').update(key).digest('base64url');
  const detail = 'Send an Idempotency-Key of 1 to 255 visible ASCII characters, or none.';
  throw new Refusal(problem('invalid_idempotency_key', detail));
}

/**
 * Binds a key to the body that it came with. The body holds nothing but the order's id.
 *
 * @throws {@link Refusal} `idempotency_key_reused` when it came with another body before.
 */
export async function bindKey(bind: BindKey, key: string, orderId: string): Promise<void> {
  if ((await bind(key, orderId, KEPT_MS)) === orderId) return;
  const detail = 'This Idempotency-Key was used for another order. Send a new one.';
  throw new Refusal(problem('idempotency_key_reused', detail));
}
