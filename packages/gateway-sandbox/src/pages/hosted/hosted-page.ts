import type { CardFaults } from '../../domain/cards.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { alertBox, definitions } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { amountTag, amountText } from '../money.ts';
import { checkoutAddress, expireAddress } from '../page-address.ts';
import type { Page } from '../page.ts';
import { cardForm, noValues } from './card-form.ts';
import type { CardValues } from './card-form.ts';
import type { Method, OfferedCard } from './payment-methods.ts';
import { drawerCards, groupedNumber, testDrawer } from './test-drawer.ts';
import { declineText, hostedTexts, magicText } from './texts.ts';

/** Why a way to pay is not open to this session. */
export type Refusal = 'unknown-saved-card' | 'phone-missing';

export interface HostedPageParts {
  readonly language: Language;
  readonly session: Session;
  /** The merchant's name in the page's language. */
  readonly merchant: string;
  /** The newest attempt, if any: its decline is shown until another attempt follows. */
  readonly lastAttempt: Transaction | null;
  /** Faults of the card that was just sent. */
  readonly faults: CardFaults;
  readonly values: CardValues;
  /** Index of the drawer's card to fill in, from the address. */
  readonly fill: number | null;
  readonly choice: string;
  /** The customer's cards of earlier payments. */
  readonly savedCards: readonly OfferedCard[];
  /** Why the chosen way to pay was refused. */
  readonly refusal: Refusal | null;
  /** The way to pay that is unfolded. */
  readonly method: Method;
  /** The sandbox clock: a filled-in card expires some years after it. */
  readonly now: number;
}

/** The payment page of a session that can be paid. */
export function hostedPage(parts: HostedPageParts): Page {
  const { language, session, merchant, fill, choice, now } = parts;
  const texts = hostedTexts[language];
  const pay = `${texts.pay} ${amountText(session.amountMinor, session.currency, language)}`;
  const expiry = `12/${String(new Date(now).getUTCFullYear() + 5).slice(-2)}`;
  const filled = fill === null ? undefined : drawerCards[fill];
  const values =
    filled === undefined
      ? parts.values
      : { ...noValues, number: groupedNumber(filled.number), expiry, cvv: '123' };
  const main = html`<main class="checkout">
    <h1 class="visually-hidden">${pay}</h1>
    ${summary(parts)}
    <section class="panel payment" aria-label="${texts.paymentMethod}">
      ${magicBanner(session, language)} ${errorBox(parts)}
      ${cardForm({
        language,
        action: checkoutAddress(session.id, language),
        formKey: String(session.transactionIds.length),
        values,
        faults: parts.faults,
        backUrl: session.failureUrl,
        methods: {
          chosen: parts.method,
          applePay: session.customerKey !== null,
          savedCards: parts.savedCards,
          merchant,
          amount: amountTag(session.amountMinor, session.currency, language),
        },
      })}
    </section>
    ${testDrawer({
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
    title: `${pay} · ${merchant}`,
    description: texts.describe(merchant),
    main,
    path: '/checkout',
    parameters: { sessionId: session.id },
    formTargets: [session.successUrl, session.failureUrl],
    scripts: ['checkout.js'],
  };
}

/** Whom the shopper pays, how much, and what for. */
function summary({ session, merchant, language }: HostedPageParts): Html {
  const texts = hostedTexts[language];
  const { amountMinor, currency, merchantOrderId, customerName } = session;
  const customer =
    customerName === null ? [] : [[texts.customer, html`<bdi>${customerName}</bdi>`] as const];
  return html`<section class="summary">
    <p class="summary-merchant" data-test="merchant"><bdi>${merchant}</bdi></p>
    <p class="summary-label">${texts.amountDue}</p>
    <p class="summary-amount">${amountTag(amountMinor, currency, language)}</p>
    ${definitions('pairs', [[texts.order, html`<bdi>${orderOf(merchantOrderId)}</bdi>`], ...customer])}
    <p class="summary-note">${texts.standIn}</p>
  </section>`;
}

/** The shop's own number of an order: a shop names each attempt anew, such as `1001~2` (§4.1). */
function orderOf(merchantOrderId: string): string {
  return merchantOrderId.replace(/~\d+$/, '');
}

/** An amount that decides the outcome says so on the page. */
function magicBanner({ amountMinor, currency }: Session, language: Language): Html | null {
  const text = magicText(amountMinor, currency, language);
  if (text === null) return null;
  return html`<p class="magic" data-test="magic-banner">
    <b>${hostedTexts[language].magic}</b> ${text}
  </p>`;
}

function errorBox({ faults, lastAttempt, language, refusal }: HostedPageParts): Html | null {
  const texts = hostedTexts[language];
  const box = (text: string, more: string | null) => alertBox('payment-error', text, more);
  if (refusal !== null) return box(texts.refusals[refusal], texts.notCharged);
  if (Object.keys(faults).length > 0) return box(texts.fixFields, null);
  if (lastAttempt?.status !== 'FAILED') return null;
  const reason = declineText(lastAttempt.responseCode, language);
  return box(texts.declined(lastAttempt.card.lastFour, reason), texts.notCharged);
}
