import type { Webhook } from '../index.ts';
import { type Action, actionForm, hidden, invalid } from './action.ts';
import { byLanguage, code, field, html, type Html, panel } from './html.ts';
import {
  changePortal,
  folded,
  isRead,
  makeOnce,
  markField,
  oncePage,
  type Portal,
  portalDeed,
  type PortalMatter,
  portalTexts,
  recordList,
  recordsOf,
  sealedPage,
  switchBadge,
  switchedTo,
} from './portal.ts';
import type { Fields, Visit } from './visit.ts';

/** The webhooks that the gateway has, with the forms to change them. */
export async function webhooksPanel(visit: Visit, portal: Portal): Promise<Html> {
  const texts = webhookTexts[visit.language];
  const { webhookUrl } = visit.office.parts;
  const { webhooks } = portal;
  const leadsHere = recordsOf(webhooks).some(
    ({ url, active }) => isSame(url, webhookUrl) && active !== false,
  );
  const isMissing = isRead(webhooks) && webhookUrl !== null && !leadsHere;
  return panel(
    'webhooks',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${isMissing && html`<p class="warning" data-test="webhook-missing">${texts.ownMissing}</p>`}
      ${await recordList(visit, webhooks, (webhook) => webhookItem(visit, portal, webhook))}
      ${await folded(visit, createWebhook, portal, isMissing)}`,
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
      ${await actionForm(visit, portalDeed(switchWebhook, subject, url))}
      ${id !== '' && (await actionForm(visit, portalDeed(deleteWebhook, subject, url)))}
    </div>
  </li>`;
}

/** Creates a webhook; the gateway gives its secret in the answer alone. */
export const createWebhook: Action<PortalMatter> = {
  name: 'create-webhook',
  right: 'rotate',
  testId: 'webhook-add',
  texts: (language) => ({ button: webhookTexts[language].add }),
  isPossible: ({ portal }) => isRead(portal.webhooks),
  fields: (_matter, { language, office }, typed) => {
    const texts = webhookTexts[language];
    const { webhookUrl, takesSignedOnly } = office.parts;
    const value = typed?.['url'] ?? webhookUrl ?? '';
    const isOn = typed === undefined ? !takesSignedOnly : typed['active'] === 'yes';
    return html`${field(
        { id: 'webhook-url', name: 'url', label: texts.url, value, look: 'grow' },
        html`type="url" required maxlength="2000" dir="ltr"${invalid(typed)}`,
        webhookUrl === null ? texts.noRoute : texts.ownHint,
      )}
      <p>
        <label class="choice">
          <input type="checkbox" name="active" value="yes" ${isOn && html`checked`} />
          ${texts.active}
        </label>
      </p>
      ${takesSignedOnly && html`<p class="hint">${texts.activeHint}</p>`}`;
  },
  question: ({ portal: { webhooks } }, fields, { language }) => {
    const { create, badUrl } = webhookTexts[language];
    const url = urlOf(fields);
    const { protocol } = URL.parse(url) ?? {};
    if (protocol !== 'https:' && protocol !== 'http:') return { mistake: badUrl };
    const isTwice = recordsOf(webhooks).some((one) => one.url === url);
    const active = fields['active'] === 'yes' ? 'yes' : 'no';
    return {
      title: create.title,
      text: html`<p>${code(url)}</p>
        <p>${create.text}</p>
        ${isTwice && html`<p class="warning">${create.same}</p>`}`,
      button: create.yes,
      fields: { url, active, ...markField(webhooks) },
    };
  },
  run: ({ portal: { webhooks } }, fields, visit, requestId) =>
    makeOnce(visit, 'createWebhook', webhooks, { fields, requestId }, async () => {
      const url = urlOf(fields);
      const active = fields['active'] === 'yes';
      const { gateway } = visit.office.payments;
      const { secret, body } = await gateway.createWebhook({ url, events: [], active });
      if (secret === null) return sealedPage(visit, body?.read() ?? '');
      const { done: title, secret: name, steps } = webhookTexts[visit.language].create;
      const keep = html`${steps.keep} ${code(`GATEWAY_WEBHOOK_SECRET=${secret}`)}`;
      return oncePage(visit, {
        title,
        lead: html`<p>${code(url)}</p>`,
        name,
        secret,
        steps: [keep, steps.restart, ...(active ? [] : [steps.switchOn])],
      });
    }),
};

const urlOf = (fields: Fields): string => (fields['url'] ?? '').trim();

export const switchWebhook: Action<PortalMatter> = {
  name: 'switch-webhook',
  right: 'rotate',
  testId: 'webhook-switch',
  texts: (language, matter) => ({ button: portalTexts[language].switch[otherStateOf(matter)] }),
  isPossible: (matter) => webhookOf(matter) !== undefined,
  fields: (matter) => html`${hidden({ to: otherStateOf(matter) })}`,
  question: (matter, fields, { language }) => {
    const to = switchedTo(fields);
    const { title, text } = webhookTexts[language].switch[to];
    const url = webhookOf(matter)?.url ?? '';
    return {
      title: title({ url }),
      text,
      button: portalTexts[language].switch[to],
      fields: { to },
    };
  },
  run: ({ id }, fields, visit) => {
    const status = switchedTo(fields);
    return changePortal(visit, { operation: 'updateWebhook', record: id, status }, async () => {
      await visit.office.payments.gateway.updateWebhook({ id, active: status === 'on' });
      return `webhook_${status}`;
    });
  },
};

const otherStateOf = (matter: PortalMatter): 'on' | 'off' =>
  webhookOf(matter)?.active === false ? 'on' : 'off';

/** Deletes a webhook; one that is gone already is deleted. */
export const deleteWebhook: Action<PortalMatter> = {
  name: 'delete-webhook',
  right: 'rotate',
  testId: 'webhook-delete',
  texts: (language) => ({ button: webhookTexts[language].remove }),
  isPossible: ({ portal, id }) => id !== '' && isRead(portal.webhooks),
  question: (matter, _fields, { language }) => {
    const { removeTitle, removeText, remove } = webhookTexts[language];
    const url = webhookOf(matter)?.url ?? matter.id;
    return { title: removeTitle({ url }), text: removeText, button: remove, isFinal: true };
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

const webhookOf = ({ portal, id }: PortalMatter): Webhook | undefined =>
  id === '' ? undefined : recordsOf(portal.webhooks).find((one) => one.id === id);

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
  switch: {
    on: {
      title: `Switch on the webhook to {url}?
        هل تريد تشغيل الإشعار إلى {url}؟`,
      text: `The gateway sends events to it from now on. If its secret is not in every process yet, notifications are refused.
        ترسل البوابة إليه الأحداث من الآن. إن لم يكن مفتاحه في كل خوادم المتجر بعد فستُرفض الإشعارات.`,
    },
    off: {
      title: `Switch off the webhook to {url}?
        هل تريد إيقاف الإشعار إلى {url}؟`,
      text: `The gateway tells nothing by it until it is switched on again. Payments are then found later, by the background checks.
        لن تُبلغ البوابة بشيء عبره حتى يُشغَّل من جديد، فتُكتشف الدفعات لاحقًا بالتحقق الدوري.`,
    },
  },
  remove: ['Delete', 'حذف'],
  removeTitle: `Delete the webhook to {url}?
    هل تريد حذف الإشعار إلى {url}؟`,
  removeText: `This cannot be undone: a new webhook has a new secret. Payments are then found later, by the background checks, unless another webhook leads to the shop.
    لا يمكن التراجع: للإشعار الجديد مفتاح جديد. وتُكتشف الدفعات لاحقًا بالتحقق الدوري ما لم يصل إشعار آخر إلى المتجر.`,
});
