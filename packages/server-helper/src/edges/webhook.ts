import {
  attemptOfName,
  type MerchantOrderId,
  nameIn,
  transactionId,
  type TransactionId,
} from '../ids.ts';
import type { Answer, EdgeRequest, RawBody } from './http.ts';
import { bodyProblem, decodeBody } from './body.ts';
import { problem } from './problem.ts';
import type { RouteContext } from './routes.ts';
import { valueAt } from '../gateway/operation.ts';
import { NAMELESS } from '../payments/transaction-hint.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError, helpAddress } from '../errors.ts';
import type { SignatureSettings } from '../options/settings.ts';
import { parseJson } from '../gateway/meaning.ts';
import { wireIdOrNumber } from '../gateway/fields.ts';

const MAX_BODY_BYTES = 65_536;

/**
 * `POST /webhook`: a reason to ask the gateway, never proof. The answer is the same for a known order,
 * an unknown order and nonsense, so that no answer reveals which orders exist. Where anyone may send
 * one, a known order and an unknown one take the same time as well.
 */
export async function webhookArrived(request: EdgeRequest, context: RouteContext): Promise<Answer> {
  const { flows, checks, settings, health, drift, notices, once, onError } = context;
  await checks.webhooksPerAddress(request.address);
  const raw = await request.readBody(MAX_BODY_BYTES);
  if (raw.kind === 'too_large' || raw.kind === 'compressed')
    drift.note('webhook', 'other_envelope', raw.kind);
  // An incomplete body may hold a hint, so it is not acknowledged.
  if (raw.kind !== 'bytes' && raw.kind !== 'parsed') return bodyProblem(raw.kind, MAX_BODY_BYTES);
  const signature = settings.webhookSignature;
  const fault = signature && faultOfSignature(request, raw, signature, health.clock.now());
  if (fault !== null) {
    drift.note('webhook', 'refused_signature', fault);
    const words = `a webhook was refused. If the gateway sent it, ${fixes[fault]}. See ${helpAddress('invalid_signature')}`;
    if (once.lets(`webhook ${fault}`)) notices.warn({ code: 'invalid_signature' }, words);
    const detail = 'The webhook is not signed with a secret of ours.';
    return problem('invalid_signature', detail, { headers: { 'www-authenticate': 'Signature' } });
  }
  const body = decodeBody(request, raw, MAX_BODY_BYTES);
  const text = raw.kind === 'bytes' ? raw.bytes.toString() : null;
  const notification = body.kind === 'problem' ? parseJson(text) : body.value;
  const { webhookOrderNames: names, webhookTransaction: ofId } = settings;
  // The places of which a notification has to fill one each.
  const needed = [names, ...(ofId === null ? [] : [[ofId]])];
  const isWhole = drift.notification(notification, needed, signature?.secrets ?? []);
  // Of its other fields the status alone is read, and never believed (assumption N13). A text that has not
  // the form of an attempt's name never reaches the store, which might fail on it.
  const [name] = names.flatMap((place) => nameIn(valueAt(notification, place)) ?? []);
  const named = name === undefined ? namesWithin(notification) : [{ name, part: notification }];
  const isUnplaced = name === undefined && !isWhole;
  if (isUnplaced && signature !== null) drift.note('webhook', 'unfollowed_hint');
  // A body of many orders counts as several: none makes the store work for long.
  for (let more = 20; more < named.length; more += 20)
    await checks.webhooksPerAddress(request.address);
  const storeHints = async (): Promise<void> => {
    for (const one of named) {
      const given = valueAt(one.part, '/status');
      const status = typeof given === 'string' ? given : '';
      const isOfMoney = !NO_MONEY.test(status);
      const isNamed = await noteTransaction(context, one, notification, isOfMoney);
      const word = MONEY.test(status) && signature !== null ? 'money' : 'unknown';
      const isOurs = await flows.hint(one.name, signature !== null, isOfMoney ? word : 'no money');
      if (isOurs && (!isNamed || isUnplaced)) drift.note('webhook', 'unfollowed_hint');
    }
  };
  try {
    await (signature === null ? inEqualTime(storeHints) : storeHints());
    return { status: 200, json: {} };
  } catch (error) {
    onError(error);
    // The gateway repeats a notification that is not acknowledged.
    const detail = 'The notification could not be stored. Send it again.';
    return problem('store_unavailable', detail, { retryAfterS: 5 });
  }
}

/** A link, and the part of a notification that names it. */
type Named = Readonly<{ name: MerchantOrderId; part: unknown }>;

/** Finds names of ours where the profile does not say that they are, as in an envelope, eight levels deep at most. */
function namesWithin(given: unknown, depth = 0): readonly Named[] {
  const part = typeof given === 'string' && given.startsWith('{') ? parseJson(given) : given;
  if (!(part instanceof Object) || depth > 8) return [];
  const values: readonly unknown[] = Object.values(part);
  const names = new Set(values.flatMap((one) => nameIn(one) ?? []));
  if (names.size > 0) return Array.from(names, (name) => ({ name, part }));
  return values.flatMap((one) => namesWithin(one, depth + 1));
}

/** Words of a notification by which no money came (assumption N13): steps, and ends without money. */
const NO_MONEY = /^(?:pending|redirect|created|declined|failed|expired|cancell?ed)$/i;
/** Words of one by which money came: signed they weigh as much as the shopper's return. */
const MONEY = /^(?:approved|success|paid|captured)$/i;

/**
 * Stores which transaction a notification names, or that it names none, where the gateway is asked about these.
 *
 * @returns whether it names one, or needs to name none.
 */
async function noteTransaction(
  { flows, settings }: RouteContext,
  { name, part }: Named,
  notification: unknown,
  isOfMoney: boolean,
): Promise<boolean> {
  const { webhookTransaction: place, webhookSignature } = settings;
  const orderId = attemptOfName(name)?.orderId;
  if (place === null || orderId === undefined) return true;
  const id = hintedId(valueAt(part, place) ?? valueAt(notification, place));
  if (id === undefined && !isOfMoney) return false;
  const source = webhookSignature !== null && isOfMoney ? 'signed' : 'unsigned';
  await flows.noteTransactions(orderId, [{ transactionId: id ?? NAMELESS, source }]);
  return id !== undefined;
}

/** How far the time of a timestamped signature may be from ours, either way. */
const TOLERANCE_MS = 5 * 60_000;

const digestBytes = { sha256: 32, sha512: 64, sha1: 20 } as const;
const forms = { hex: /^(?:[0-9a-f]{2})+$/i, base64: /^[A-Za-z0-9+/_-]+={0,2}$/ } as const;

/**
 * Why a notification counts as unsigned: its header is `missing`, its signature has another `form` than
 * the profile's, its `time` is not ours, or none of the webhook `secret`s made it.
 */
export type SignatureFault = 'missing' | 'form' | 'time' | 'secret';

/** The fix of each, where the gateway itself sent the notification. */
const fixes: Readonly<Record<SignatureFault, string>> = {
  missing: 'let the gateway sign, or name its header: webhookSignatureHeader',
  form: 'write its form into the profile: webhook.signature',
  time: 'let this machine keep time by NTP',
  secret: 'copy the gateway’s secret into webhookSecrets (GATEWAY_WEBHOOK_SECRET)',
};

/**
 * Checks that a notification is genuine: one of the secrets has signed the body. The signature is the HMAC
 * of the bytes as they were sent, in the form that the profile names (assumption N14). Every secret is tried,
 * in constant time.
 *
 * @returns what lacks; `null` for a genuine one.
 * @throws {@link ConfigurationError} `body_already_read` when a body parser left no bytes.
 */
export function faultOfSignature(
  request: EdgeRequest,
  raw: Extract<RawBody, { kind: 'bytes' | 'parsed' }>,
  settings: SignatureSettings,
  now: number,
): SignatureFault | null {
  const { secrets, header, algorithm } = settings;
  const given = request.header(header)?.trim() ?? '';
  if (given === '') return 'missing';
  const { text, signatures, isRecent } = claimOf(given, settings, now);
  if (signatures.length === 0) return 'form';
  if (!isRecent) return 'time';
  // A 401 would make the developer check the secrets, which are right.
  if (raw.kind === 'parsed') {
    throw new ConfigurationError(
      'body_already_read',
      'A body parser ran before the payments router and did not keep the bytes, so that the webhook’s signature cannot be checked. Mount the router before the parser, or let it keep them: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } }).',
    );
  }
  const digests = secrets.map((secret) =>
    createHmac(algorithm, secret).update(text).update(raw.bytes).digest(),
  );
  const matches = digests.flatMap((digest) =>
    signatures.map((signature) => timingSafeEqual(signature, digest)),
  );
  return matches.includes(true) ? null : 'secret';
}

/** What a header claims: one of the signatures over the text and the body behind it. */
function claimOf(header: string, settings: SignatureSettings, now: number) {
  if (!settings.timestamped) {
    return { text: '', signatures: decoded([header], settings), isRecent: true };
  }
  const parts = header.split(',').map((part) => part.trim());
  const [, seconds] =
    /^t=(\d{1,12})$/.exec(parts.find((part) => part.startsWith('t=')) ?? '') ?? [];
  const isRecent = Math.abs(Number(seconds) * 1_000 - now) <= TOLERANCE_MS;
  const given = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  return { text: `${seconds}.`, signatures: decoded(given, settings), isRecent };
}

/** The bytes of those texts that have the form and the length of a signature. */
function decoded(texts: readonly string[], { algorithm, encoding, prefix }: SignatureSettings) {
  return texts
    .filter((text) => text.startsWith(prefix))
    .map((text) => text.slice(prefix.length))
    .filter((text) => forms[encoding].test(text))
    .map((text) => Buffer.from(text, encoding))
    .filter((bytes) => bytes.length === digestBytes[algorithm]);
}

/** Longer than a store takes over a hint on a usual day, and short for a sender of webhooks. */
export const EQUAL_TIME_MS = 50;

/**
 * Waits for work, and then for the end of the current period since its start. Work that takes less
 * than a period seems to take the same time whatever it found: the timers do not depend on it.
 */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const period = () => new Promise((resolve) => setTimeout(resolve, EQUAL_TIME_MS));
  const first = period();
  const state = { isDone: false };
  const result = work().finally(() => (state.isDone = true));
  // A rejection is for the caller, who is given it at the end of the period.
  result.catch(() => undefined);
  await first;
  while (!state.isDone) await period();
  return result;
}

/**
 * The id of a transaction that a hint names, where a store can carry the text: the gateway may still know
 * no such transaction. A number says the same as its digits.
 */
export function hintedId(value: unknown): TransactionId | undefined {
  const read = wireIdOrNumber.safeParse(value);
  return read.success ? transactionId(read.data) : undefined;
}

/** The ids that a gateway may have added to a return: to its address, or to what it posts there. */
export const idsInReturn = (query: URLSearchParams, posted: unknown): readonly TransactionId[] =>
  ['transactionId', 'trans_id', 'id']
    .flatMap((name) => [query.get(name), valueAt(posted, `/${name}`)])
    .flatMap((value) => hintedId(value) ?? []);
