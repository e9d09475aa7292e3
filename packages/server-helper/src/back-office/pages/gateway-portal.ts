import type { Answer } from '../../edges/http.ts';
import type { GatewayError } from '../../gateway/gateway-error.ts';
import { maskedKey } from '../../gateway/quotable.ts';
import type { ApiCredential, SdkToken } from '../../gateway/portal.ts';
import type { Webhook } from '../../gateway/webhooks.ts';
import type { KeyTrial } from '../../payments-parts.ts';
import type { Action } from '../actions/action.ts';
import { deleteWebhook, switchWebhook } from '../actions/change-webhook.ts';
import { createWebhook } from '../actions/create-webhook.ts';
import type { PortalMatter } from '../actions/portal-deed.ts';
import { rotateKey } from '../actions/rotate-key.ts';
import { createSdkToken, switchSdkToken } from '../actions/sdk-tokens.ts';
import { instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import type { Visit } from '../office.ts';
import { badge, code, panel } from '../parts.ts';
import { isRead, type Portal, readPortal } from '../portal.ts';
import { problemAnswer } from '../problems.ts';
import { actionAnswer, actionForm, type Deed } from '../run-action.ts';
import { keyTexts, portalTexts, tokenTexts, webhookTexts } from '../texts/portal.ts';
import { shortened } from './key-list.ts';

const deedOf = (action: Action<PortalMatter>, subject: PortalMatter): Deed<PortalMatter> => ({
  action,
  subject,
  page: 'gateway',
  section: 'gateway',
  ...(subject.id !== '' && { naming: { id: subject.id } }),
});

/** Answers one action about what the portal holds. */
export async function portalActionPage(
  visit: Visit,
  action: Action<PortalMatter>,
): Promise<Answer> {
  const portal = await readPortal(visit);
  if (portal === null) return problemAnswer(visit, 'not_found', { back: 'gateway' });
  return actionAnswer(visit, deedOf(action, { portal, id: visit.query['id'] ?? '' }));
}

/** What the portal holds, with the forms to change it; without a login for it, what to set. */
export async function portalPanels(
  visit: Visit,
  portal: Portal | null,
  trials: readonly KeyTrial[],
): Promise<Html> {
  if (portal === null) return missingPanel(visit);
  return html`${await keysPanel(visit, portal, trials)} ${await webhooksPanel(visit, portal)}
  ${await tokensPanel(visit, portal)}`;
}

function missingPanel({ language, office }: Visit): Html {
  const { missing } = portalTexts[language];
  const { webhookUrl } = office.parts;
  return panel(
    'portal',
    missing.title,
    html`<p>${missing.text}</p>
      <p>${code('GATEWAY_PORTAL_USERNAME')} ${code('GATEWAY_PORTAL_PASSWORD')}</p>
      <p>${missing.inCode} ${code('gateway: { portal: { username, password } }')}</p>
      ${
        webhookUrl !== null &&
        html`<p class="hint">${missing.meanwhile}</p>
          <p class="link">
            <code dir="ltr" data-copy="${webhookTexts[language].url}">${webhookUrl}</code>
          </p>`
      }`,
  );
}

async function webhooksPanel(visit: Visit, portal: Portal): Promise<Html> {
  const texts = webhookTexts[visit.language];
  const { webhookUrl } = visit.office.parts;
  const { webhooks } = portal;
  const leadsHere =
    isRead(webhooks) &&
    webhooks.some(({ url, active }) => isSame(url, webhookUrl) && active !== false);
  const isMissing = isRead(webhooks) && webhookUrl !== null && !leadsHere;
  return panel(
    'webhooks',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${isMissing && html`<p class="warning" data-test="webhook-missing">${texts.ownMissing}</p>`}
      ${await list(visit, webhooks, (webhook) => webhookItem(visit, portal, webhook))}
      ${await folded(visit, createWebhook, { portal, title: texts.add, isOpen: isMissing })}`,
  );
}

/** Whether a webhook leads to the shop. The names of this machine are one name. */
const isSame = (url: string, own: string | null): boolean =>
  own !== null && byOneName(url) === byOneName(own);

const byOneName = (url: string): string =>
  url.replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=[:/])/, '$1localhost');

async function webhookItem(visit: Visit, portal: Portal, webhook: Webhook): Promise<Html> {
  const texts = webhookTexts[visit.language];
  const { id, url, active, events = [] } = webhook;
  const subject = { portal, id };
  return html`<li data-test="webhook">
    <p class="line">
      ${code(url)} <span class="end">${switchBadge(visit, active !== false)}</span>
    </p>
    <p class="muted line">
      ${isSame(url, visit.office.parts.webhookUrl) && html`<span>${texts.own}</span>`}
      <span>${events.length === 0 ? texts.allEvents : html`<bdi>${events.join(', ')}</bdi>`}</span>
    </p>
    <div class="buttons">
      ${await actionForm(visit, deedOf(switchWebhook, subject))}
      ${id !== '' && (await actionForm(visit, deedOf(deleteWebhook, subject)))}
    </div>
  </li>`;
}

async function keysPanel(visit: Visit, portal: Portal, trials: readonly KeyTrial[]): Promise<Html> {
  const texts = keyTexts[visit.language];
  return panel(
    'credentials',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${await list(visit, portal.credentials, async (one) => keyItem(visit, one, trials))}
      ${await actionForm(visit, deedOf(rotateKey, { portal, id: '' }))}`,
  );
}

/** The gateway may give the key in full, so it is masked here again. */
function keyItem(visit: Visit, credential: ApiCredential, trials: readonly KeyTrial[]): Html {
  const texts = keyTexts[visit.language];
  const { apiKey, status } = credential;
  const masked = maskedKey(apiKey);
  const isUsed = trials.some((one) => one.masked.slice(-4) === masked.slice(-4));
  const states = { ACTIVE: ['succeeded', texts.active], REVOKED: ['expired', texts.revoked] };
  const [state = '', words = ''] = states[status as keyof typeof states] ?? ['', status ?? ''];
  return html`<li data-test="key" data-status="${status ?? ''}">
    <p class="line">
      ${code(shortened(masked))}
      ${words !== '' && html`<span class="end">${badge(state, words)}</span>`}
    </p>
    <p class="muted line">
      ${isUsed && html`<span data-test="key-used">${texts.used}</span>`} ${times(visit, credential)}
    </p>
  </li>`;
}

async function tokensPanel(visit: Visit, portal: Portal): Promise<Html> {
  const texts = tokenTexts[visit.language];
  return panel(
    'sdk-tokens',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${await list(visit, portal.sdkTokens, (token) => tokenItem(visit, portal, token))}
      ${await folded(visit, createSdkToken, { portal, title: texts.add })}`,
  );
}

async function tokenItem(visit: Visit, portal: Portal, token: SdkToken): Promise<Html> {
  const { id, name = id, type, terminalId, status } = token;
  const details = [type, terminalId].filter((one) => one !== undefined && one !== '');
  return html`<li data-test="token">
    <p class="line">
      <bdi>${name}</bdi> <span class="end">${switchBadge(visit, status === 'ACTIVE')}</span>
    </p>
    <p class="muted line">${details.map((one) => code(one ?? ''))} ${times(visit, token)}</p>
    <div class="buttons">${await actionForm(visit, deedOf(switchSdkToken, { portal, id }))}</div>
  </li>`;
}

/** A form of several fields, which few visits need. */
async function folded(
  visit: Visit,
  action: Action<PortalMatter>,
  about: { readonly portal: Portal; readonly title: string; readonly isOpen?: boolean },
): Promise<Html> {
  const { portal, title, isOpen = false } = about;
  const form = await actionForm(visit, deedOf(action, { portal, id: '' }));
  return form === nothing
    ? nothing
    : html`<details ${isOpen && html`open`}>
        <summary>${title}</summary>
        ${form}
      </details>`;
}

function switchBadge({ language }: Visit, isOn: boolean): Html {
  const { on, off } = portalTexts[language];
  return badge(isOn ? 'succeeded' : 'expired', isOn ? on : off);
}

/** The gateway spells times in its own way: what is no known time stays as it came. */
function times(visit: Visit, record: Pick<ApiCredential, 'createdAt' | 'expiresAt'>): Html {
  const { created, ends } = portalTexts[visit.language];
  const shown = (text: string): Html => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? html`<bdi>${text}</bdi>` : instant(visit, new Date(at).toISOString());
  };
  const { createdAt, expiresAt } = record;
  return html`${
    createdAt !== undefined && createdAt !== '' && html`<span>${created} ${shown(createdAt)}</span>`
  }
  ${expiresAt !== undefined && expiresAt !== '' && html`<span>${ends} ${shown(expiresAt)}</span>`}`;
}

async function list<T>(
  { language }: Visit,
  records: readonly T[] | GatewayError,
  item: (record: T) => Promise<Html>,
): Promise<Html> {
  const { notRead, none } = portalTexts[language];
  if (!isRead(records)) {
    return html`<p class="mistake" data-test="list-unread">${notRead}</p>
      <p class="hint" dir="auto">${records.message}</p>`;
  }
  if (records.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ul class="cards records">
    ${await Promise.all(records.map(item))}
  </ul>`;
}
