import type { Webhook } from '../../gateway/webhooks.ts';
import { html } from '../html.ts';
import { isRead } from '../portal.ts';
import { portalTexts, webhookTexts } from '../texts/portal.ts';
import type { Action } from './action.ts';
import { changePortal, type PortalMatter } from './portal-deed.ts';

/** Switches a webhook on or off. */
export const switchWebhook: Action<PortalMatter> = {
  name: 'switch-webhook',
  right: 'rotate',
  isPossible: (matter) => webhookOf(matter) !== undefined,
  fields: (matter, { language }) => {
    const { active, url = '' } = webhookOf(matter) ?? {};
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = active !== false;
    const label = isOn ? switchOff : switchOn;
    return html`<input type="hidden" name="to" value="${isOn ? 'off' : 'on'}" />
      <button class="quiet small" aria-label="${label}: ${url}" data-test="webhook-switch">
        ${label}
      </button>`;
  },
  question: (matter, fields, { language }) => {
    const texts = webhookTexts[language];
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = fields['to'] === 'on';
    return {
      title: texts.switchTitle(isOn, webhookOf(matter)?.url ?? ''),
      text: isOn ? texts.onText : texts.offText,
      button: isOn ? switchOn : switchOff,
      fields: { to: isOn ? 'on' : 'off' },
    };
  },
  run: ({ id }, fields, visit) => {
    const active = fields['to'] === 'on';
    const status = active ? 'on' : 'off';
    return changePortal(visit, { operation: 'updateWebhook', record: id, status }, async () => {
      await visit.office.payments.gateway.updateWebhook({ id, active });
      return active ? 'webhook_on' : 'webhook_off';
    });
  },
};

/** Deletes a webhook; one that is gone already is deleted. */
export const deleteWebhook: Action<PortalMatter> = {
  name: 'delete-webhook',
  right: 'rotate',
  isPossible: ({ portal, id }) => id !== '' && isRead(portal.webhooks),
  fields: (matter, { language }) => {
    const { remove } = webhookTexts[language];
    const { url = '' } = webhookOf(matter) ?? {};
    return html`<button
      class="quiet small"
      aria-label="${remove}: ${url}"
      data-test="webhook-delete"
    >
      ${remove}
    </button>`;
  },
  question: (matter, _fields, { language }) => {
    const { removeTitle, removeText, remove } = webhookTexts[language];
    return {
      title: removeTitle(webhookOf(matter)?.url ?? matter.id),
      text: removeText,
      button: remove,
      isFinal: true,
      fields: {},
    };
  },
  run: async (matter, _fields, visit) => {
    const { id } = matter;
    if (webhookOf(matter) === undefined) return 'webhook_deleted';
    return changePortal(visit, { operation: 'deleteWebhook', record: id }, async () => {
      await visit.office.payments.gateway.deleteWebhook({ id });
      return 'webhook_deleted';
    });
  },
};

/** The webhook that the address names. */
function webhookOf({ portal, id }: PortalMatter): Webhook | undefined {
  const webhooks = isRead(portal.webhooks) ? portal.webhooks : [];
  return id === '' ? undefined : webhooks.find((one) => one.id === id);
}
