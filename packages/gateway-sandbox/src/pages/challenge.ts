import express from 'express';
import type { Response, Router } from 'express';
import { plainDigits } from '../domain/outcome.ts';
import { type ChallengeAction, passwordTries } from '../domain/pay.ts';
import { challengeLimitMs, hasOpenChallenge } from '../domain/transaction.ts';
import type { Challenge, Transaction } from '../domain/transaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { html } from './html.ts';
import * as ui from './html.ts';
import { noticePage, drawer, type NoticeKind } from './hosted/hosted-page.ts';
import {
  challengeAddress,
  checkoutAddress,
  formField,
  leaveFor,
  readForm,
  sendPage,
} from './page.ts';
import type { Page } from './page.ts';
import { injectPageFaults, leaveAfterAttempt, noteVisit } from './hosted/hosted-routes.ts';

/** The 3-D Secure page of one transaction: `/challenge/:id`. */
export function challengeRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/challenge/:id', (request, response) => {
    noteVisit(parts, 'challenge-shown', request.params['id']);
    showChallenge(parts, request.params['id'], response);
  });
  // The HTML of a sale posts itself here (§4.4), from any site that shows it.
  router.post('/challenge/:id/start', (request, response) => {
    leaveFor(response, challengeAddress(request.params['id'], ui.languageOf(request)));
  });
  router.post('/challenge/:id', readForm, async (request, response) => {
    const challengeId = request.params['id'];
    const action = formField(request, 'action');
    if (action === 'hang') {
      const address = challengeAddress(challengeId, ui.languageOf(request), { hanging: '1' });
      return leaveFor(response, address);
    }
    const answer: ChallengeAction =
      action === 'fail' || action === 'cancel'
        ? { action }
        : { otp: plainDigits(formField(request, 'otp')).slice(0, 12) };
    const tenant = tenants.holderOf(challengeId);
    noteVisit(parts, 'challenge-answered', challengeId);
    machine.execute({ kind: 'answer-challenge', tenant, challengeId, ...answer });
    const found = machine.tenant(tenant).challenged.get(challengeId);
    if (found === undefined) return leaveFor(response, request.originalUrl);
    const visit = { tenant, sessionId: found.session.id, response };
    if (await injectPageFaults(parts, visit, 'after-commit')) return;
    leaveAfterAttempt(parts, found, response);
  });
  return router;
}

function showChallenge(parts: SandboxParts, challengeId: string, response: Response): void {
  const { req: request } = response;
  const language = ui.languageOf(request);
  const notice = (kind: NoticeKind, link: string | null) =>
    sendPage(response, noticePage(language, kind, link));
  const tenant = parts.tenants.holderOf(challengeId);
  const found = parts.machine.tenant(tenant).challenged.get(challengeId);
  if (!found?.challenge) return notice('unknown-session', null);
  const { session, challenge } = found;
  if (!hasOpenChallenge(found)) {
    if (session.kind === 'link') leaveFor(response, checkoutAddress(session.id, language));
    else leaveAfterAttempt(parts, found, response);
  } else if (request.query['hanging'] === '1' || !challenge.returns) {
    notice('waiting-for-bank', session.failureUrl);
  } else sendPage(response, challengePage(parts, { ...found, tenant, challenge }, language));
}

const challengeTexts = ui.byLanguage({
  title: ['Confirm your payment', 'تأكيد عملية الدفع'],
  bank: ['Test bank', 'بنك تجريبي'],
  intro: `Your bank asks you to confirm this payment. Enter the one-time password that it sent to your phone.
    يطلب منك البنك تأكيد هذه العملية. أدخل رمز التحقق المرسل إلى جوالك.`,
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
  wrong: (triesLeft: number) =>
    triesLeft === 1
      ? ['Wrong password. One try is left.', 'الرمز غير صحيح. بقيت لك محاولة واحدة.']
      : ['Wrong password. Two tries are left.', 'الرمز غير صحيح. بقيت لك محاولتان.'],
  expired: ['The password has expired. We sent another.', 'انتهت صلاحية الرمز، وأرسلنا غيره.'],
  effects: {
    passes: ['passes', 'صحيح'],
    wrong: ['is wrong (three tries)', 'خاطئ (ثلاث محاولات)'],
    expired: ['has expired', 'منتهي الصلاحية'],
    failing: ['makes the bank fail', 'خلل لدى البنك'],
  },
  fail: ['Fail the confirmation', 'إفشال التحقق'],
  hang: ['Let it hang', 'ترك العملية معلّقة'],
});

/** The issuer's 3-D Secure page: a one-time password, and the tester's other ways out. */
function challengePage(
  { machine, merchant: names }: SandboxParts,
  found: Transaction & { readonly tenant: string; readonly challenge: Challenge },
  language: ui.Language,
): Page {
  const texts = challengeTexts[language];
  const merchant = names[language];
  const { tenant, session, card, challenge } = found;
  const { openUntil, lastPassword } = challenge;
  const triesLeft = passwordTries - challenge.wrongPasswords;
  const said = lastPassword === 'wrong' ? texts.wrong(triesLeft) : texts.expired;
  const now = machine.now(tenant);
  const { rate } = machine.tenant(tenant).clock;
  const main = html`<main class="stack challenge">
    <div class="panel stack">
      <div class="issuer row between">
        <span class="row"
          ><svg class="drawn tone-plain" viewBox="0 0 24 24" width="22" aria-hidden="true">
            <path d="M12 3 3.5 7.5v2h17v-2z" />
            <path d="M6 12v5M10 12v5M14 12v5M18 12v5M3.5 20h17" /></svg
          ><b>${texts.bank}</b></span
        ><span class="soft" dir="ltr" aria-hidden="true">3-D Secure</span>
      </div>
      <h1>${texts.title}</h1>
      <p class="intro">${texts.intro}</p>
      ${ui.definitions('pairs', [
        [texts.shop, html`<bdi data-test="merchant">${merchant}</bdi>`],
        [texts.amount, ui.amountTag(session.amountMinor, session.currency, language)],
        [
          texts.card,
          html`<bdi dir="ltr"><span aria-hidden="true">•••• </span>${card.lastFour}</bdi>`,
        ],
      ])}
      ${lastPassword && ui.alertBox('challenge-error', said)}
      ${passwordForm(challengeAddress(challenge.id, language), language)}
      ${openUntil !== null && timeLeft(openUntil, now, rate, language)}
    </div>
    ${testTools(language)}
  </main>`;
  const shop = [session.successUrl, session.failureUrl];
  return {
    title: `${texts.title} · ${merchant}`,
    description: texts.intro,
    main,
    formTargets: shop,
    framedBy: shop,
    scripts: ['challenge.js'],
  };
}

function passwordForm(action: string, language: ui.Language): ui.Html {
  const texts = challengeTexts[language];
  const answer = (test: 'approve' | 'cancel', value: string, style: string) =>
    ui.button(test, texts[test], style, html`name="action" value="${value}"`);
  return html`<form
    id="challenge-form"
    class="stack"
    method="post"
    action="${action}"
    autocomplete="off"
  >
    ${ui.field({
      id: 'otp',
      label: texts.password,
      input: html`name="otp" inputmode="numeric" dir="ltr" maxlength="12"
      autocomplete="one-time-code" data-test="otp"`,
      hint: texts.hint,
    })}
    ${answer('approve', 'password', 'button button-main button-large')}
    ${answer('cancel', 'cancel', 'button')}
  </form>`;
}

const riyadh = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Riyadh', timeStyle: 'short' });

/** The time limit in words, and as a countdown in browsers with scripts. */
function timeLeft(openUntil: number, now: number, rate: number, language: ui.Language): ui.Html {
  const texts = challengeTexts[language];
  const left = openUntil - now;
  const seconds = Math.ceil(left / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return html`<div class="soft">
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
      <span class="soft end"
        >${texts.until}
        ${ui.ltr(`${riyadh.format(openUntil)} (Riyadh)`)}${rate === 0 && ` · ${texts.clockFrozen}`}</span
      >
    </p>
    <progress
      id="time-meter"
      value="${left / challengeLimitMs}"
      aria-labelledby="time-label"
    ></progress>
  </div>`;
}

/** The drawer's buttons answer the challenge, so they belong to the form above. */
function testTools(language: ui.Language): ui.Html {
  const texts = challengeTexts[language];
  const tool = (action: 'fail' | 'hang') =>
    ui.button(
      action,
      texts[action],
      'button',
      html`form="challenge-form" name="action" value="${action}"`,
    );
  const body = html`${ui.definitions('terms', [
      [ui.ltr('123456'), texts.effects.passes],
      [ui.ltr('000000'), texts.effects.wrong],
      [ui.ltr('111111'), texts.effects.expired],
      [ui.ltr('222222'), texts.effects.failing],
    ])}
    <div class="row">${tool('fail')} ${tool('hang')}</div>`;
  return drawer(language, true, body);
}
