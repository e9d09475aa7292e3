import { createHash } from 'node:crypto';
import { helpAddress } from '../errors.ts';
import { askStore } from '../flows/waiting.ts';
import type { Wiring } from '../options/wiring.ts';
import { readBody } from './body.ts';
import { type Answer, type EdgeRequest, seeOther } from './http.ts';
import { problem, Refusal } from './problem.ts';
import { type EdgeFlows, isOfFrontEnd, type RouteContext } from './routes.ts';

const MAX_BODY_BYTES = 16_384;

const KEY_LIFE_MS = 24 * 3_600_000;

/** Visible ASCII characters, which every header can carry. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * `POST /checkout`: makes or finds the order's payment link. JSON gets 201 and the address, a form
 * gets 303 to it. An `Idempotency-Key` belongs to one order: with it the same request gets the same
 * answer, as long as that link is the one to offer.
 */
export async function checkout(request: EdgeRequest, context: RouteContext): Promise<Answer> {
  const { flows, checks, wiring, settings } = context;
  warnOfOtherAddress(request, context);
  if (isForeign(request, wiring)) return problem('cross_site', 'Pay on the shop’s own pages only.');
  await checks.checkoutsPerAddress(request.address);
  const key = idempotencyKey(request);
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body.kind === 'problem') return body.answer;
  const asked = readCheckout(body.value, settings.dataFields);
  const link = await flows.ensureLink(asked.orderId, {
    request: request.original,
    data: asked.data,
    seed: key,
    admit: async (orderId) => {
      await checks.checkoutsPerShopper(shopperOf(request, context, orderId));
      await checks.checkoutsPerOrder(orderId);
      // After the limits, so that a flood of keys leaves no more rows than it is let in for.
      if (key !== undefined) await bindKey(flows, key, orderId);
    },
  });
  return body.kind === 'form' ? seeOther(link.redirectUrl) : { status: 201, json: link };
}

/** The shopper's name by the shop's own key; a key that fails must not keep shoppers from paying. */
function shopperOf(
  { original }: EdgeRequest,
  { settings, reportError }: RouteContext,
  orderId: string,
): string | undefined {
  try {
    const key = settings.shopperKey?.(original);
    return typeof key === 'string' && key !== '' ? key : undefined;
  } catch (error) {
    reportError(error, { where: 'limits.shopperKey', orderId });
    return undefined;
  }
}

/**
 * Whether a page that is none of the shop's sent the request. A browser names a request's source in
 * Sec-Fetch-Site, which no page can forge; older browsers send Origin. A client that sends neither is no
 * browser and carries no shopper's cookies. Pages of the site are the shop's own unless it lists others.
 */
function isForeign(request: EdgeRequest, wiring: Wiring): boolean {
  if (isOfFrontEnd(request, wiring)) return false;
  const site = request.header('sec-fetch-site');
  const origin = request.header('origin');
  if (site === undefined) return origin !== undefined && origin !== wiring.publicOrigin;
  if (site === 'same-site') return wiring.frontEnds.size > 0 && origin !== wiring.publicOrigin;
  return site !== 'same-origin' && site !== 'none'; // An address typed by hand has none.
}

/** Warns of a browser that is elsewhere than at `publicUrl`; plain HTTP has no `Sec-Fetch-Site`. */
function warnOfOtherAddress(request: EdgeRequest, { wiring, notices, once }: RouteContext): void {
  const origin = request.header('origin') ?? wiring.publicOrigin;
  const isOwn = (request.header('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  const isKnown = origin === wiring.publicOrigin || isOfFrontEnd(request, wiring);
  if (!isOwn || isKnown || !once.lets('public url')) return;
  const words = `a shopper is at ${origin.slice(0, 100)} and not at publicUrl, where payments lead back to. Unless a stranger sent that: set publicUrl (PUBLIC_URL) to what the browser shows, or list a front end in cors.origins. See ${helpAddress('invalid_public_url')}`;
  notices.warn({ code: 'invalid_public_url' }, words);
}

/**
 * The digest of a request's `Idempotency-Key`, if any, with or without the quotes of the draft standard.
 *
 * @throws {@link Refusal} `invalid_idempotency_key`.
 */
function idempotencyKey(request: EdgeRequest): string | undefined {
  const header = request.header('idempotency-key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (KEY.test(key)) return createHash('sha256').update(key).digest('base64url');
  const detail = 'Send an Idempotency-Key of 1 to 255 visible ASCII characters, or none.';
  throw new Refusal(problem('invalid_idempotency_key', detail));
}

/** Binds a key to the first order that it came with. @throws {@link Refusal} `idempotency_key_reused`. */
async function bindKey(flows: EdgeFlows, key: string, orderId: string): Promise<void> {
  const bound = await flows.run(({ store, clock }) => {
    const now = clock.now();
    return askStore(() => store.bind(key, orderId, { now, endsAt: now + KEY_LIFE_MS }));
  });
  if (bound === orderId) return;
  const detail = 'This Idempotency-Key was used for another order. Send a new one.';
  throw new Refusal(problem('idempotency_key_reused', detail));
}

/** All data of one checkout together, as JSON. */
const MAX_DATA_BYTES = 4_096;
/** Lists and objects inside one another; a form of a browser's own has none. */
const MAX_DEPTH = 4;

/**
 * Reads a checkout's body: the order's id and the data that the shop named, and nothing else. A price
 * from a browser is refused, not ignored.
 *
 * @throws {@link Refusal} `invalid_body`.
 */
function readCheckout(body: unknown, dataFields: readonly string[]) {
  const { orderId, ...data } = { ...(body as Readonly<Record<string, unknown>>) };
  const names = Object.keys(data);
  const isId = typeof orderId === 'string' && orderId.length >= 1 && orderId.length <= 100;
  const strange = names.find((name) => !dataFields.includes(name));
  if (!isId || strange !== undefined) {
    const detail =
      'Send {"orderId": "…"} and, beside it, only fields that the shop’s option dataFields names; the price comes from the shop itself.';
    throw invalidBody(detail, isId ? strange?.slice(0, 60) : 'orderId');
  }
  const wrong = names.find((name) => !isPlain(data[name], MAX_DEPTH));
  if (wrong !== undefined || Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) {
    const detail = `The data beside orderId may have ${MAX_DATA_BYTES} bytes as JSON, be nested ${MAX_DEPTH} deep, and hold no __proto__.`;
    throw invalidBody(detail, wrong);
  }
  return { orderId, data };
}

const invalidBody = (detail: string, field: string | undefined): Refusal =>
  new Refusal(problem('invalid_body', detail, { field }));

/** Whether a value is bounded, and harmless to code that copies its fields. */
function isPlain(value: unknown, depthLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => isPlain(part, depthLeft - 1));
}
