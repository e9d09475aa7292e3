import { createHmac } from 'node:crypto';
import { helpAddress, nameOf } from '../../errors.ts';
import { type Fields, isFields, parseJson } from '../../parts.ts';
import { routeAddress, type ShopSettings } from '../shop.ts';
import * as check from './check.ts';

type ShopAnswer = Exclude<Awaited<ReturnType<typeof ask>>, string>;

const ANSWER_WITHIN_MS = 8_000;
const MOST_CHARACTERS = 2_000_000;

/** Sends the shop a request and follows no redirect. @returns why there is no answer, as a code. */
export async function ask(url: string, init: RequestInit = {}) {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await fetch(url, { redirect: 'manual', signal, ...init });
    const text = (await response.text()).slice(0, MOST_CHARACTERS);
    const type = response.headers.get('content-type') ?? '';
    const { status, headers } = response;
    const read = parseJson(text);
    /** Empty when it is no JSON object. */
    const json: Fields = isFields(read) ? read : {};
    return { status, type, headers, text, json };
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return nameOf(cause ?? error);
  }
}

export const isProblem = ({ code, type }: Fields, ...codes: readonly string[]): boolean =>
  codes.some((one) => one === code && type === helpAddress(one));

export const checkPublicUrl: check.Check = async ({ settings }) => {
  const url = routeAddress(settings, 'health');
  if (url === null) return check.leftOut('health');
  const token = settings.options.health?.token;
  const headers: Readonly<Record<string, string>> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await ask(url, { headers });
  if (typeof answer === 'string') {
    return check.wrong('public_url_unreachable', {
      what: `${url} cannot be reached from here (${answer}).`,
      why: 'Shoppers who have paid come back to addresses below PUBLIC_URL, and webhooks go there.',
      fix: 'Start the shop; check name, certificate and proxy. If this machine may not reach it, run the doctor from elsewhere.',
    });
  }
  const { status, version, reason, store } = answer.json;
  const release = typeof version === 'string' ? `, release ${version}` : '';
  if (status === 'ok') return check.fine(`${url} answers${release}`);
  if (status === 'degraded') return degraded(answer);
  if (status === 'unavailable') {
    const why = typeof reason === 'string' ? ` (${reason})` : '';
    const does = store === 'not_writable' ? 'write to' : 'reach';
    return check.wrong('store_unavailable', {
      what: `The shop answers, and says that it cannot ${does} its store${why}.`,
      why: 'No payment can be started or recorded while this lasts.',
      fix: 'Look at the database, and at the shop’s DATABASE_URL and log.',
    });
  }
  return (await belowNoPath(settings, url)) ?? notOurs(url, answer);
};

/** The finding that the router answers at the mount, and not below the path of the public address. */
async function belowNoPath(settings: ShopSettings, url: string): Promise<check.CheckResult | null> {
  const { origin, pathname } = new URL(settings.options.publicUrl);
  const found = `${origin}${settings.mountPath}${settings.routes.health}`;
  const answer = found === url ? '' : await ask(found);
  // The status of a health is a word, and that of a problem a number.
  if (typeof answer === 'string' || typeof answer.json['status'] !== 'string') return null;
  return check.wrong('path_not_stripped', {
    what: `The router answers at ${found}, and something else at ${url}.`,
    why: 'Shoppers who have paid come back below PUBLIC_URL.',
    fix: `Let the proxy take ${pathname} off, or mount the router at ${pathname.replace(/\/$/, '')}${settings.mountPath} (mountPath too), or leave the path out of PUBLIC_URL.`,
  });
}

function degraded({ json }: ShopAnswer): check.CheckResult {
  const findings = Array.isArray(json['findings']) ? json['findings'].map(String) : [];
  const isStranger = findings.length === 0;
  return check.odd('shop_degraded', {
    what: `The shop takes payments, and says: ${isStranger ? 'degraded' : findings.join(', ')}.`,
    why: 'Something waits that should not, or needs a person.',
    fix: isStranger
      ? 'Set PAY_HEALTH_TOKEN for the shop and the doctor, which then learns what it is.'
      : 'Look each word up; is payments.start() called, or payments.tick() from cron?',
    help: check.helpOf('health'),
  });
}

function notOurs(url: string, { status, json }: ShopAnswer): check.CheckResult {
  if (isProblem(json, 'mount_mismatch')) {
    return check.wrong('mount_mismatch', {
      what: 'The router is mounted at another path than its option mountPath says.',
      why: 'The addresses that shoppers come back to would lead nowhere.',
      fix: 'Let app.use and the option mountPath name the same path.',
      help: helpAddress('mount_mismatch'),
    });
  }
  return check.wrong('router_not_found', {
    what: `${url} answers HTTP ${status}, and not as the payments router does.`,
    why: 'The router is not mounted there, or something before it answers.',
    fix: 'Mount it before any catch-all route, and give --mount if it is not /pay. Where a proxy serves the shop below a path, PUBLIC_URL ends in that path. A shop that renamed its health route says so in pay.config.',
  });
}

/** No order has this id, and no link this name, so that neither is looked for. */
const STRAY = JSON.stringify({ orderId: '?doctor' });

/** Sends a checkout or a webhook what it refuses, or what changes nothing. */
export const sendStray = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: STRAY,
  });

/** Whether requests arrive at the router whole: in their order, with their bodies. */
export const checkRequests: check.Check = async ({ settings }) => {
  const address = routeAddress(settings, 'checkout');
  if (address === null) return check.leftOut('checkout');
  const checkout = await sendStray(address);
  if (typeof checkout === 'string') return unchecked('The shop cannot be reached from here.');
  if (isProblem(checkout.json, 'store_unavailable', 'internal_error')) {
    return unchecked('The router answers that it cannot work; the shop’s log says why.');
  }
  const statuses = routeAddress(settings, 'status');
  const status = statuses === null ? null : judgeStatus(await ask(`${statuses}/doctor`));
  const webhooks = routeAddress(settings, 'webhook');
  const { gateway, webhookSecrets: [secret] = [] } = settings.options;
  const sign = (key: string) => createHmac('sha256', key).update(STRAY).digest('hex');
  // A profile may name another form of signatures, which is not known here.
  const isSignable = secret === undefined || gateway.profile === undefined;
  const signature = secret === undefined ? {} : { 'x-signature': sign(secret) };
  const webhook = webhooks && isSignable ? await sendStray(webhooks, signature) : 'not asked';
  const posted = judgePosted('checkout', checkout) ?? judgePosted('webhook', webhook);
  const problems = [posted, status].filter((one) => one !== null);
  const strangers = statuses === null ? '' : ', the status keeps strangers out';
  return problems.length > 0 ? problems : check.fine(`the checkout reads bodies${strangers}`);
};

const unchecked = (why: string): check.CheckResult =>
  check.notChecked(why, 'Mend the public URL first.');

function judgePosted(route: 'checkout' | 'webhook', answer: ShopAnswer | string) {
  if (typeof answer === 'string' || (route === 'webhook' && answer.text === '{}')) return null;
  const { status, json } = answer;
  if (isProblem(json, 'invalid_order', 'invalid_signature', 'too_many_requests')) return null;
  if (isProblem(json, 'body_already_read', 'internal_error')) {
    return check.wrong('body_already_read', {
      what: `The ${route} does not get the request’s body as it was sent.`,
      why: 'Something before the router reads it.',
      fix: 'Mount the router before it, or let it set request.body and, for signed webhooks, request.rawBody; the shop’s log says more.',
      help: helpAddress('body_already_read'),
    });
  }
  return check.wrong(`${route}_not_found`, {
    what: `The ${route} answers HTTP ${status}, and not as the payments router does.`,
    why: 'Something before the router answers, or takes such requests away: another route, a login, a CSRF check.',
    fix: `Mount the router before it, or let it pass POST to the checkout and the webhook. A shop that renamed its ${route} says so in pay.config.`,
  });
}

function judgeStatus(answer: ShopAnswer | string): check.CheckResult | null {
  if (typeof answer === 'string') return null;
  if (isProblem(answer.json, 'not_found', 'too_many_requests')) return null;
  return check.odd('status_not_found', {
    what: `The status route answers HTTP ${answer.status}, and not as the payments router does.`,
    why: '<pay-status> asks there.',
    fix: 'Let routes.status of pay.config be as in the shop’s code.',
  });
}
