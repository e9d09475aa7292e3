import type { ExplainedAttempt, Explanation } from '../../flows/list-payments.ts';
import type { MoneyOperation } from '../../flows/views.ts';
import { amountTag, amountText, instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import type { Visit } from '../office.ts';
import { badge, code, fact, panel } from '../parts.ts';
import { orderTexts } from '../texts/order.ts';
import { outcomeText } from '../texts/outcomes.ts';
import { stateTexts } from '../texts/states.ts';

/** The attempts of an order, the latest first. */
export function attempts(visit: Visit, { attempts: all, payment }: Explanation): Html {
  const texts = orderTexts[visit.language];
  if (all.length === 0) return nothing;
  const items = all.toReversed().map((one) => attempt(visit, one, payment.currency));
  return panel(
    'attempts',
    texts.attempts,
    html`<ul class="cards" data-test="attempts">
      ${items}
    </ul>`,
  );
}

function attempt(visit: Visit, one: ExplainedAttempt, currency: string): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { number, kind, state, amount, merchantOrderId, sessionId, redirectUrl } = one;
  return html`<li>
    <p class="line">
      <strong>${texts.attempt(number)}</strong> ${badge(state, states.attempt[state])}
      <span class="end">${amountTag(language, amount, currency)}</span>
    </p>
    <dl class="facts small">
      ${fact(states.means[kind], code(merchantOrderId))}
      ${sessionId !== null && fact(texts.session, code(sessionId))}
      ${fact(texts.at, instant(visit, one.createdAt))}
      ${state === 'open' && fact(texts.expires, instant(visit, one.expiresAt))}
      ${one.lastCheckAt !== null && fact(texts.lastCheck, instant(visit, one.lastCheckAt))}
      ${fact(texts.nextCheck, one.nextCheckAt === null ? texts.never : instant(visit, one.nextCheckAt))}
    </dl>
    ${
      redirectUrl !== null &&
      state === 'open' &&
      html`<p><a href="${redirectUrl}" rel="noreferrer" target="_blank">${texts.hostedPage}</a></p>`
    }
  </li>`;
}

/** Each transaction of an order, its role, and what was refunded of it. */
export function transactions(visit: Visit, { transactions: all }: Explanation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  if (all.length === 0) return nothing;
  const items = all.map(({ transactionId, kind, amount, currency, refunded, recordedAt }) => {
    const given = refunded === '0.00' ? '' : amountText(language, refunded, currency);
    return html`<li>
      <p class="line">
        ${badge(kind, stateTexts[language].role[kind])}
        <span class="end">${amountTag(language, amount, currency)}</span>
      </p>
      <p class="line muted">
        <span data-copy="${transactionId}">${code(transactionId)}</span>
        ${given !== '' && html`<span class="end">${texts.ofWhichRefunded(given)}</span>`}
      </p>
      <p class="muted">${instant(visit, recordedAt)}</p>
    </li>`;
  });
  return panel(
    'transactions',
    texts.transactions,
    html`<ul class="cards" data-test="transactions">
      ${items}
    </ul>`,
  );
}

/** The money operations of an order, the latest first. */
export function operations(visit: Visit, { operations: all }: Explanation): Html {
  const texts = orderTexts[visit.language];
  if (all.length === 0) return nothing;
  const items = all.toReversed().map((one) => operation(visit, one));
  return panel(
    'operations',
    texts.operations,
    html`<ul class="cards" data-test="operations">
      ${items}
    </ul>`,
  );
}

function operation(visit: Visit, one: MoneyOperation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  const states = stateTexts[language];
  const { kind, state, amount, currency, requestId, reference, reason } = one;
  const people = [
    [texts.requestedBy, one.requestedBy],
    [texts.approvedBy, one.approvedBy],
    [texts.resolvedBy, one.resolvedBy],
  ] as const;
  return html`<li data-kind="${kind}" data-state="${state}">
    <p class="line">
      <strong>${states.operationKind[kind]}</strong> ${badge(state, states.operation[state])}
      <span class="end">${amountTag(language, amount, currency)}</span>
    </p>
    <dl class="facts small">
      ${fact(texts.at, instant(visit, one.createdAt))}
      ${reason !== null && fact(texts.reason, html`<bdi>${outcomeText(language, reason)}</bdi>`)}
      ${people.map(([name, by]) => (by === null ? nothing : fact(name, html`<bdi>${by}</bdi>`)))}
      ${fact(texts.requestId, code(requestId))}
      ${reference !== null && fact(texts.reference, code(reference))}
    </dl>
  </li>`;
}
