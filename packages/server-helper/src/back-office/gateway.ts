import type { Answer } from '../edges/http.ts';
import { type Drift, entryOf } from '../gateway/drift.ts';
import type { KeyTrial } from '../payments-parts.ts';
import { type Action, actionAnswer } from './action.ts';
import { html, type Html, nothing, badge, code, fact, panel, instant, byLanguage } from './html.ts';
import {
  shortened,
  rotateKey,
  createSdkToken,
  switchSdkToken,
  keysPanel,
  tokensPanel,
} from './keys.ts';
import { pageAnswer, frameTexts, problemAnswer } from './layout.ts';
import {
  readPortal,
  TIME_LIMIT_MS,
  type PortalMatter,
  type Portal,
  portalTexts,
  deedOf,
} from './portal.ts';
import type { Visit } from './visit.ts';
import {
  deleteWebhook,
  switchWebhook,
  createWebhook,
  webhookTexts,
  webhooksPanel,
} from './webhooks.ts';

/** The connection to the gateway, its answers, and what its portal holds. It comes without a gateway too. */
export async function gatewayPage(visit: Visit): Promise<Answer> {
  const [trials, portal] = await Promise.all([
    visit.office.parts.gateway.tryKeys(TIME_LIMIT_MS),
    readPortal(visit),
  ]);
  const { title } = gatewayTexts[visit.language];
  return pageAnswer(visit, {
    title,
    section: 'gateway',
    main: html`<h1>${title}</h1>
      <div class="columns">
        <div class="stack">${connectionPanel(visit, trials)} ${await answersPanel(visit)}</div>
        <div class="stack">${await portalPanels(visit, portal, trials)}</div>
      </div>`,
  });
}

function connectionPanel({ language, office }: Visit, trials: readonly KeyTrial[]): Html {
  const texts = gatewayTexts[language];
  const { environment, baseUrl, hasPortal, hasProfile } = office.parts.gateway;
  const { apiKey, portal } = office.payments.gateway.breakers();
  const isRefused = trials.some(({ error }) => error?.httpStatus === 401);
  const isReached = trials.some(({ error }) => error === null || error.httpStatus !== undefined);
  const state = (name: 'open' | 'closed') =>
    badge(name === 'open' ? 'failed' : 'succeeded', texts.callStates[name]);
  return panel(
    'connection',
    texts.connection,
    html`<dl class="facts">
        ${fact(
          texts.reachable,
          isReached
            ? badge('succeeded', texts.reached, 'gateway-reached')
            : badge('failed', texts.notReached, 'gateway-not-reached'),
        )}
        ${fact(texts.environment, frameTexts[language].environments[environment])}
        ${fact(texts.address, code(baseUrl))}
        ${fact(texts.profile, hasProfile ? texts.ownProfile : texts.usualProfile)}
        ${fact(texts.calls.apiKey, state(apiKey))}
        ${hasPortal ? fact(texts.calls.portal, state(portal)) : nothing}
        ${fact(texts.keys, keyList(language, trials))}
      </dl>
      <p class="hint">${texts.keysHint}</p>
      ${isRefused && html`<p class="warning" data-test="key-refused">${texts.keyRefusedHint}</p>`}
      ${!isReached && html`<p class="mistake">${texts.notReachedHint}</p>`}
      ${
        !isReached &&
        trials
          .slice(0, 1)
          .map(({ error }) => html`<p class="hint" dir="auto">${error?.message ?? null}</p>`)
      }`,
  );
}

/** The keys that were tried, each by its end. */
function keyList(language: Visit['language'], trials: readonly KeyTrial[]): Html {
  const texts = gatewayTexts[language];
  return html`<ul class="keys">
    ${trials.map(({ masked, error }) => {
      const [state, words] =
        error === null
          ? (['succeeded', texts.keyTaken] as const)
          : error.httpStatus === 401
            ? (['failed', texts.keyRefused] as const)
            : (['unknown', texts.keyUnknown] as const);
      return html`<li class="line" data-test="own-key" data-state="${state}">
        ${code(shortened(masked))} ${badge(state, words)}
      </li>`;
    })}
  </ul>`;
}

/** What the gateway's answers had that the kit and the profile do not expect. */
async function answersPanel(visit: Visit): Promise<Html> {
  const { language, office } = visit;
  const texts = gatewayTexts[language];
  const drift = office.payments.gateway.drift();
  const findings = await findingsOf(visit);
  return panel(
    'drift',
    texts.drift,
    html`${findings.map(
      (text) => html`<p class="mistake" data-test="gateway-finding">${text}</p>`,
    )}${
      drift.length === 0
        ? html`<p class="muted">${texts.noDrift}</p>`
        : html`<p class="hint">${texts.driftHint}</p>
            <ul class="cards">
              ${drift.map((one) => driftCard(visit, one))}
            </ul>`
    }`,
  );
}

/** The findings of the health route that are about the gateway; none where the store does not answer. */
async function findingsOf({ language, office }: Visit): Promise<readonly string[]> {
  const texts: Readonly<Record<string, string>> = gatewayTexts[language].findings;
  const { findings = [] } = (await office.parts.health()).json as { findings?: readonly string[] };
  return findings.flatMap((name) => texts[name] ?? []);
}

function driftCard(visit: Visit, drift: Drift): Html {
  const texts = gatewayTexts[visit.language];
  const { operation, kind, field, count, firstSeenAt, lastSeenAt } = drift;
  const at = (time: number): Html => instant(visit, new Date(time).toISOString());
  return html`<li data-test="drift" data-kind="${kind}">
    <p class="line">
      <strong>${texts.kinds[kind]}</strong>
      <span class="muted end">${texts.times(count)}</span>
    </p>
    <p class="line">
      ${code(operation)} ${field === '' ? html`<span>${texts.whole}</span>` : code(field)}
    </p>
    <p class="muted">
      ${texts.first} ${at(firstSeenAt)}${count > 1 && html` · ${texts.last} ${at(lastSeenAt)}`}
    </p>
    <p>${whatToDo(visit, drift)}</p>
  </li>`;
}

function whatToDo({ language }: Visit, drift: Drift): Html {
  const texts = gatewayTexts[language];
  if (drift.kind === 'refused_signature') return html`${texts.secretToCheck}`;
  const entry = entryOf(drift);
  if (entry !== undefined) return html`${texts.inProfile} ${code(entry)}`;
  return html`${drift.kind === 'unknown_field' ? texts.harmless : texts.forSupport}`;
}

/** What a person can do at the gateway's portal. */
export const portalActions: readonly Action<PortalMatter>[] = [
  rotateKey,
  createWebhook,
  switchWebhook,
  deleteWebhook,
  createSdkToken,
  switchSdkToken,
];

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
async function portalPanels(
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

/** The texts of the gateway's page: the connection, and what its answers had. */
const gatewayTexts = byLanguage({
  title: ['Gateway', 'بوابة الدفع'],
  connection: ['Connection', 'الاتصال'],
  reachable: ['Gateway', 'البوابة'],
  reached: ['Answers', 'تستجيب'],
  notReached: ['Does not answer', 'لا تستجيب'],
  notReachedHint: [
    'Payments that shoppers make meanwhile are found when it answers again. Check the address, the firewall and the gateway’s own status page.',
    'ما يدفعه المتسوقون في هذه الأثناء يُكتشف عند عودة الاتصال. تحقق من العنوان وجدار الحماية وصفحة حالة البوابة.',
  ],
  environment: ['Environment', 'البيئة'],
  address: ['Address', 'العنوان'],
  profile: ['Profile', 'ملف التوافق'],
  ownProfile: ['The shop’s own', 'خاص بالمتجر'],
  usualProfile: ['The kit’s usual readings', 'القراءات المعتادة للحزمة'],
  keys: ['API keys of this shop', 'مفاتيح هذا المتجر'],
  keyTaken: ['Works', 'يعمل'],
  keyRefused: ['Refused', 'مرفوض'],
  keyRefusedHint: [
    'Where another key works, take the refused one out of the shop’s settings. Where none works, no payment link can be made: take the active key of this environment from the gateway’s dashboard.',
    'إذا كان مفتاح آخر يعمل فاحذف المرفوض من إعدادات المتجر. وإذا لم يعمل أي مفتاح فلا يمكن إنشاء روابط الدفع: خذ المفتاح الفعّال لهذه البيئة من لوحة تحكم البوابة.',
  ],
  keyUnknown: ['Not known', 'غير معروف'],
  keysHint: [
    'Tried just now by a question that moves nothing, in the process that answered you.',
    'جُرّبت الآن باستعلام لا تترتب عليه أي حركة مالية، من الخادم الذي أجاب طلبك.',
  ],
  calls: {
    apiKey: ['Payment calls', 'طلبات الدفع'],
    portal: ['Portal calls', 'طلبات بوابة التاجر'],
  },
  callStates: {
    closed: ['Go through', 'تعمل'],
    open: ['Held back: the gateway kept failing', 'موقوفة مؤقتًا لتكرر الأعطال'],
  },
  drift: ['Unexpected answers', 'ردود غير متوقعة'],
  noDrift: [
    'Since this process started, every answer was as expected.',
    'منذ تشغيل هذا الخادم جاء كل رد كما هو متوقع.',
  ],
  driftHint: [
    'What this process has met since it started. No value of any answer is kept.',
    'ما صادفه هذا الخادم منذ تشغيله، دون حفظ أي قيمة من الردود.',
  ],
  findings: {
    gateway_held_back: [
      'Calls are held back, since the gateway kept failing. One call tries it every few seconds; nothing is lost.',
      'الطلبات موقوفة لتكرر أعطال البوابة، ويُجرَّب طلب كل بضع ثوانٍ، ولا يضيع شيء.',
    ],
    unknown_links: [
      'The gateway knows none of many links that the shop made. Check that the key and the address are of the same account and environment.',
      'لا تعرف البوابة روابط كثيرة أنشأها المتجر. تأكد من أن المفتاح والعنوان للحساب والبيئة نفسيهما.',
    ],
    unknown_words: [
      'A status bears a word that the kit does not know: such payments wait. Name the word in the profile.',
      'ترد في الحالة كلمة لا تعرفها الحزمة، فتبقى تلك الدفعات معلّقة. عرّف الكلمة في ملف التوافق.',
    ],
    unreadable_answers: [
      'Status answers cannot be read: such payments wait. Compare the profile with what the gateway sends.',
      'تتعذّر قراءة ردود الحالة، فتبقى تلك الدفعات معلّقة. قارن ملف التوافق بما ترسله البوابة.',
    ],
  },
  kinds: {
    unknown_field: ['A field that is not known', 'حقل غير معروف'],
    unknown_word: ['A word that is not known', 'كلمة غير معروفة'],
    other_type: ['A value of another type', 'قيمة من نوع آخر'],
    other_envelope: ['Another envelope than stated', 'بنية رد مختلفة عن الموثّقة'],
    unexpected_status: ['An HTTP status that is not expected', 'رمز HTTP غير متوقع'],
    unreadable_answer: ['It cannot be read', 'تعذّرت قراءته'],
    refused_signature: [
      'A notification that no secret of the shop signed',
      'إشعار لم يوقّعه أي مفتاح لدى المتجر',
    ],
    unfollowed_hint: ['A notification that names too little', 'إشعار ينقصه ما يلزم لمتابعته'],
  },
  times: (count: number) => [
    count === 1 ? 'once' : `${count} times`,
    count === 1 ? 'مرة واحدة' : `العدد: ${count}`,
  ],
  first: ['first', 'أول مرة'],
  last: ['last', 'آخر مرة'],
  whole: ['the whole answer', 'الرد كله'],
  inProfile: [
    'If the gateway means it so, say so in the profile:',
    'إذا كانت البوابة تقصد ذلك، فعرّفه في ملف التوافق:',
  ],
  harmless: [
    'Harmless: unknown fields are left out. There is nothing to do unless payments wait.',
    'لا ضرر منه: الحقول غير المعروفة تُهمل. لا يلزم أي إجراء ما لم تبقَ دفعات معلّقة.',
  ],
  forSupport: [
    'Compare the address with the gateway’s onboarding, and show this line to its support.',
    'قارن العنوان ببيانات التسجيل لدى البوابة، وأرسل هذا السطر إلى دعمها.',
  ],
  secretToCheck: [
    'Compare the webhook secrets of the shop with those of the webhooks below. A stranger’s notification does no harm.',
    'قارن مفاتيح توقيع الإشعارات لدى المتجر بالإشعارات أدناه. الإشعار المجهول المصدر لا يضر.',
  ],
});
