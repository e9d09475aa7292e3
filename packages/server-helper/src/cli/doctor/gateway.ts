import { randomUUID } from 'node:crypto';
import { helpAddress } from '../../errors.ts';
import {
  createGatewayClient,
  type Drift,
  type DriftKind,
  GatewayError,
  type Transport,
  type Webhook,
} from '../../index.ts';
import { entryOf, isThisMachine, poolTransport } from '../../parts.ts';
import { routeAddress, type ShopSettings } from '../shop.ts';
import type { Diagnosis } from '../terminal.ts';
import {
  type Check,
  type CheckResult,
  type DoctorParts,
  fine,
  leftOut,
  notChecked,
  odd,
  type Words,
  wrong,
} from './check.ts';

/**
 * Asks about a session that does not exist: the gateway reads the key first, and no money can move.
 * Only where it answers 404, it is asked with a wrong key too, which it has to refuse.
 */
export const checkKeys: Check = async (parts) => {
  const keys = [parts.clientOptions.apiKey].flat();
  const nameAt = (index: number): string => (keys.length === 1 ? '' : `key ${index + 1}: `);
  return Promise.all(keys.map((key, index) => checkKey(parts, key, nameAt(index))));
};

async function checkKey(parts: DoctorParts, apiKey: string, which: string): Promise<CheckResult> {
  const startedAt = performance.now();
  const refusal = await askWith(parts, apiKey);
  const milliseconds = Math.round(performance.now() - startedAt);
  // It read the key and then found no such session, as it should.
  const isNotFound = refusal?.code === 'not_found';
  if (refusal !== null && !isNotFound && refusal.code !== 'invalid_request') {
    return { status: 'wrong', ...refusalOf(refusal, 'apiKey', which) };
  }
  // A server that is no gateway says 404 as well, whatever the key.
  if (isNotFound && (await askWith(parts, WRONG_KEY))?.code === 'not_found') {
    const said = refusal.gatewayMessages.map((message) => `: ${message}`).join('');
    return {
      status: 'wrong',
      what: `What answers at GATEWAY_BASE_URL answers 404 to a wrong key too${said}.`,
      why: 'The gateway reads the key first and refuses a wrong one, so another server answers, or the address has another path than the gateway’s.',
      fix: 'Copy the base URL from the gateway’s onboarding, with all of its path.',
      code: refusal.code,
      help: helpAddress('invalid_base_url'),
    };
  }
  return fine(`${which}the gateway takes it (${milliseconds} ms)`);
}

const WRONG_KEY = 'pay-button-doctor-no-key';

/** Asks about a session that does not exist. @returns the refusal, or null for a status. */
async function askWith(parts: DoctorParts, apiKey: string): Promise<GatewayError | null> {
  const { origin } = new URL(parts.clientOptions.baseUrl);
  const pool = poolTransport(origin, 1);
  const send: Transport['send'] = async (request) => {
    const answer = await pool.send(request);
    const gateway = Date.parse(String(answer.headers['date'] ?? ''));
    if (!Number.isNaN(gateway)) parts.gatewayTime = { gateway, machine: Date.now() };
    return answer;
  };
  const transport = { send, close: () => pool.close() };
  const client = createGatewayClient({ ...parts.clientOptions, apiKey, transport });
  try {
    await client.retrieveStatus({ sessionId: randomUUID() });
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error;
  } finally {
    if (apiKey !== WRONG_KEY) parts.drift.push(...client.drift());
    await client.close();
  }
}

export const checkPageOrigins: Check = async ({ clientOptions: { baseUrl, pageOrigins } }) => {
  if (pageOrigins !== undefined) return fine(pageOrigins.join(', '));
  if (isThisMachine(new URL(baseUrl).hostname)) return fine('of a sandbox on this machine');
  return odd('any_page_origin', {
    what: 'Shoppers are sent to whatever https page the gateway names.',
    why: 'An attacker who changes the gateway’s answer sends them to a page that only looks like its own.',
    fix: 'Set GATEWAY_PAGE_ORIGINS to the origin that the address bar of the hosted page shows. A shop whose own code gives gateway.pageOrigins may ignore this.',
  });
};

export const checkWebhook: Check = async ({ clientOptions, settings, drift }) => {
  if (clientOptions.portal === undefined) {
    const why = 'Webhooks are listed by the portal, and its login is not set.';
    const fix =
      'Set GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD, or look at the dashboard. Without a webhook payments are found later, by the shopper’s return and the background checks.';
    return notChecked(why, fix, 'portal_not_configured');
  }
  const client = createGatewayClient(clientOptions);
  try {
    const { webhooks } = await client.listWebhooks();
    const wanted = routeAddress(settings, 'webhook');
    return wanted === null ? leftOut('webhook') : judgeWebhooks(webhooks, wanted);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { status: 'wrong', ...refusalOf(error, 'portal', '') };
  } finally {
    drift.push(...client.drift());
    await client.close();
  }
};

function judgeWebhooks(webhooks: readonly Webhook[], wanted: string): CheckResult {
  // A key may follow in the path; it is a secret, and is not shown.
  const own = webhooks.filter(({ url }) => url === wanted || url.startsWith(`${wanted}/`));
  if (own.some(({ active }) => active !== false)) return fine(`registered at ${wanted}`);
  const why =
    'A payment whose shopper never comes back would be found later, by the background checks alone.';
  if (own.length > 0) {
    return wrong('webhook_inactive', {
      what: `The webhook at ${wanted} is registered and not active.`,
      why,
      fix: 'Turn it on in the dashboard, in the back office, or by payments.gateway.updateWebhook({ id, active: true }).',
    });
  }
  return wrong('webhook_missing', {
    what: `None of the ${webhooks.length} registered webhooks points to ${wanted}`,
    why,
    fix: 'Run npx pay-button webhook create, or register it in the dashboard.',
  });
}

/** What the gateway's answers to the other checks had that is not expected; it sends nothing itself. */
export const checkAnswers: Check = async ({ drift, gatewayTime, settings }) => {
  if (drift.length > 0) return drift.map(oddAnswer);
  if (gatewayTime === null) {
    return notChecked('The gateway gave no answer.', 'Mend the connection to the gateway first.');
  }
  const profile = profileNameOf(settings);
  return fine(`about an unknown session, as ${profile} says; first-contact sees a paid one`);
};

/** The profile of these settings, as its file is called. */
export function profileNameOf({ options }: Pick<ShopSettings, 'options'>): string {
  const { profile } = options.gateway;
  return typeof profile === 'string' ? `the profile ${profile}` : 'the usual profile';
}

const words: Readonly<Record<DriftKind, (field: string) => string>> = {
  unknown_field: (field) => `has a field that is not known: ${field}`,
  unknown_word: (field) => `has a word that is not known in ${field}`,
  other_type: (field) => `has another type than stated in ${field}`,
  other_envelope: (field) => `${field === '' ? 'has' : 'refuses in'} another envelope than stated`,
  unexpected_status: (field) => `has the HTTP status ${field}, which is not expected`,
  unreadable_answer: (field) => `cannot be read${field === '' ? '' : ` at ${field}`}`,
  refused_signature: (field) => `is not signed as the profile says: ${field}`,
  unfollowed_hint: () => 'names no payment, or no transaction, where the profile says',
};

function oddAnswer(drift: Drift): CheckResult {
  const entry = entryOf(drift);
  return odd(drift.kind, {
    what: `The answer to ${drift.operation} ${words[drift.kind](drift.field)}.`,
    why: 'The gateway reads its specification otherwise than this kit and the profile; a payment can then stay pending.',
    fix:
      entry === undefined
        ? 'The profile has no entry for it: compare GATEWAY_BASE_URL with the gateway’s onboarding, and show this line to its support.'
        : `If the gateway means it so, say so in the profile (GATEWAY_PROFILE): ${entry}.`,
  });
}

type Credential = 'apiKey' | 'portal';

const DASHBOARD = 'that environment’s dashboard, under Settings, API Credentials';

/** Explains the gateway’s refusal or silence to an operator, and distinguishes the 401s (§7). */
function refusalOf(error: GatewayError, credential: Credential, which: string): Diagnosis {
  const { code } = error;
  const reasons = error.httpStatus === 401 ? refusedCredential(error, credential) : noAnswer(error);
  return { ...reasons, what: `${which}${reasons.what}`, code, help: helpAddress(code) };
}

function refusedCredential({ code, gatewayMessages }: GatewayError, credential: Credential): Words {
  const said = gatewayMessages.join(' ');
  const isKey = credential === 'apiKey';
  if (code === 'wrong_environment') {
    return {
      what: `The gateway says that ${isKey ? 'the key' : 'the login'} is of another environment.`,
      why: 'A credential works in the environment that made it only.',
      fix: `Take it from ${DASHBOARD}, and let GATEWAY_ENVIRONMENT and GATEWAY_BASE_URL name the same one.`,
    };
  }
  if (code === 'wrong_credential_type') {
    return {
      what: 'The gateway says that this credential is of the wrong type.',
      why: 'API keys open payments, and the portal’s login opens webhooks and credentials; neither opens the other.',
      fix: 'Put the key from the dashboard into GATEWAY_API_KEY, and the portal’s login into GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD.',
    };
  }
  if (/merchant\b.*\bnot\b.*\b(?:found|synchroni[sz]ed)|unknown merchant/i.test(said)) {
    return {
      what: 'The gateway does not find the merchant of this credential.',
      why: 'The merchant’s record is missing there, or not synchronized yet.',
      fix: 'Ask the gateway’s support: nothing in your settings can mend it.',
    };
  }
  if (/missing|absent|required|not provided/i.test(said)) {
    return {
      what: `The gateway saw no ${isKey ? 'API key' : 'portal token'}, though we sent one.`,
      why: `Something on the way takes the header ${isKey ? 'x-api-key' : 'Authorization'} off.`,
      fix: 'Look at the proxies between the shop and the gateway, and at GATEWAY_BASE_URL.',
    };
  }
  return isKey
    ? {
        what: 'The gateway refuses the API key.',
        why: 'It is wrong, inactive or revoked, or of the other environment.',
        fix: `Take the active key from ${DASHBOARD}.`,
      }
    : {
        what: 'The gateway refuses the portal’s login or its token.',
        why: 'The username or password is wrong, or the token was revoked at once.',
        fix: 'Log in to the dashboard by hand with the same two, and correct GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD.',
      };
}

function noAnswer({ code, httpStatus, message }: GatewayError): Words {
  if (code === 'connection_failed') {
    return {
      what: `No connection to the gateway: ${message}`,
      why: 'Without it no payment link can be made.',
      fix: 'Check GATEWAY_BASE_URL, name resolution, the firewall and the outgoing proxy.',
    };
  }
  if (code === 'timeout') {
    return {
      what: 'The gateway did not answer in time.',
      why: 'Shoppers would wait as long.',
      fix: 'Try again; if it lasts, check the network and the gateway’s status page.',
    };
  }
  if (code === 'redirected' || code === 'unreadable_answer') {
    return {
      what: `What answers at GATEWAY_BASE_URL does not speak like the gateway: ${message}`,
      why: 'A proxy, a maintenance page or another server answers.',
      fix: 'Copy the base URL from the gateway’s onboarding, and look at the proxies between.',
    };
  }
  return {
    what: `The gateway answered ${httpStatus === undefined ? code : `HTTP ${httpStatus}`}.`,
    why: 'Payments fail while it does.',
    fix: 'Try again in a moment; if it lasts, tell the gateway’s support.',
  };
}
