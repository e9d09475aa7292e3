import { maskedKey } from '../gateway/quotable.ts';
import type { ApiCredential, SdkToken } from '../gateway/schemas/portal.ts';
import type { KeyTrial } from '../payments-parts.ts';
import { actionForm, type Action } from './action.ts';
import { html, type Html, badge, code, panel, byLanguage, isolated } from './html.ts';
import {
  type Portal,
  deedOf,
  times,
  recordList,
  isRead,
  markOf,
  TIME_LIMIT_MS,
  makeOnce,
  MARK_FIELD,
  oncePage,
  type PortalMatter,
  folded,
  switchBadge,
  portalTexts,
  changePortal,
} from './portal.ts';
import type { Visit } from './visit.ts';

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

/** A masked key, whose many stars say nothing. */
export const shortened = (masked: string): string => masked.replace(/^\*{5,}/, '****');

/** Makes a new API key beside the one in use, shows the new key once, and tries both. */
export const rotateKey: Action<PortalMatter> = {
  name: 'rotate-key',
  right: 'rotate',
  isPossible: ({ portal }) => isRead(portal.credentials),
  fields: (_matter, { language }) => {
    const { rotate, rotateHint } = keyTexts[language];
    return html`<p class="hint">${rotateHint}</p>
      <button class="quiet" data-test="key-rotate">${rotate}</button>`;
  },
  question: ({ portal }, _fields, { language }) => {
    const { title, text, risk, yes } = keyTexts[language].question;
    const credentials = isRead(portal.credentials) ? portal.credentials : [];
    return {
      title,
      text: html`<p>${text}</p>
        <p class="warning">${risk}</p>`,
      button: yes,
      fields: { [MARK_FIELD]: markOf(credentials) },
    };
  },
  run: ({ portal }, fields, visit, requestId) => {
    const mark = markOf(isRead(portal.credentials) ? portal.credentials : []);
    const change = { operation: 'rotateApiKey', mark, requestId } as const;
    return makeOnce(visit, fields, change, async () => {
      const { payments, parts } = visit.office;
      const { apiKey } = await payments.gateway.rotateApiKey();
      const [[trial], inUse] = await Promise.all([
        parts.gateway.tryKeys(TIME_LIMIT_MS, [apiKey]),
        parts.gateway.tryKeys(TIME_LIMIT_MS),
      ]);
      const { done: title, name, steps } = keyTexts[visit.language];
      return oncePage(visit, {
        title,
        lead: html`${newKeyTried(visit, trial)} ${oldKeysTried(visit, inUse)}`,
        name,
        secret: apiKey,
        steps: [
          html`${steps.both} ${code('GATEWAY_API_KEY=NEW,OLD')}`,
          steps.restart,
          steps.see,
          steps.revoke,
        ],
      });
    });
  },
};

type Trial = 'works' | 'refused' | 'unknown';

function trialOf(trial: KeyTrial | undefined): Trial {
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

export async function tokensPanel(visit: Visit, portal: Portal): Promise<Html> {
  const texts = tokenTexts[visit.language];
  return panel(
    'sdk-tokens',
    texts.title,
    html`<p class="hint">${texts.lead}</p>
      ${await recordList(visit, portal.sdkTokens, (token) => tokenItem(visit, portal, token))}
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

const optional = ['type', 'terminalId'] as const;

/** Creates an SDK token; the gateway gives the token in the answer alone. */
export const createSdkToken: Action<PortalMatter> = {
  name: 'create-sdk-token',
  right: 'rotate',
  isPossible: ({ portal }) => isRead(portal.sdkTokens),
  fields: (_matter, { language }, entered) => {
    const texts = tokenTexts[language];
    const labels = { type: texts.kind, terminalId: texts.terminal };
    return html`<div class="field">
        <label for="token-name">${texts.name}</label>
        <input
          id="token-name"
          name="name"
          required
          maxlength="60"
          dir="auto"
          value="${entered?.fields['name'] ?? ''}"
          data-test="token-name"
          ${entered !== undefined && html`aria-invalid="true" aria-describedby="mistake"`}
        />
      </div>
      ${optional.map(
        (field) =>
          html`<div class="field">
            <label for="token-${field}"
              >${labels[field]} <span class="muted">(${texts.optional})</span></label
            >
            <input
              id="token-${field}"
              name="${field}"
              maxlength="60"
              dir="auto"
              value="${entered?.fields[field] ?? ''}"
            />
          </div>`,
      )}
      <button class="quiet" data-test="token-add">${texts.add}</button>`;
  },
  question: ({ portal }, fields, { language }) => {
    const { noName, createTitle, createText, yes } = tokenTexts[language];
    const { name, type, terminalId } = inputOf(fields);
    if (name === '' || name.length > 60) return { mistake: noName };
    const mark = markOf(isRead(portal.sdkTokens) ? portal.sdkTokens : []);
    return {
      title: createTitle(name),
      text: createText,
      button: yes,
      fields: { name, type, terminalId, [MARK_FIELD]: mark },
    };
  },
  run: ({ portal }, fields, visit, requestId) => {
    const mark = markOf(isRead(portal.sdkTokens) ? portal.sdkTokens : []);
    const change = { operation: 'createSdkToken', mark, requestId } as const;
    return makeOnce(visit, fields, change, async () => {
      const { name, type, terminalId } = inputOf(fields);
      const { gateway } = visit.office.payments;
      const { token } = await gateway.createSdkToken({
        name,
        type: type || undefined,
        terminalId: terminalId || undefined,
      });
      const texts = tokenTexts[visit.language];
      const { done, secret, step } = texts;
      return oncePage(visit, { title: done(name), name: secret, secret: token, steps: [step] });
    });
  },
};

/** Switches an SDK token on or off. */
export const switchSdkToken: Action<PortalMatter> = {
  name: 'switch-sdk-token',
  right: 'rotate',
  isPossible: (matter) => tokenOf(matter) !== undefined,
  fields: (matter, { language }) => {
    const token = tokenOf(matter);
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = token?.status === 'ACTIVE';
    const label = isOn ? switchOff : switchOn;
    return html`<input type="hidden" name="to" value="${isOn ? 'off' : 'on'}" />
      <button
        class="quiet small"
        aria-label="${label}: ${token?.name ?? matter.id}"
        data-test="token-switch"
      >
        ${label}
      </button>`;
  },
  question: (matter, fields, { language }) => {
    const texts = tokenTexts[language];
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = fields['to'] === 'on';
    return {
      title: texts.switchTitle(isOn, tokenOf(matter)?.name ?? matter.id),
      text: isOn ? texts.onText : texts.offText,
      button: isOn ? switchOn : switchOff,
      fields: { to: isOn ? 'on' : 'off' },
    };
  },
  run: ({ id }, fields, visit) => {
    const isOn = fields['to'] === 'on';
    const status = isOn ? 'ACTIVE' : 'DISABLED';
    return changePortal(visit, { operation: 'updateSdkToken', record: id, status }, async () => {
      await visit.office.payments.gateway.updateSdkToken({ id, status });
      return isOn ? 'token_on' : 'token_off';
    });
  },
};

const inputOf = (fields: Readonly<Record<string, string>>) => ({
  name: (fields['name'] ?? '').trim(),
  type: (fields['type'] ?? '').trim(),
  terminalId: (fields['terminalId'] ?? '').trim(),
});

/** The token that the address names. */
function tokenOf({ portal, id }: PortalMatter): SdkToken | undefined {
  const tokens = isRead(portal.sdkTokens) ? portal.sdkTokens : [];
  return id === '' ? undefined : tokens.find((one) => one.id === id);
}

/** The texts of API keys. */
const keyTexts = byLanguage({
  title: ['API keys', 'مفاتيح الواجهة البرمجية'],
  lead: `All keys that the gateway knows, by their ends.
    كل المفاتيح لدى البوابة، ويظهر آخر كل منها فقط.`,
  active: ['Active', 'فعّال'],
  revoked: ['Revoked', 'ملغى'],
  used: ['Used by this shop', 'يستخدمه هذا المتجر'],
  rotate: ['Make a new key', 'إصدار مفتاح جديد'],
  rotateHint: `The key in use goes on working. You are asked first.
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

/** The texts of SDK tokens. */
const tokenTexts = byLanguage({
  title: ['SDK tokens', 'رموز SDK'],
  lead: `They sign in terminals and mobile apps. The shop itself uses none.
    تسجّل بها أجهزة نقاط البيع والتطبيقات دخولها، ولا يستخدمها المتجر نفسه.`,
  name: ['Name', 'الاسم'],
  kind: ['Kind of product', 'نوع المنتج'],
  terminal: ['Terminal', 'الجهاز'],
  optional: ['optional', 'اختياري'],
  add: ['Create a token', 'إنشاء رمز'],
  noName: ['Give the token a name, such as Till 3.', 'أعطِ الرمز اسمًا، مثل: صندوق 3.'],
  createTitle: (name: string) => `Create the token ${isolated(name)}?
    هل تريد إنشاء الرمز ${isolated(name)}؟`,
  createText: `A person who has it can take payments as this terminal or app. It is shown once, on the next page.
    من يملكه يستطيع قبول الدفعات باسم هذا الجهاز أو التطبيق. يُعرض مرة واحدة في الصفحة التالية.`,
  yes: ['Create', 'إنشاء'],
  done: (name: string) => [`The token ${isolated(name)}`, `الرمز ${isolated(name)}`],
  secret: ['token', 'الرمز'],
  step: `Put it into the terminal or app now. If it is lost, switch it off and create another.
    أدخله في الجهاز أو التطبيق الآن. إن ضاع فأوقفه وأنشئ غيره.`,
  switchTitle: (
    isOn: boolean,
    name: string,
  ) => `Switch ${isOn ? 'on' : 'off'} the token ${isolated(name)}?
    هل تريد ${isOn ? 'تشغيل' : 'إيقاف'} الرمز ${isolated(name)}؟`,
  onText: `The terminal or app that has it can sign in again.
    يستطيع الجهاز أو التطبيق الذي يحمله الدخول من جديد.`,
  offText: `The terminal or app that has it can take no payment until it is switched on again.
    لن يقبل الجهاز أو التطبيق الذي يحمله أي دفعة حتى يُشغَّل من جديد.`,
});
