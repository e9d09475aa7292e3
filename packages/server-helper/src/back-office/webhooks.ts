import type { Webhook } from '../gateway/schemas/portal.ts';
import { actionForm, type Action } from './action.ts';
import { html, type Html, code, panel, byLanguage, isolated } from './html.ts';
import {
  isRead,
  type Portal,
  deedOf,
  folded,
  switchBadge,
  recordList,
  markOf,
  makeOnce,
  MARK_FIELD,
  oncePage,
  sealedPage,
  type PortalMatter,
  portalTexts,
  changePortal,
} from './portal.ts';
import type { Visit } from './visit.ts';

export async function webhooksPanel(visit: Visit, portal: Portal): Promise<Html> {
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
      ${await recordList(visit, webhooks, (webhook) => webhookItem(visit, portal, webhook))}
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

/** The texts of webhooks. */
export const webhookTexts = byLanguage({
  title: ['Webhooks', 'الإشعارات'],
  lead: `By a webhook the gateway tells the shop of a payment at once. Without one, payments are found by the shopper’s return and by the background checks.
    تُبلغ البوابة متجرك بالدفعة فورًا عبر الإشعارات. ومن دونها تُكتشف الدفعات عند عودة المتسوق أو بالتحقق الدوري.`,
  ownMissing: `No webhook that is on leads to this shop.
    لا يوجد إشعار مفعّل يصل إلى هذا المتجر.`,
  own: ['This shop', 'هذا المتجر'],
  allEvents: ['All events', 'كل الأحداث'],
  url: ['Address', 'العنوان'],
  ownHint: ['The shop takes webhooks at this address.', 'يستقبل المتجر الإشعارات على هذا العنوان.'],
  noRoute: ['The shop’s routes leave webhooks out.', 'مسارات هذا المتجر لا تستقبل الإشعارات.'],
  active: ['On from the start', 'مفعّل من البداية'],
  activeHint: `The shop takes signed webhooks only. Leave this off: first give the new secret to every process, then switch the webhook on, so that no notification is refused.
    يقبل المتجر الإشعارات الموقّعة فقط. اتركه متوقفًا: زوّد كل خوادم المتجر بالمفتاح الجديد أولًا، ثم شغّل الإشعار، حتى لا يُرفض أي إشعار.`,
  add: ['Create a webhook', 'إنشاء إشعار'],
  badUrl: `Write a whole address that begins with https:// or http://.
    اكتب عنوانًا كاملًا يبدأ بـ ⁨https://⁩ أو ⁨http://⁩.`,
  create: {
    title: ['Create this webhook?', 'هل تريد إنشاء هذا الإشعار؟'],
    text: `The gateway will send all events to this address. Its signing secret is shown once, on the next page.
      سترسل البوابة كل الأحداث إلى هذا العنوان. يُعرض مفتاح التوقيع مرة واحدة في الصفحة التالية.`,
    same: `There is a webhook to this address already. Two are needed only while a secret is replaced; a payment that is told twice is recorded once.
      يوجد إشعار إلى هذا العنوان. لا حاجة إلى اثنين إلا عند استبدال المفتاح، والدفعة التي تُبلَّغ مرتين تُسجَّل مرة واحدة.`,
    yes: ['Create', 'إنشاء'],
    done: ['The webhook is made', 'أُنشئ الإشعار'],
    secret: ['signing secret', 'مفتاح التوقيع'],
    steps: {
      keep: `Keep it with the shop’s settings. While an older webhook is in use, keep both, the new one first:
        احفظه مع إعدادات المتجر. وما دام إشعار أقدم قيد الاستخدام، احفظ الاثنين والجديد أولًا:`,
      restart: `Restart the shop’s processes, one after the other.
        أعد تشغيل خوادم المتجر واحدًا تلو الآخر.`,
      switchOn: `Then switch the webhook on here, and delete the older one.
        ثم شغّل الإشعار من هنا، واحذف الأقدم.`,
    },
  },
  switchTitle: (
    isOn: boolean,
    url: string,
  ) => `Switch ${isOn ? 'on' : 'off'} the webhook to ${isolated(url)}?
    هل تريد ${isOn ? 'تشغيل' : 'إيقاف'} الإشعار إلى ${isolated(url)}؟`,
  onText: `The gateway sends events to it from now on. If its secret is not in every process yet, notifications are refused.
    ترسل البوابة إليه الأحداث من الآن. إن لم يكن مفتاحه في كل خوادم المتجر بعد فستُرفض الإشعارات.`,
  offText: `The gateway tells nothing by it until it is switched on again. Payments are then found later, by the background checks.
    لن تُبلغ البوابة بشيء عبره حتى يُشغَّل من جديد، فتُكتشف الدفعات لاحقًا بالتحقق الدوري.`,
  remove: ['Delete', 'حذف'],
  removeTitle: (url: string) => `Delete the webhook to ${isolated(url)}?
    هل تريد حذف الإشعار إلى ${isolated(url)}؟`,
  removeText: `This cannot be undone: a new webhook has a new secret. Payments are then found later, by the background checks, unless another webhook leads to the shop.
    لا يمكن التراجع: للإشعار الجديد مفتاح جديد. وتُكتشف الدفعات لاحقًا بالتحقق الدوري ما لم يصل إشعار آخر إلى المتجر.`,
});
