import { html } from '../html.ts';
import { code } from '../parts.ts';
import { isRead, markOf } from '../portal.ts';
import { webhookTexts } from '../texts/portal.ts';
import type { Action } from './action.ts';
import { makeOnce, MARK_FIELD, oncePage, sealedPage, type PortalMatter } from './portal-deed.ts';

/** Creates a webhook; the gateway gives its secret in the answer alone. */
export const createWebhook: Action<PortalMatter> = {
  name: 'create-webhook',
  right: 'rotate',
  isPossible: ({ portal }) => isRead(portal.webhooks),
  fields: (_matter, { language, office }, entered) => {
    const texts = webhookTexts[language];
    const { webhookUrl, takesSignedOnly } = office.parts;
    const url = entered?.fields['url'] ?? webhookUrl ?? '';
    const isOn = entered === undefined ? !takesSignedOnly : entered.fields['active'] === 'yes';
    return html`<div class="field grow">
        <label for="webhook-url">${texts.url}</label>
        <input
          id="webhook-url"
          name="url"
          type="url"
          required
          maxlength="2000"
          dir="ltr"
          value="${url}"
          data-test="webhook-url"
          ${entered !== undefined && html`aria-invalid="true" aria-describedby="mistake"`}
        />
        <p class="hint">${webhookUrl === null ? texts.noRoute : texts.ownHint}</p>
      </div>
      <p>
        <label class="choice">
          <input type="checkbox" name="active" value="yes" ${isOn && html`checked`} />
          ${texts.active}
        </label>
      </p>
      ${takesSignedOnly && html`<p class="hint">${texts.activeHint}</p>`}
      <button class="quiet" data-test="webhook-add">${texts.add}</button>`;
  },
  question: ({ portal }, fields, { language }) => {
    const texts = webhookTexts[language];
    const url = (fields['url'] ?? '').trim();
    const { protocol } = URL.parse(url) ?? {};
    if (protocol !== 'https:' && protocol !== 'http:') return { mistake: texts.badUrl };
    const webhooks = isRead(portal.webhooks) ? portal.webhooks : [];
    const isTwice = webhooks.some((one) => one.url === url);
    const active = fields['active'] === 'yes' ? 'yes' : 'no';
    return {
      title: texts.create.title,
      text: html`<p>${code(url)}</p>
        <p>${texts.create.text}</p>
        ${isTwice && html`<p class="warning">${texts.create.same}</p>`}`,
      button: texts.create.yes,
      fields: { url, active, [MARK_FIELD]: markOf(webhooks) },
    };
  },
  run: ({ portal }, fields, visit, requestId) => {
    const mark = markOf(isRead(portal.webhooks) ? portal.webhooks : []);
    const change = { operation: 'createWebhook', mark, requestId } as const;
    return makeOnce(visit, fields, change, async () => {
      const url = (fields['url'] ?? '').trim();
      const isOn = fields['active'] === 'yes';
      const { gateway } = visit.office.payments;
      const made = await gateway.createWebhook({ url, events: [], active: isOn });
      const { done: title, secret: name, steps } = webhookTexts[visit.language].create;
      if (made.secret === null) return sealedPage(visit, made.body?.read() ?? '');
      const setting = `GATEWAY_WEBHOOK_SECRET=${made.secret}`;
      return oncePage(visit, {
        title,
        lead: html`<p>${code(url)}</p>`,
        name,
        secret: made.secret,
        steps: [
          html`${steps.keep} ${code(setting)}`,
          steps.restart,
          ...(isOn ? [] : [steps.switchOn]),
        ],
      });
    });
  },
};
