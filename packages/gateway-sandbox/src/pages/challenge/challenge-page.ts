import { iso } from '../../domain/clock.ts';
import { challengeLimitMs } from '../../domain/transaction.ts';
import type { Challenge, Session, Transaction } from '../../domain/transaction.ts';
import { alertBox, definitions, field, ltr } from '../furniture.ts';
import { drawer } from '../hosted/test-drawer.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { byLanguage } from '../language.ts';
import type { Language } from '../language.ts';
import { amountTag } from '../money.ts';
import { challengeAddress, challengePath } from '../page-address.ts';
import type { Page } from '../page.ts';

const challengeTexts = byLanguage({
  title: ['Confirm your payment', 'تأكيد عملية الدفع'],
  bank: ['Test bank', 'بنك تجريبي'],
  intro: [
    'Your bank asks you to confirm this payment. Enter the one-time password that it sent to your phone.',
    'يطلب منك البنك تأكيد هذه العملية. أدخل رمز التحقق المرسل إلى جوالك.',
  ],
  shop: ['Shop', 'المتجر'],
  amount: ['Amount', 'المبلغ'],
  card: ['Card', 'البطاقة'],
  timeLeft: ['Time left', 'الوقت المتبقي'],
  until: ['open until', 'متاحة حتى'],
  clockFrozen: ['the sandbox clock is stopped', 'ساعة البيئة التجريبية متوقفة'],
  password: ['One-time password', 'رمز التحقق'],
  hint: ['6 digits', '6 أرقام'],
  approve: ['Confirm', 'تأكيد'],
  cancel: ['Cancel this payment', 'إلغاء عملية الدفع'],
  wrong: ['That password is wrong. Please try again.', 'رمز التحقق غير صحيح. حاول مرة أخرى.'],
  expired: [
    'That password has expired. We sent you another one.',
    'انتهت صلاحية الرمز، وأرسلنا لك رمزًا جديدًا.',
  ],
  effects: {
    passes: ['passes', 'صحيح'],
    wrong: ['is wrong (three tries)', 'خاطئ (ثلاث محاولات)'],
    expired: ['has expired', 'منتهي الصلاحية'],
    failing: ['makes the bank fail', 'خلل لدى البنك'],
  },
  fail: ['Fail the confirmation', 'إفشال التحقق'],
  hang: ['Let it hang', 'ترك العملية معلّقة'],
});

interface ChallengePageParts {
  readonly language: Language;
  readonly session: Session;
  /** The merchant's name in the page's language. */
  readonly merchant: string;
  readonly transaction: Transaction;
  readonly challenge: Challenge;
  /** The sandbox clock in epoch milliseconds, and its rate; 0 when the clock is stopped. */
  readonly now: number;
  readonly rate: number;
}

/** The issuer's 3-D Secure page: a one-time password, and the tester's other ways out. */
export function challengePage(parts: ChallengePageParts): Page {
  const { language, session, merchant, transaction, challenge } = parts;
  const texts = challengeTexts[language];
  const main = html`<main class="stack challenge">
    <div class="panel stack">
      <div class="issuer">
        <span class="row"
          ><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M12 3 3.5 7.5v2h17v-2z" />
            <path d="M6 12v5M10 12v5M14 12v5M18 12v5M3.5 20h17" /></svg
          ><b>${texts.bank}</b></span
        ><span class="soft" dir="ltr" aria-hidden="true">3-D Secure</span>
      </div>
      <h1>${texts.title}</h1>
      <p class="intro">${texts.intro}</p>
      ${definitions('pairs', [
        [texts.shop, html`<bdi data-test="merchant">${merchant}</bdi>`],
        [texts.amount, amountTag(session.amountMinor, session.currency, language)],
        [
          texts.card,
          html`<bdi dir="ltr"
            ><span aria-hidden="true">•••• </span>${transaction.card.lastFour}</bdi
          >`,
        ],
      ])}
      ${challenge.lastPassword !== null && alertBox('challenge-error', texts[challenge.lastPassword])}
      ${passwordForm(challengeAddress(challenge.id, language), language)} ${timeLeft(parts)}
    </div>
    ${testTools(language)}
  </main>`;
  const shop = [session.successUrl, session.failureUrl];
  return {
    language,
    title: `${texts.title} · ${merchant}`,
    description: texts.intro,
    main,
    path: challengePath(challenge.id),
    formTargets: shop,
    framedBy: shop,
    scripts: ['challenge.js'],
  };
}

function passwordForm(action: string, language: Language): Html {
  const texts = challengeTexts[language];
  return html`<form
    id="challenge-form"
    class="stack"
    method="post"
    action="${action}"
    autocomplete="off"
  >
    ${field({
      id: 'otp',
      label: texts.password,
      input: html`name="otp" inputmode="numeric" dir="ltr" maxlength="12"
      autocomplete="one-time-code" data-test="otp"`,
      hint: texts.hint,
    })}
    <button
      class="button button-main button-large"
      name="action"
      value="password"
      data-test="approve"
    >
      ${texts.approve}
    </button>
    <button class="button" name="action" value="cancel" data-test="cancel">${texts.cancel}</button>
  </form>`;
}

/** The time limit in words, and as a countdown in browsers with scripts. */
function timeLeft({ language, challenge, now, rate }: ChallengePageParts): Html | null {
  if (challenge.openUntil === null) return null;
  const texts = challengeTexts[language];
  const left = challenge.openUntil - now;
  const until = iso(challenge.openUntil).slice(11, 16);
  const seconds = Math.ceil(left / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return html`<div class="time-left">
    <p class="row">
      <span id="time-label">${texts.timeLeft}</span>
      <bdi
        id="time-left"
        dir="ltr"
        role="timer"
        aria-labelledby="time-label"
        data-left="${left}"
        data-limit="${challengeLimitMs}"
        data-rate="${rate}"
        >${text}</bdi
      >
      <span class="soft time-until"
        >${texts.until} ${ltr(`${until} UTC`)}${rate === 0 && ` · ${texts.clockFrozen}`}</span
      >
    </p>
    <meter
      id="time-meter"
      min="0"
      max="1"
      value="${left / challengeLimitMs}"
      aria-labelledby="time-label"
    ></meter>
  </div>`;
}

/** The drawer's buttons answer the challenge, so they belong to the form above. */
function testTools(language: Language): Html {
  const texts = challengeTexts[language];
  const { effects } = texts;
  const tool = (action: 'fail' | 'hang') =>
    html`<button
      class="button"
      form="challenge-form"
      name="action"
      value="${action}"
      data-test="${action}"
    >
      ${texts[action]}
    </button>`;
  const body = html`${definitions('terms', [
      [ltr('123456'), effects.passes],
      [ltr('000000'), effects.wrong],
      [ltr('111111'), effects.expired],
      [ltr('222222'), effects.failing],
    ])}
    <div class="row">${tool('fail')} ${tool('hang')}</div>`;
  return drawer(language, true, body);
}
