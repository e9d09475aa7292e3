import type { Payments } from '../create-payments.ts';
import type { CallOptions } from '../gateway/caller.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { withoutPersonal } from '../gateway/quotable.ts';
import type { ApiCredential, SdkToken, Webhook } from '../gateway/schemas/portal.ts';
import { type Action, actionForm, type Deed, type Done } from './action.ts';
import { instant, html, type Html, nothing, badge, byLanguage } from './html.ts';
import { type Visit, linkTo, type Fields, type Shown } from './visit.ts';
import { createHash } from 'node:crypto';

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

async function orError<T>(call: Promise<T>): Promise<T | GatewayError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** A list of the portal that could be read. */
export const isRead = <T>(list: readonly T[] | GatewayError): list is readonly T[] =>
  !(list instanceof GatewayError);

/** Names the records of a list, so that a question can tell that the list has changed since. */
export function markOf(records: readonly (Webhook | ApiCredential | SdkToken)[]): string {
  const names = records.map((one) => `${one.id} ${'apiKey' in one ? one.apiKey : ''}`);
  const sorted = names.toSorted((one, other) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}

export const deedOf = (
  action: Action<PortalMatter>,
  subject: PortalMatter,
): Deed<PortalMatter> => ({
  action,
  subject,
  page: 'gateway',
  section: 'gateway',
  ...(subject.id !== '' && { naming: { id: subject.id } }),
});

/** A form of several fields, which few visits need. */
export async function folded(
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

export function switchBadge({ language }: Visit, isOn: boolean): Html {
  const { on, off } = portalTexts[language];
  return badge(isOn ? 'succeeded' : 'expired', isOn ? on : off);
}

/** The gateway spells times in its own way: what is no known time stays as it came. */
export function times(visit: Visit, record: Pick<ApiCredential, 'createdAt' | 'expiresAt'>): Html {
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

/** What an action about the portal is about: the portal, and the record that the address names. */
export interface PortalMatter {
  readonly portal: Portal;
  /** Empty for what is about no record. */
  readonly id: string;
}

/** The field by which a confirmation says what its list held when it was asked. */
export const MARK_FIELD = 'mark';

/**
 * Makes something new at the gateway, once for a question: the gateway knows no request ids, so a repeat
 * within seconds gets the first answer, and a later one, or one at another process, finds a list that has
 * changed since.
 *
 * @param mark - Of the list as it is now.
 */
export function makeOnce(
  visit: Visit,
  fields: Fields,
  {
    mark,
    requestId,
    ...change
  }: PortalChange & { readonly mark: string; readonly requestId: string },
  make: () => Promise<Shown>,
): Promise<Done> {
  return visit.office.repeats.once(visit.actor, requestId, async () =>
    fields[MARK_FIELD] === mark ? changePortal(visit, change, make) : changedPage(visit),
  );
}

/** What the log says of a change at the portal. */
interface PortalChange {
  readonly operation: keyof Payments['gateway'];
  /** The gateway's id of what is changed. */
  readonly record?: string;
  readonly status?: string;
}

/**
 * Changes the portal, and logs who asked for it. Where the gateway refuses or loses the answer, a page says what is
 * known.
 */
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
    return refusalPage(visit, error);
  }
}

/** A log holds no e-mail address and no long number; what is before the `@` says who it was. */
const loggedName = (actor: string): string => withoutPersonal(actor.replace(/(?:@|%40).*$/su, ''));

function refusalPage(visit: Visit, error: GatewayError): Shown {
  const sealed = error.body?.read();
  if (sealed !== undefined) return sealedPage(visit, sealed);
  const { unknown, refused } = portalTexts[visit.language];
  const { title, text } = error.outcome === 'unknown' ? unknown : refused;
  const why = html`<p>${text}</p>
    <p class="muted" dir="auto">${error.message}</p>`;
  return messagePage(visit, { status: 502, title, content: why });
}

/** A success whose secret is not where the kit looks for it: the secret is somewhere in the answer. */
export function sealedPage(visit: Visit, answer: string): Shown {
  const { title, text } = portalTexts[visit.language].sealed;
  return oncePage(visit, { title, lead: text, name: title, secret: answer, steps: [] });
}

function changedPage(visit: Visit): Shown {
  const { title, text } = portalTexts[visit.language].changed;
  return messagePage(visit, { status: 409, title, content: html`<p>${text}</p>` });
}

/** A secret that is shown in this answer alone. */
export function oncePage(
  visit: Visit,
  made: {
    readonly title: string;
    readonly lead?: Html | string;
    /** Names the secret beside the button that copies it. */
    readonly name: string;
    readonly secret: string;
    readonly steps: readonly (Html | string)[];
  },
): Shown {
  const texts = portalTexts[visit.language];
  const { title, lead, name, secret, steps } = made;
  return messagePage(visit, {
    title,
    content: html`<p class="warning" role="status">${texts.once}</p>
      ${typeof lead === 'string' ? html`<p>${lead}</p>` : (lead ?? null)}
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
  page: { readonly status?: number; readonly title: string; readonly content: Html },
): Shown {
  const { status = 200, title, content } = page;
  return {
    status,
    title,
    main: html`<section class="message" data-test="portal-answer">
      <h1>${title}</h1>
      ${content}
      <p>
        <a class="button quiet" href="${linkTo(visit, 'gateway')}"
          >${portalTexts[visit.language].back}</a
        >
      </p>
    </section>`,
  };
}

/** The texts around everything that the gateway's portal holds. */
export const portalTexts = byLanguage({
  missing: {
    title: ['Webhooks, keys and tokens', 'الإشعارات والمفاتيح والرموز'],
    text: `They are kept in the gateway’s portal, which the API key does not open. To see and change them here, give the shop the login of the gateway’s dashboard and restart it:
      تُحفظ في بوابة التاجر لدى بوابة الدفع، ولا يفتحها مفتاح الواجهة البرمجية. لعرضها وتغييرها هنا، أعطِ المتجر بيانات دخول لوحة التحكم ثم أعد تشغيله:`,
    inCode: ['Or in code:', 'أو في الشيفرة:'],
    meanwhile: `Until then, use the dashboard. This is the address for the webhook:
      وحتى ذلك الحين استخدم لوحة التحكم. هذا عنوان الإشعارات:`,
  },
  notRead: ['This list could not be read just now.', 'تعذّرت قراءة هذه القائمة الآن.'],
  none: ['None yet.', 'لا شيء بعد.'],
  on: ['On', 'مفعّل'],
  off: ['Off', 'متوقف'],
  switchOn: ['Switch on', 'تشغيل'],
  switchOff: ['Switch off', 'إيقاف'],
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
