import type { ApiCredential, SdkToken } from '../index.ts';
import { type KeyTrial, maskedKey } from '../parts.ts';
import { type Action, actionForm, hidden, invalid } from './action.ts';
import { badge, byLanguage, code, field, html, type Html, panel } from './html.ts';
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
  switchBadge,
  switchedTo,
  TIME_LIMIT_MS,
  times,
} from './portal.ts';
import type { Fields, Visit } from './visit.ts';

/** The API keys that the gateway has, and the form to make another. */
export async function keysPanel(
  visit: Visit,
  portal: Portal,
  trials: readonly KeyTrial[],
): Promise<Html> {
  const texts = keyTexts[visit.language];
  return panel(
    'credentials',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${await recordList(visit, portal.credentials, async (one) => keyItem(visit, one, trials))}
      ${await actionForm(visit, portalDeed(rotateKey, { portal, id: '' }))}`,
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

/** A masked key, whose many stars say nothing. */
export const shortened = (masked: string): string => masked.replace(/^\*{5,}/, '****');

/** Makes a new API key beside the one in use, shows the new key once, and tries both. */
export const rotateKey: Action<PortalMatter> = {
  name: 'rotate-key',
  right: 'rotate',
  testId: 'key-rotate',
  texts: (language) => keyTexts[language],
  isPossible: ({ portal }) => isRead(portal.credentials),
  question: ({ portal }, _fields, { language }) => {
    const { title, text, risk, yes } = keyTexts[language].question;
    return {
      title,
      text: html`<p>${text}</p>
        <p class="warning">${risk}</p>`,
      button: yes,
      fields: markField(portal.credentials),
    };
  },
  run: ({ portal: { credentials } }, fields, visit, requestId) =>
    makeOnce(visit, 'rotateApiKey', credentials, { fields, requestId }, async () => {
      const { payments, parts } = visit.office;
      const { apiKey } = await payments.gateway.rotateApiKey();
      const [[trial], inUse] = await Promise.all([
        parts.gateway.tryKeys(TIME_LIMIT_MS, [apiKey]),
        parts.gateway.tryKeys(TIME_LIMIT_MS),
      ]);
      const { done: title, name, steps } = keyTexts[visit.language];
      const both = html`${steps.both} ${code('GATEWAY_API_KEY=NEW,OLD')}`;
      return oncePage(visit, {
        title,
        lead: html`${newKeyTried(visit, trial)} ${oldKeysTried(visit, inUse)}`,
        name,
        secret: apiKey,
        steps: [both, steps.restart, steps.see, steps.revoke],
      });
    }),
};

/** What the gateway said to a key. */
export function trialOf(trial: KeyTrial | undefined): 'works' | 'refused' | 'unknown' {
  if (trial?.error === null) return 'works';
  return trial?.error.httpStatus === 401 ? 'refused' : 'unknown';
}

function newKeyTried({ language }: Visit, given: KeyTrial | undefined): Html {
  const trial = trialOf(given);
  const look = { works: 'good', refused: 'mistake', unknown: 'warning' }[trial];
  return html`<p class="${look}" data-test="new-key" data-state="${trial}">
    ${keyTexts[language].tried[trial]}
  </p>`;
}

/** The specification leaves open whether a new key ends the old one (N18). */
function oldKeysTried({ language }: Visit, trials: readonly KeyTrial[]): Html | null {
  const { oldWorks, oldEnded } = keyTexts[language];
  const all = new Set(trials.map(trialOf));
  if (all.has('works')) return html`<p data-test="old-key" data-state="works">${oldWorks}</p>`;
  if (!all.has('refused')) return null;
  return html`<p class="mistake" data-test="old-key" data-state="refused">${oldEnded}</p>`;
}

/** The SDK tokens that the gateway has, with the forms to change them. */
export async function tokensPanel(visit: Visit, portal: Portal): Promise<Html> {
  const texts = tokenTexts[visit.language];
  return panel(
    'sdk-tokens',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${await recordList(visit, portal.sdkTokens, (token) => tokenItem(visit, portal, token))}
      ${await folded(visit, createSdkToken, portal)}`,
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
    <div class="buttons">
      ${await actionForm(visit, portalDeed(switchSdkToken, { portal, id }, name))}
    </div>
  </li>`;
}

const optional = ['type', 'terminalId'] as const;

/** Creates an SDK token; the gateway gives the token in the answer alone. */
export const createSdkToken: Action<PortalMatter> = {
  name: 'create-sdk-token',
  right: 'rotate',
  testId: 'token-add',
  texts: (language) => ({ button: tokenTexts[language].add }),
  isPossible: ({ portal }) => isRead(portal.sdkTokens),
  fields: (_matter, { language }, typed) => {
    const texts = tokenTexts[language];
    const input = (name: string, label: Html | string, more: Html): Html =>
      field(
        { id: `token-${name}`, name, label, value: typed?.[name] },
        html`maxlength="60" dir="auto"${more}`,
      );
    const hint = html`<span class="muted">(${texts.optional})</span>`;
    return html`${input('name', texts.name, html` required${invalid(typed)}`)}
    ${optional.map((name) => input(name, html`${texts[name]} ${hint}`, html``))}`;
  },
  question: ({ portal }, fields, { language }) => {
    const { noName, createTitle, createText, yes } = tokenTexts[language];
    const { name, type, terminalId } = inputOf(fields);
    if (name === '' || name.length > 60) return { mistake: noName };
    return {
      title: createTitle({ name }),
      text: createText,
      button: yes,
      fields: { name, type, terminalId, ...markField(portal.sdkTokens) },
    };
  },
  run: ({ portal: { sdkTokens } }, fields, visit, requestId) =>
    makeOnce(visit, 'createSdkToken', sdkTokens, { fields, requestId }, async () => {
      const { name, type, terminalId } = inputOf(fields);
      const { token: secret } = await visit.office.payments.gateway.createSdkToken({
        name,
        type: type || undefined,
        terminalId: terminalId || undefined,
      });
      const texts = tokenTexts[visit.language];
      const title = texts.done({ name });
      return oncePage(visit, { title, name: texts.secret, secret, steps: [texts.step] });
    }),
};

const inputOf = (fields: Fields) => ({
  name: (fields['name'] ?? '').trim(),
  type: (fields['type'] ?? '').trim(),
  terminalId: (fields['terminalId'] ?? '').trim(),
});

export const switchSdkToken: Action<PortalMatter> = {
  name: 'switch-sdk-token',
  right: 'rotate',
  testId: 'token-switch',
  texts: (language, matter) => ({ button: portalTexts[language].switch[otherStateOf(matter)] }),
  isPossible: (matter) => tokenOf(matter) !== undefined,
  fields: (matter) => html`${hidden({ to: otherStateOf(matter) })}`,
  question: (matter, fields, { language }) => {
    const to = switchedTo(fields);
    const { title, text } = tokenTexts[language].switch[to];
    const name = tokenOf(matter)?.name ?? matter.id;
    return {
      title: title({ name }),
      text,
      button: portalTexts[language].switch[to],
      fields: { to },
    };
  },
  run: ({ id }, fields, visit) => {
    const to = switchedTo(fields);
    const status = to === 'on' ? 'ACTIVE' : 'DISABLED';
    return changePortal(visit, { operation: 'updateSdkToken', record: id, status }, async () => {
      await visit.office.payments.gateway.updateSdkToken({ id, status });
      return `token_${to}`;
    });
  },
};

const otherStateOf = (matter: PortalMatter): 'on' | 'off' =>
  tokenOf(matter)?.status === 'ACTIVE' ? 'off' : 'on';

const tokenOf = ({ portal, id }: PortalMatter): SdkToken | undefined =>
  id === '' ? undefined : recordsOf(portal.sdkTokens).find((one) => one.id === id);

const keyTexts = byLanguage({
  title: ['API keys', 'مفاتيح الواجهة البرمجية'],
  lead: `All keys that the gateway knows, by their ends.
    كل المفاتيح لدى البوابة، ويظهر آخر كل منها فقط.`,
  active: ['Active', 'فعّال'],
  revoked: ['Revoked', 'ملغى'],
  used: ['Used by this shop', 'يستخدمه هذا المتجر'],
  button: ['Make a new key', 'إصدار مفتاح جديد'],
  hint: `The key in use goes on working. You are asked first.
    يبقى المفتاح الحالي صالحًا، وستُسأل أولًا.`,
  question: {
    title: ['Make a new API key?', 'هل تريد إصدار مفتاح جديد؟'],
    text: `The gateway makes a new key, shown once on the next page. The shop goes on with the key that it has, and you revoke the old one in the dashboard only after the new one was seen to work here.
      تصدر البوابة مفتاحًا جديدًا يُعرض مرة واحدة في الصفحة التالية. يستمر المتجر بمفتاحه الحالي، ولا تُلغِ القديم من لوحة التحكم إلا بعد أن ترى الجديد يعمل هنا.`,
    risk: `Some gateways may end the old key at once: the specification leaves that open. Choose a quiet hour, and have the shop’s settings at hand.
      قد تُنهي بعض البوابات المفتاح القديم فورًا، فالمواصفات لا تحسم ذلك. اختر وقتًا هادئًا، ولتكن إعدادات المتجر في متناولك.`,
    yes: ['Make the key', 'إصدار المفتاح'],
  },
  done: ['The new API key', 'المفتاح الجديد'],
  name: ['new API key', 'المفتاح الجديد'],
  tried: {
    works: `The gateway was asked with it just now, by a question that moves nothing: it works.
      جُرّب الآن باستعلام لا تترتب عليه أي حركة مالية، وهو يعمل.`,
    refused: `The gateway was asked with it just now and refuses it. Do not put it in place of the old key yet; look at the dashboard.
      جُرّب الآن فرفضته البوابة. لا تضعه مكان القديم بعد، وراجع لوحة التحكم.`,
    unknown: `It could not be tried just now, since the gateway did not answer.
      تعذّرت تجربته الآن لأن البوابة لم تستجب.`,
  },
  oldWorks: ['The key that the shop uses still works.', 'لا يزال المفتاح الذي يستخدمه المتجر يعمل.'],
  oldEnded: `The gateway refuses the key that the shop uses. Set the new key and restart the shop now. What shoppers pay meanwhile is found afterwards.
    ترفض البوابة المفتاح الذي يستخدمه المتجر. ضع المفتاح الجديد وأعد تشغيل المتجر الآن. ما يُدفع في هذه الأثناء يُكتشف بعد ذلك.`,
  steps: {
    both: `Put both keys into the shop’s settings, the new one first:
      ضع المفتاحين في إعدادات المتجر، والجديد أولًا:`,
    restart: `Restart the shop’s processes, one after the other. Where the gateway refuses one key, the shop tries the other.
      أعد تشغيل خوادم المتجر واحدًا تلو الآخر. إذا رفضت البوابة أحد المفتاحين جرّب المتجر الآخر.`,
    see: `Open the gateway page again: under “API keys of this shop” the end of the new key must say “Works”. Reload it until every process has answered.
      افتح صفحة بوابة الدفع من جديد: تحت «مفاتيح هذا المتجر» يجب أن يظهر آخر المفتاح الجديد مع «يعمل». أعد التحميل حتى تجيب كل الخوادم.`,
    revoke: `Only then revoke the old key in the gateway’s dashboard, leave the new one alone in the settings, and restart again.
      عندئذ فقط ألغِ القديم من لوحة تحكم البوابة، واترك الجديد وحده في الإعدادات، وأعد التشغيل.`,
  },
});

const tokenTexts = byLanguage({
  title: ['SDK tokens', 'رموز SDK'],
  lead: `They sign in terminals and mobile apps. The shop itself uses none.
    تسجّل بها أجهزة نقاط البيع والتطبيقات دخولها، ولا يستخدمها المتجر نفسه.`,
  name: ['Name', 'الاسم'],
  type: ['Kind of product', 'نوع المنتج'],
  terminalId: ['Terminal', 'الجهاز'],
  optional: ['optional', 'اختياري'],
  add: ['Create a token', 'إنشاء رمز'],
  noName: ['Give the token a name, such as Till 3.', 'أعطِ الرمز اسمًا، مثل: صندوق 3.'],
  createTitle: `Create the token {name}?
    هل تريد إنشاء الرمز {name}؟`,
  createText: `A person who has it can take payments as this terminal or app. It is shown once, on the next page.
    من يملكه يستطيع قبول الدفعات باسم هذا الجهاز أو التطبيق. يُعرض مرة واحدة في الصفحة التالية.`,
  yes: ['Create', 'إنشاء'],
  done: ['The token {name}', 'الرمز {name}'],
  secret: ['token', 'الرمز'],
  step: `Put it into the terminal or app now. If it is lost, switch it off and create another.
    أدخله في الجهاز أو التطبيق الآن. إن ضاع فأوقفه وأنشئ غيره.`,
  switch: {
    on: {
      title: ['Switch on the token {name}?', 'هل تريد تشغيل الرمز {name}؟'],
      text: `The terminal or app that has it can sign in again.
        يستطيع الجهاز أو التطبيق الذي يحمله الدخول من جديد.`,
    },
    off: {
      title: ['Switch off the token {name}?', 'هل تريد إيقاف الرمز {name}؟'],
      text: `The terminal or app that has it can take no payment until it is switched on again.
        لن يقبل الجهاز أو التطبيق الذي يحمله أي دفعة حتى يُشغَّل من جديد.`,
    },
  },
});
