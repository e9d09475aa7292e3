import type { Answer, KeyTrial } from '../parts.ts';
import { type Action, actionAnswer } from './action.ts';
import { badge, byLanguage, code, fact, html, type Html, panel } from './html.ts';
import {
  createSdkToken,
  keysPanel,
  rotateKey,
  shortened,
  switchSdkToken,
  tokensPanel,
  trialOf,
} from './keys.ts';
import { frameTexts, pageAnswer, problemAnswer } from './layout.ts';
import { portalDeed, type PortalMatter, readPortal, TIME_LIMIT_MS } from './portal.ts';
import type { Visit } from './visit.ts';
import {
  createWebhook,
  deleteWebhook,
  switchWebhook,
  webhooksPanel,
  webhookTexts,
} from './webhooks.ts';

/** What a person can do at the gateway's portal. */
export const portalActions: readonly Action<PortalMatter>[] = [
  rotateKey,
  createWebhook,
  switchWebhook,
  deleteWebhook,
  createSdkToken,
  switchSdkToken,
];

export async function portalActionPage(
  visit: Visit,
  action: Action<PortalMatter>,
): Promise<Answer> {
  const portal = await readPortal(visit);
  if (portal === null) return problemAnswer(visit, 'not_found', { back: 'gateway' });
  return actionAnswer(visit, portalDeed(action, { portal, id: visit.query['id'] ?? '' }));
}

/** The connection to the gateway, and what its portal holds. It comes without a gateway too. */
export async function gatewayPage(visit: Visit): Promise<Answer> {
  const [trials, portal, findings] = await Promise.all([
    visit.office.parts.gateway.tryKeys(TIME_LIMIT_MS),
    readPortal(visit),
    findingsOf(visit),
  ]);
  const { title } = gatewayTexts[visit.language];
  const panels =
    portal === null
      ? [missingPanel(visit)]
      : await Promise.all([
          keysPanel(visit, portal, trials),
          webhooksPanel(visit, portal),
          tokensPanel(visit, portal),
        ]);
  return pageAnswer(visit, {
    title,
    section: 'gateway',
    main: html`<h1>${title}</h1>
      <div class="columns">
        <div class="stack">${connectionPanel(visit, trials, findings)}</div>
        <div class="stack">${panels}</div>
      </div>`,
  });
}

function connectionPanel(
  { language, office }: Visit,
  trials: readonly KeyTrial[],
  findings: readonly string[],
): Html {
  const texts = gatewayTexts[language];
  const { environment, baseUrl, hasPortal, hasProfile } = office.parts.gateway;
  const { apiKey, portal } = office.payments.gateway.breakers();
  const isRefused = trials.some((trial) => trialOf(trial) === 'refused');
  const isReached = trials.some(({ error }) => error === null || error.httpStatus !== undefined);
  const reached = isReached
    ? badge('succeeded', texts.reached, 'gateway-reached')
    : badge('failed', texts.notReached, 'gateway-not-reached');
  const calls = (name: 'open' | 'closed'): Html =>
    badge(name === 'open' ? 'failed' : 'succeeded', texts.callStates[name]);
  const states = { works: 'succeeded', refused: 'failed', unknown: 'unknown' } as const;
  const keys = trials.map((trial) => {
    const tried = trialOf(trial);
    return html`<li class="line" data-test="own-key" data-state="${states[tried]}">
      ${code(shortened(trial.masked))} ${badge(states[tried], texts.tried[tried])}
    </li>`;
  });
  return panel(
    'connection',
    texts.connection,
    html`<dl class="facts">
        ${fact(texts.reachable, reached)}
        ${fact(texts.environment, frameTexts[language].environments[environment])}
        ${fact(texts.address, code(baseUrl))}
        ${fact(texts.profile, hasProfile ? texts.ownProfile : texts.usualProfile)}
        ${fact(texts.calls.apiKey, calls(apiKey))}
        ${hasPortal && fact(texts.calls.portal, calls(portal))}
        ${fact(
          texts.keys,
          html`<ul class="keys">
            ${keys}
          </ul>`,
        )}
      </dl>
      <p class="hint">${texts.keysHint}</p>
      ${findings.map((text) => html`<p class="mistake" data-test="gateway-finding">${text}</p>`)}
      ${isRefused && html`<p class="warning" data-test="key-refused">${texts.keyRefusedHint}</p>`}
      ${
        !isReached &&
        html`<p class="mistake">${texts.notReachedHint}</p>
          <p class="hint" dir="auto">${trials[0]?.error?.message ?? null}</p>`
      }`,
  );
}

/** The findings of the health route that are about the gateway; none where the store does not answer. */
async function findingsOf({ language, office }: Visit): Promise<readonly string[]> {
  const texts: Readonly<Record<string, string>> = gatewayTexts[language].findings;
  const { findings = [] } = (await office.parts.health()).json as { findings?: readonly string[] };
  return findings.flatMap((name) => texts[name] ?? []);
}

/** What to set, where the shop has no login for the portal. */
function missingPanel({ language, office }: Visit): Html {
  const { missing } = gatewayTexts[language];
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

const gatewayTexts = byLanguage({
  title: ['Gateway', 'بوابة الدفع'],
  connection: ['Connection', 'الاتصال'],
  reachable: ['Gateway', 'البوابة'],
  reached: ['Answers', 'تستجيب'],
  notReached: ['Does not answer', 'لا تستجيب'],
  notReachedHint: `Payments that shoppers make meanwhile are found when it answers again. Check the address, the firewall and the gateway’s own status page.
    ما يدفعه المتسوقون في هذه الأثناء يُكتشف عند عودة الاتصال. تحقق من العنوان وجدار الحماية وصفحة حالة البوابة.`,
  environment: ['Environment', 'البيئة'],
  address: ['Address', 'العنوان'],
  profile: ['Profile', 'ملف التوافق'],
  ownProfile: ['The shop’s own', 'خاص بالمتجر'],
  usualProfile: ['The kit’s usual readings', 'القراءات المعتادة للحزمة'],
  keys: ['API keys of this shop', 'مفاتيح هذا المتجر'],
  tried: {
    works: ['Works', 'يعمل'],
    refused: ['Refused', 'مرفوض'],
    unknown: ['Not known', 'غير معروف'],
  },
  keyRefusedHint: `Where another key works, take the refused one out of the shop’s settings. Where none works, no payment link can be made: take the active key of this environment from the gateway’s dashboard.
    إذا كان مفتاح آخر يعمل فاحذف المرفوض من إعدادات المتجر. وإذا لم يعمل أي مفتاح فلا يمكن إنشاء روابط الدفع: خذ المفتاح الفعّال لهذه البيئة من لوحة تحكم البوابة.`,
  keysHint: `Tried just now by a question that moves nothing, in the process that answered you.
    جُرّبت الآن باستعلام لا تترتب عليه أي حركة مالية، من الخادم الذي أجاب طلبك.`,
  calls: {
    apiKey: ['Payment calls', 'طلبات الدفع'],
    portal: ['Portal calls', 'طلبات بوابة التاجر'],
  },
  callStates: {
    closed: ['Go through', 'تعمل'],
    open: ['Held back: the gateway kept failing', 'موقوفة مؤقتًا لتكرر الأعطال'],
  },
  missing: {
    title: ['Webhooks, keys and tokens', 'الإشعارات والمفاتيح والرموز'],
    text: `They are kept in the gateway’s portal, which the API key does not open. To see and change them here, give the shop the login of the gateway’s dashboard and restart it:
      تُحفظ في بوابة التاجر لدى بوابة الدفع، ولا يفتحها مفتاح الواجهة البرمجية. لعرضها وتغييرها هنا، أعطِ المتجر بيانات دخول لوحة التحكم ثم أعد تشغيله:`,
    inCode: ['Or in code:', 'أو في الشيفرة:'],
    meanwhile: `Until then, use the dashboard. This is the address for the webhook:
      وحتى ذلك الحين استخدم لوحة التحكم. هذا عنوان الإشعارات:`,
  },
  findings: {
    gateway_held_back: `Calls are held back, since the gateway kept failing. One call tries it every few seconds; nothing is lost.
      الطلبات موقوفة لتكرر أعطال البوابة، ويُجرَّب طلب كل بضع ثوانٍ، ولا يضيع شيء.`,
    unknown_links: `The gateway knows none of many links that the shop made. Check that the key and the address are of the same account and environment.
      لا تعرف البوابة روابط كثيرة أنشأها المتجر. تأكد من أن المفتاح والعنوان للحساب والبيئة نفسيهما.`,
    unknown_words: `A status bears a word that the kit does not know: such payments wait. Name the word in the profile.
      ترد في الحالة كلمة لا تعرفها الحزمة، فتبقى تلك الدفعات معلّقة. عرّف الكلمة في ملف التوافق.`,
    unreadable_answers: `Status answers cannot be read: such payments wait. Compare the profile with what the gateway sends.
      تتعذّر قراءة ردود الحالة، فتبقى تلك الدفعات معلّقة. قارن ملف التوافق بما ترسله البوابة.`,
  },
});
