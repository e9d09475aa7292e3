import type { CardFaults } from '../../domain/card-entry.ts';
import type { Session } from '../../domain/session.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { amountText } from '../amount-text.ts';
import { declineText } from '../decline-labels.ts';
import { framed } from '../frame.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { checkoutAddress, expireAddress } from '../page-address.ts';
import type { Page } from '../send-page.ts';
import { cardForm, noValues } from './card-form.ts';
import type { CardValues } from './card-form.ts';
import { drawerCards, groupedNumber } from './drawer-cards.ts';
import { testDrawer } from './drawer.ts';
import { hostedLabels } from './labels.ts';
import type { HostedLabels } from './labels.ts';
import { magicText } from './magic-labels.ts';
import { methodLabels } from './method-labels.ts';
import type { Refusal } from './method-labels.ts';
import type { Method, OfferedCard } from './payment-methods.ts';

export interface HostedPageParts {
  readonly language: Language;
  readonly session: Session;
  /** The newest attempt, when there was one: a decline is said until another attempt follows. */
  readonly lastAttempt: Transaction | null;
  /** Faults of the card as it was just sent. */
  readonly faults: CardFaults;
  readonly values: CardValues;
  /** Index of the drawer's card to fill in, from the address. */
  readonly fill: number | null;
  readonly choice: string;
  /** The customer's cards of earlier payments. */
  readonly savedCards: readonly OfferedCard[];
  /** Why what was chosen cannot be paid with. */
  readonly refusal: Refusal | null;
  /** The way to pay that is unfolded. */
  readonly method: Method;
  /** The sandbox clock: a filled-in card expires some years after it. */
  readonly now: number;
}

/** The payment page of a session that can be paid. */
export function hostedPage(parts: HostedPageParts): Page {
  const { language, session, fill, choice, now } = parts;
  const labels = hostedLabels[language];
  const amount = amountText(session.amountMinor, session.currency, language);
  const parameters = new URLSearchParams({ sessionId: session.id });
  const expiry = `12/${String(new Date(now).getUTCFullYear() + 5).slice(-2)}`;
  const filled = fill === null ? undefined : drawerCards[fill];
  const values =
    filled === undefined
      ? parts.values
      : { ...noValues, number: groupedNumber(filled.number), expiry, cvv: '123' };
  const error = errorBox(parts, labels);
  const main = html`<main class="checkout">
    <h1 class="visually-hidden">${labels.pageTitle(amount)}</h1>
    ${summary(session, labels, amount)}
    <section class="payment" aria-label="${labels.paymentMethod}">
      ${magicBanner(session, language)} ${error}
      ${cardForm({
        labels,
        action: checkoutAddress(session.id, language),
        formKey: String(session.transactionIds.length),
        payText: labels.pay(amount),
        values,
        faults: parts.faults,
        backUrl: session.failureUrl,
        methods: {
          language,
          chosen: parts.method,
          applePay: session.customerKey !== null,
          savedCards: parts.savedCards,
          shop: new URL(session.successUrl).host,
          amount,
        },
      })}
    </section>
    ${testDrawer({
      labels,
      language,
      open: filled !== undefined || choice !== '',
      expiry,
      fillUrl: (index) => checkoutAddress(session.id, language, { card: String(index) }),
      expireAction: expireAddress(session.id, language),
      choice,
    })}
  </main>`;
  return {
    language,
    title: labels.pageTitle(amount),
    body: framed({
      language,
      strip: labels.strip,
      languages: labels.languages,
      path: '/checkout',
      parameters,
      main,
    }),
    formTargets: [session.successUrl, session.failureUrl],
    scripts: ['checkout.js'],
  };
}

function summary(session: Session, labels: HostedLabels, amount: string): Html {
  return html`<section class="summary">
    <p class="summary-label">${labels.amountDue}</p>
    <p class="summary-amount"><bdi>${amount}</bdi></p>
    <dl class="summary-list">
      <div>
        <dt>${labels.order}</dt>
        <dd><bdi>${session.merchantOrderId}</bdi></dd>
      </div>
      ${
        session.customerName !== null &&
        html`<div>
          <dt>${labels.customer}</dt>
          <dd><bdi>${session.customerName}</bdi></dd>
        </div>`
      }
    </dl>
    <p class="summary-note">${labels.secure}</p>
  </section>`;
}

/** An amount that decides by itself says so, before anybody wonders. */
function magicBanner({ amountMinor, currency }: Session, language: Language): Html | null {
  const text = magicText(amountMinor, currency, language);
  if (text === null) return null;
  return html`<p class="magic" data-test="magic-banner">
    <b>${methodLabels[language].magic}</b> ${text}
  </p>`;
}

function errorBox(parts: HostedPageParts, labels: HostedLabels): Html | null {
  const { faults, lastAttempt, language, refusal } = parts;
  if (refusal !== null) return alert(methodLabels[language].refusals[refusal], labels.notCharged);
  if (Object.keys(faults).length > 0) return alert(labels.fixFields, null);
  if (lastAttempt?.status !== 'FAILED') return null;
  const reason = declineText(lastAttempt.responseCode, language);
  return alert(labels.declined(lastAttempt.card.lastFour, reason), labels.notCharged);
}

/** Focused on load, so that keyboards and screen readers begin with what went wrong. */
function alert(text: string, more: string | null): Html {
  return html`<div class="alert" role="alert" tabindex="-1" autofocus data-test="payment-error">
    <p class="alert-text">${text}</p>
    ${more !== null && html`<p>${more}</p>`}
  </div>`;
}
