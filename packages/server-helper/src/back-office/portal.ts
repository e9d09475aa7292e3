import { createHash } from 'node:crypto';
import {
  type ApiCredential,
  type CallOptions,
  GatewayError,
  type Payments,
  type SdkToken,
  type Webhook,
} from '../index.ts';
import { withoutPersonal } from '../parts.ts';
import { type Action, actionForm, type Deed, type Done } from './action.ts';
import { badge, byLanguage, html, type Html, instant, nothing } from './html.ts';
import { type Fields, linkTo, type Shown, type Visit } from './visit.ts';

/** What the gateway's portal holds for the merchant: each list, or why it could not be read. */
export interface Portal {
  readonly webhooks: readonly Webhook[] | GatewayError;
  readonly credentials: readonly ApiCredential[] | GatewayError;
  readonly sdkTokens: readonly SdkToken[] | GatewayError;
}

/** How long a page waits for the gateway: a person waits for the page. */
export const TIME_LIMIT_MS = 4_000;

/** Reads the portal; `null` where the shop has no login for it. */
export async function readPortal({ office }: Visit): Promise<Portal | null> {
  const { gateway } = office.payments;
  if (!office.parts.gateway.hasPortal) return null;
  const options: CallOptions = { timeoutMs: TIME_LIMIT_MS };
  const [webhooks, credentials, sdkTokens] = await Promise.all([
    orError(gateway.listWebhooks(options).then((answer) => answer.webhooks)),
    orError(gateway.retrieveCredentials(options).then((answer) => answer.credentials)),
    orError(gateway.listSdkTokens(options).then((answer) => answer.sdkTokens)),
  ]);
  return { webhooks, credentials, sdkTokens };
}

const orError = <T>(call: Promise<T>): Promise<T | GatewayError> =>
  call.catch((error: unknown) => {
    if (error instanceof GatewayError) return error;
    throw error;
  });

/** A list of the portal that could be read. */
export const isRead = <T>(list: readonly T[] | GatewayError): list is readonly T[] =>
  !(list instanceof GatewayError);

/** The records of a list; none where it could not be read. */
export const recordsOf = <T>(list: readonly T[] | GatewayError): readonly T[] =>
  isRead(list) ? list : [];

type PortalList = Portal[keyof Portal];

/** The field by which a question names the records of a list, to tell whether it has changed since. */
export function markField(list: PortalList): { readonly mark: string } {
  const records = recordsOf<Webhook | ApiCredential | SdkToken>(list);
  const names = records.map((one) => `${one.id} ${'apiKey' in one ? one.apiKey : ''}`);
  const sorted = names.toSorted((one, other) => (one < other ? -1 : 1));
  return { mark: createHash('sha256').update(JSON.stringify(sorted)).digest('base64url') };
}

/** What an action about the portal is about: the portal, and the record that the address names. */
export interface PortalMatter {
  readonly portal: Portal;
  /** Empty for what is about no record. */
  readonly id: string;
}

/** @param about - Names the record on the page, where the action is about one. */
export const portalDeed = (
  action: Action<PortalMatter>,
  subject: PortalMatter,
  about?: string,
): Deed<PortalMatter> => ({
  action,
  subject,
  page: 'gateway',
  section: 'gateway',
  ...(subject.id !== '' && { naming: { id: subject.id } }),
  ...(about !== undefined && { about }),
});

/** A form of several fields, which few visits need. */
export async function folded(
  visit: Visit,
  action: Action<PortalMatter>,
  portal: Portal,
  isOpen = false,
): Promise<Html> {
  const subject = { portal, id: '' };
  const form = await actionForm(visit, portalDeed(action, subject));
  return form === nothing
    ? nothing
    : html`<details ${isOpen && html`open`}>
        <summary>${action.texts(visit.language, subject).button}</summary>
        ${form}
      </details>`;
}

export const switchBadge = ({ language }: Visit, isOn: boolean): Html =>
  badge(isOn ? 'succeeded' : 'expired', portalTexts[language][isOn ? 'on' : 'off']);

/** What the form of a switch asks for. */
export const switchedTo = (fields: Fields): 'on' | 'off' => (fields['to'] === 'on' ? 'on' : 'off');

/** The gateway spells times in its own way: what is no known time stays as it came. */
export function times(visit: Visit, record: Pick<ApiCredential, 'createdAt' | 'expiresAt'>): Html {
  const { created, ends } = portalTexts[visit.language];
  const time = (words: string, text = ''): Html => {
    const at = Date.parse(text);
    const shown = Number.isNaN(at)
      ? html`<bdi>${text}</bdi>`
      : instant(visit, new Date(at).toISOString());
    return text === '' ? nothing : html`<span>${words} ${shown}</span>`;
  };
  return html`${time(created, record.createdAt)} ${time(ends, record.expiresAt)}`;
}

/** The records of a list, or why there are none. */
export async function recordList<T>(
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

/**
 * Makes something new at the gateway, once for a question: the gateway knows no request ids, so a repeat
 * within seconds gets the first answer, and a later one, or one at another process, finds a list that has
 * changed since.
 *
 * @param list - As it is now.
 * @param asked - The question that was answered: its fields and its id.
 */
export function makeOnce(
  visit: Visit,
  operation: PortalChange['operation'],
  list: PortalList,
  asked: { readonly fields: Fields; readonly requestId: string },
  make: () => Promise<Shown>,
): Promise<Done> {
  return visit.office.once(visit.actor, asked.requestId, async () =>
    asked.fields['mark'] === markField(list).mark
      ? changePortal(visit, { operation }, make)
      : messagePage(visit, { status: 409, ...portalTexts[visit.language].changed }),
  );
}

/** What the log says of a change at the portal. */
interface PortalChange {
  readonly operation: keyof Payments['gateway'];
  /** The gateway's id of what is changed. */
  readonly record?: string;
  readonly status?: string;
}

/** Changes the portal, and logs who asked for it. A refusal and a lost answer are a page of their own. */
export async function changePortal<Result extends Done>(
  visit: Visit,
  change: PortalChange,
  call: () => Promise<Result>,
): Promise<Result | Shown> {
  const log = (outcome: GatewayError['outcome'] | 'succeeded'): void =>
    visit.office.parts.logger.info(
      { by: loggedName(visit.actor), ...change, outcome },
      'a person asked for a change of the gateway’s portal in the back office',
    );
  try {
    const result = await call();
    log('succeeded');
    return result;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log(error.outcome);
    const sealed = error.body?.read();
    if (sealed !== undefined) return sealedPage(visit, sealed);
    const { unknown, refused } = portalTexts[visit.language];
    const { title, text } = error.outcome === 'unknown' ? unknown : refused;
    const content = html`<p>${text}</p>
      <p class="muted" dir="auto">${error.message}</p>`;
    return messagePage(visit, { status: 502, title, text: content });
  }
}

/** A log holds no e-mail address and no long number; what is before the `@` says who it was. */
const loggedName = (actor: string): string => withoutPersonal(actor.replace(/(?:@|%40).*$/su, ''));

/** A success whose secret is not where the kit looks for it: the secret is somewhere in the answer. */
export function sealedPage(visit: Visit, answer: string): Shown {
  const { title, text } = portalTexts[visit.language].sealed;
  return oncePage(visit, { title, lead: html`<p>${text}</p>`, name: title, secret: answer });
}

/** A secret that is shown in this answer alone. */
export function oncePage(
  visit: Visit,
  made: {
    readonly title: string;
    readonly lead?: Html;
    /** Names the secret beside the button that copies it. */
    readonly name: string;
    readonly secret: string;
    readonly steps?: readonly (Html | string)[];
  },
): Shown {
  const texts = portalTexts[visit.language];
  const { title, lead = nothing, name, secret, steps = [] } = made;
  return messagePage(visit, {
    title,
    text: html`<p class="warning" role="status">${texts.once}</p>
      ${lead}
      <p class="link">
        <code class="secret" dir="ltr" data-copy="${name}" data-test="secret">${secret}</code>
      </p>
      ${
        steps.length > 0 &&
        html`<h2>${texts.next}</h2>
          <ol class="steps">
            ${steps.map((step) => html`<li>${step}</li>`)}
          </ol>`
      }`,
  });
}

function messagePage(
  visit: Visit,
  page: { readonly status?: number; readonly title: string; readonly text: Html | string },
): Shown {
  const { status = 200, title, text } = page;
  return {
    status,
    title,
    main: html`<section class="message" data-test="portal-answer">
      <h1>${title}</h1>
      ${typeof text === 'string' ? html`<p>${text}</p>` : text}
      <p>
        <a class="button quiet" href="${linkTo(visit, 'gateway')}"
          >${portalTexts[visit.language].back}</a
        >
      </p>
    </section>`,
  };
}

export const portalTexts = byLanguage({
  notRead: ['This list could not be read just now.', 'تعذّرت قراءة هذه القائمة الآن.'],
  none: ['None yet.', 'لا شيء بعد.'],
  on: ['On', 'مفعّل'],
  off: ['Off', 'متوقف'],
  switch: { on: ['Switch on', 'تشغيل'], off: ['Switch off', 'إيقاف'] },
  created: ['Made', 'أُنشئ'],
  ends: ['ends', 'ينتهي'],
  back: ['Back to the gateway', 'العودة إلى بوابة الدفع'],
  once: `Shown this once. Copy it now: nobody can show it to you again.
    يُعرض هذه المرة فقط. انسخه الآن، فلن يستطيع أحد عرضه مرة أخرى.`,
  next: ['What to do now', 'الخطوات التالية'],
  changed: {
    title: ['The list has changed since you were asked', 'تغيّرت القائمة منذ طُرح السؤال'],
    text: `Nothing was done now. Someone else may have changed it, or this form was sent before. Look at the list, and begin again if it is still needed.
      لم يُنفَّذ شيء الآن. ربما غيّرها شخص آخر أو سبق إرسال هذا النموذج. راجع القائمة ثم ابدأ من جديد عند الحاجة.`,
  },
  refused: {
    title: ['The gateway did not do it', 'لم تنفّذ البوابة الإجراء'],
    text: ['Nothing was changed.', 'لم يتغير شيء.'],
  },
  unknown: {
    title: ['It may have happened', 'ربما نُفّذ الإجراء'],
    text: `The gateway’s answer was lost. Look at the list before you do it again.
      لم يصل رد البوابة. راجع القائمة قبل أن تعيد المحاولة.`,
  },
  sealed: {
    title: ['Done, and the answer has another form', 'نُفّذ، لكن الرد بصيغة مختلفة'],
    text: `The gateway did it, and its answer does not bear the secret where the kit looks for it. Here is the whole answer, with the secret in it:
      نفّذت البوابة الإجراء، لكن المفتاح السري ليس في الموضع المتوقع من ردها. هذا هو الرد كاملًا متضمنًا المفتاح:`,
  },
});
