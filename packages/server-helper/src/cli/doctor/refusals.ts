import { helpAddress } from '../../errors.ts';
import type { GatewayError } from '../../gateway/gateway-error.ts';
import type { Diagnosis } from '../terminal.ts';

type Credential = 'apiKey' | 'portal';

const DASHBOARD = 'that environment’s dashboard, under Settings, API Credentials';

/** Explains the gateway’s refusal or silence to an operator, and distinguishes the 401s (§7). */
export function refusalOf(error: GatewayError, credential: Credential, which: string): Diagnosis {
  const { code } = error;
  const reasons = error.httpStatus === 401 ? refusedCredential(error, credential) : noAnswer(error);
  return { ...reasons, what: `${which}${reasons.what}`, code, help: helpAddress(code) };
}

/** What answers 404 to every key: another server, or the gateway at an address that it does not know. */
export const notTheGateway = ({ code, gatewayMessages }: GatewayError): Diagnosis => ({
  what: `What answers at GATEWAY_BASE_URL answers 404 to a wrong key too${gatewayMessages.map((said) => `: ${said}`).join('')}.`,
  why: 'The gateway reads the key first and refuses a wrong one, so another server answers, or the address has another path than the gateway’s.',
  fix: 'Copy the base URL from the gateway’s onboarding, with all of its path.',
  code,
  help: helpAddress('invalid_base_url'),
});

type Reasons = Omit<Diagnosis, 'code' | 'help'>;

function refusedCredential(
  { code, gatewayMessages }: GatewayError,
  credential: Credential,
): Reasons {
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
    return isKey
      ? {
          what: 'The gateway saw no API key, though we sent one.',
          why: 'Something on the way takes the header x-api-key off.',
          fix: 'Look at the proxies between the shop and the gateway, and at GATEWAY_BASE_URL.',
        }
      : {
          what: 'The gateway saw no portal token, though we sent one.',
          why: 'Something on the way takes the header Authorization off.',
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

function noAnswer({ code, httpStatus, message }: GatewayError): Reasons {
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
