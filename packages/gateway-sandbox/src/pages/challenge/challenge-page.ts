import type { Session } from '../../domain/session.ts';
import { challengeLimitMs } from '../../domain/transaction.ts';
import type { Challenge, Transaction } from '../../domain/transaction.ts';
import { amountText } from '../amount-text.ts';
import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { challengeAddress, challengePath } from '../page-address.ts';
import type { Page } from '../send-page.ts';
import { challengeLabels } from './labels.ts';
import type { ChallengeLabels } from './labels.ts';

interface ChallengePageParts {
  readonly language: Language;
  readonly session: Session;
  readonly transaction: Transaction;
  readonly challenge: Challenge;
  /** The sandbox clock, epoch milliseconds, and how fast it runs; 0 when it is stopped. */
  readonly now: number;
  readonly rate: number;
}

/** The issuer's 3-D Secure page: a one-time password, and the tester's other ways out. */
export function challengePage(parts: ChallengePageParts): Page {
  const { language, session, challenge } = parts;
  const labels = challengeLabels[language];
  const shared = hostedLabels[language];
  const main = html`<main class="challenge">
    <div class="challenge-card">
      <div class="issuer">
        <span class="issuer-name"
          ><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M12 3 3.5 7.5v2h17v-2z" />
            <path d="M6 12v5M10 12v5M14 12v5M18 12v5M3.5 20h17" /></svg
          >${labels.bank}</span
        ><span class="issuer-scheme" dir="ltr" aria-hidden="true">3-D Secure</span>
      </div>
      <h1>${labels.title}</h1>
      <p class="challenge-intro">${labels.intro}</p>
      ${facts(parts, labels)} ${passwordMessage(challenge, labels)}
      ${passwordForm(challengeAddress(challenge.id, language), labels)} ${timeLeft(parts, labels)}
    </div>
    ${testTools(labels)}
  </main>`;
  const merchant = [session.successUrl, session.failureUrl];
  return {
    language,
    title: labels.title,
    body: framed({
      language,
      strip: shared.strip,
      languages: shared.languages,
      path: challengePath(challenge.id),
      parameters: new URLSearchParams(),
      main,
    }),
    formTargets: merchant,
    framedBy: merchant,
    scripts: ['challenge.js'],
  };
}

function facts({ language, session, transaction }: ChallengePageParts, labels: ChallengeLabels) {
  const amount = amountText(session.amountMinor, session.currency, language);
  const fact = (name: string, value: Html | string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="challenge-facts">
    ${fact(labels.shop, html`<bdi dir="ltr">${new URL(session.successUrl).host}</bdi>`)}
    ${fact(labels.amount, html`<bdi>${amount}</bdi>`)}
    ${fact(
      labels.card,
      html`<bdi dir="ltr"><span aria-hidden="true">•••• </span>${transaction.card.lastFour}</bdi>`,
    )}
  </dl>`;
}

function passwordMessage({ lastPassword }: Challenge, labels: ChallengeLabels): Html | null {
  if (lastPassword === null) return null;
  return html`<div class="alert" role="alert" tabindex="-1" autofocus data-test="challenge-error">
    <p class="alert-text">${labels[lastPassword]}</p>
  </div>`;
}

function passwordForm(action: string, labels: ChallengeLabels): Html {
  return html`<form id="challenge-form" method="post" action="${action}" autocomplete="off">
    <div class="field">
      <label for="otp">${labels.password}</label>
      <input
        id="otp"
        name="otp"
        type="text"
        inputmode="numeric"
        dir="ltr"
        maxlength="12"
        autocomplete="one-time-code"
        aria-describedby="otp-hint"
        data-test="otp"
      />
      <span class="hint" id="otp-hint">${labels.hint}</span>
    </div>
    <button class="pay" type="submit" name="action" value="password" data-test="approve">
      ${labels.approve}
    </button>
    <button class="quiet quiet-wide" type="submit" name="action" value="cancel" data-test="cancel">
      ${labels.cancel}
    </button>
  </form>`;
}

/** The time limit in words, and as a countdown where a script may keep it. */
function timeLeft({ challenge, now, rate }: ChallengePageParts, labels: ChallengeLabels) {
  if (challenge.openUntil === null) return null;
  const left = challenge.openUntil - now;
  const until = new Date(challenge.openUntil).toISOString().slice(11, 16);
  const seconds = Math.ceil(left / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return html`<div class="time-left">
    <p>
      <span id="time-label">${labels.timeLeft}</span>
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
      <span class="time-until"
        >${labels.until}
        <bdi dir="ltr">${until} UTC</bdi>${rate === 0 && ` · ${labels.clockFrozen}`}</span
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

/** Its buttons answer the challenge as well, so they belong to the form above. */
function testTools(labels: ChallengeLabels): Html {
  return html`<details class="drawer" open data-test="test-drawer">
    <summary>
      <span class="drawer-title">${labels.drawer}</span
      ><span class="drawer-note">${labels.drawerNote}</span>
    </summary>
    <div class="drawer-body">
      <dl class="passwords">
        ${labels.passwords.map(
          ([password, effect]) =>
            html`<div>
              <dt><bdi dir="ltr">${password}</bdi></dt>
              <dd>${effect}</dd>
            </div>`,
        )}
      </dl>
      <div class="drawer-actions">
        ${toolButton('fail', labels.fail)} ${toolButton('hang', labels.hang)}
      </div>
    </div>
  </details>`;
}

function toolButton(action: 'fail' | 'hang', text: string): Html {
  return html`<button
    class="quiet"
    type="submit"
    form="challenge-form"
    name="action"
    value="${action}"
    data-test="${action}"
  >
    ${text}
  </button>`;
}
