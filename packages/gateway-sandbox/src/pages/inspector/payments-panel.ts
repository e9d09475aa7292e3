import { newestSessions, transactionsOf } from '../../domain/tenant.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { badge, code, definitions, instant, ltr, panel, schemeName } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { amountTag } from '../money.ts';
import { checkoutAddress } from '../page-address.ts';
import { paymentStateOf } from './payment-state.ts';
import { paymentDiagram } from './state-diagram.ts';
import { inspectorTexts } from './texts.ts';
import { firstOf } from './view.ts';
import type { View } from './view.ts';

const shownAtMost = 25;

/** The payments, newest first, each with its possible states and its current one. */
export function paymentsPanel(view: View): Html {
  const { payments, shown } = inspectorTexts[view.language];
  const tenant = view.parts.machine.tenant(view.tenant);
  const sessions = firstOf(newestSessions(tenant), shownAtMost);
  const rows = sessions.map((session, index) => payment(view, session, index === 0));
  return panel({
    id: 'sessions',
    title: payments.title,
    aside: rows.length === 0 ? null : shown(rows.length, tenant.sessions.size),
    body:
      rows.length === 0 ? html`<p class="empty">${payments.none}</p>` : html`<div>${rows}</div>`,
  });
}

/** One payment; the newest one is unfolded. */
function payment({ parts, tenant, language }: View, session: Session, open: boolean): Html {
  const { machine } = parts;
  const { columns, payments, paymentStates } = inspectorTexts[language];
  const now = machine.now(tenant);
  const attempts = transactionsOf(machine.tenant(tenant), session);
  const { state } = paymentStateOf(session, attempts, now);
  return html`<details class="payment-row" id="session-${session.id}" ${open && html` open`}>
    <summary class="chevron">
      <bdi class="order">${session.merchantOrderId}</bdi>
      ${badge(state, paymentStates[state])}
      <span class="amount">${amountTag(session.amountMinor, session.currency, language)}</span>
    </summary>
    <div class="stack payment-body">
      ${paymentDiagram(session, attempts, now, language)}
      ${
        attempts.length > 0 &&
        html`<ul aria-label="${payments.transactions}">
          ${attempts.map((transaction) => attempt(transaction, session, language))}
        </ul>`
      }
      ${definitions('facts', [
        [payments.sessionId, code(session.id)],
        [columns.created, instant(session.createdAt)],
        [payments.expires, instant(session.expiresAt)],
        [payments.environment, ltr(session.environment)],
      ])}
      ${
        session.kind === 'link' &&
        html`<a href="${checkoutAddress(session.id, language)}"
          >${payments.openPage}<span class="visually-hidden"> ${session.merchantOrderId}</span></a
        >`
      }
    </div>
  </details>`;
}

function attempt(transaction: Transaction, { currency }: Session, language: Language): Html {
  const { columns, payments, transactionStates } = inspectorTexts[language];
  const { card, status, responseCode, decidedBy, id, entries } = transaction;
  const ledger = entries.map(
    ({ kind, amountMinor, result, createdAt }) =>
      html`<li>
        ${ltr(kind)} ${amountTag(amountMinor, currency, language)}
        <bdi dir="ltr" class="entry-${result}">${result}</bdi> ${instant(createdAt)}
      </li>`,
  );
  return html`<li>
    <p class="row">
      ${badge(status, transactionStates[status])}
      ${ltr(`${schemeName(card.scheme)} ${card.firstSix}••••••${card.lastFour}`)}
      ${responseCode !== null && ltr(`RR ${responseCode}`)}
      <span class="soft">${columns.decidedBy}: ${ltr(decidedBy)}</span> ${code(id)}
    </p>
    <ul class="ledger" aria-label="${payments.ledger}">
      ${ledger}
    </ul>
  </li>`;
}
