import type { Session } from '../../domain/session.ts';
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
}

/** The issuer's 3-D Secure page: a one-time password, and the tester's other ways out. */
export function challengePage(parts: ChallengePageParts): Page {
  const { language, session, transaction, challenge } = parts;
  const labels = challengeLabels[language];
  const shared = hostedLabels[language];
  const amount = amountText(session.amountMinor, session.currency, language);
  const message = challenge.lastPassword === null ? null : labels[challenge.lastPassword];
  const main = html`<main class="challenge">
    <div class="challenge-card">
      <div class="issuer" aria-hidden="true">
        <span class="issuer-mark"></span><span dir="ltr">3-D Secure</span>
      </div>
      <h1>${labels.title}</h1>
      <p>${labels.intro(amount, transaction.card.lastFour)}</p>
      ${message !== null && html`<div class="alert" role="alert" tabindex="-1" autofocus data-test="challenge-error"><p class="alert-text">${message}</p></div>`}
      ${passwordForm(challengeAddress(challenge.id, language), labels)}
    </div>
  </main>`;
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
    formTargets: [session.successUrl, session.failureUrl],
  };
}

function passwordForm(action: string, labels: ChallengeLabels): Html {
  return html`<form method="post" action="${action}" autocomplete="off">
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
    ${testTools(labels)}
  </form>`;
}

/** Inside the form, since its buttons answer the challenge as well. */
function testTools(labels: ChallengeLabels): Html {
  return html`<details class="drawer drawer-inline" open>
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
        <button class="quiet" type="submit" name="action" value="fail" data-test="fail">
          ${labels.fail}
        </button>
        <button class="quiet" type="submit" name="action" value="hang" data-test="hang">
          ${labels.hang}
        </button>
      </div>
    </div>
  </details>`;
}
