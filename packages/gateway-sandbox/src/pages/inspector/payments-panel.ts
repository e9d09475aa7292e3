import type { Session } from '../../domain/session.ts';
import { newestSessions, transactionsOf } from '../../domain/state.ts';
import type { Tenant } from '../../domain/state.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { amountText } from '../amount-text.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { checkoutAddress } from '../page-address.ts';
import { inspectorLabels } from './labels.ts';
import { panel } from './panel.ts';
import { standingOf } from './payment-state.ts';
import { stateDiagram } from './state-diagram.ts';
import { stateLabels } from './state-labels.ts';
import type { View } from './view.ts';

const shownAtMost = 25;

/** The payments, newest first, each with the states it can be in and the one it is in. */
export function paymentsPanel(view: View): Html {
  const { parts, language } = view;
  const labels = inspectorLabels[language];
  const tenant = parts.machine.tenant(view.tenant);
  const shown = newestFew(tenant);
  const rows = shown.map((session, index) => payment(view, session, index === 0));
  return panel({
    id: 'sessions',
    title: labels.sessions,
    aside: shown.length === 0 ? null : labels.shown(shown.length, tenant.sessions.size),
    body:
      shown.length === 0
        ? html`<p class="empty">${labels.noSessions}</p>`
        : html`<div class="payments">${rows}</div>`,
  });
}

function newestFew(tenant: Tenant): Session[] {
  const few: Session[] = [];
  for (const session of newestSessions(tenant)) {
    if (few.push(session) === shownAtMost) break;
  }
  return few;
}

/** One payment; the newest one is unfolded. */
function payment({ parts, tenant, language }: View, session: Session, open: boolean): Html {
  const { machine } = parts;
  const labels = inspectorLabels[language];
  const now = machine.now(tenant);
  const attempts = transactionsOf(machine.tenant(tenant), session);
  const { state, diagram } = standingOf(session, attempts, now);
  const fact = (name: string, value: Html) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<details class="payment-row" id="session-${session.id}" ${open && html` open`}>
    <summary>
      <bdi class="order">${session.merchantOrderId}</bdi>
      <span class="badge badge-${state}">${stateLabels[language].states[state]}</span>
      <bdi class="amount">${amountText(session.amountMinor, session.currency, language)}</bdi>
    </summary>
    <div class="payment-body">
      <div class="scroller" tabindex="0" role="group" aria-label="${stateLabels[language].diagram}">
        ${stateDiagram(diagram, state, language)}
      </div>
      ${
        attempts.length > 0 &&
        html`<ul class="attempts" aria-label="${labels.transactions}">
          ${attempts.map((transaction) => attempt(transaction, session, language))}
        </ul>`
      }
      <dl class="facts">
        ${fact(labels.sessionId, html`<code dir="ltr">${session.id}</code>`)}
        ${fact(labels.columns.created, instant(session.createdAt))}
        ${fact(labels.expires, instant(session.expiresAt))}
        ${fact(labels.environment, html`<bdi dir="ltr">${session.environment}</bdi>`)}
      </dl>
      ${
        session.kind === 'link' &&
        html`<a class="link" href="${checkoutAddress(session.id, language)}"
          >${labels.openPage}<span class="visually-hidden"> ${session.merchantOrderId}</span></a
        >`
      }
    </div>
  </details>`;
}

function attempt(transaction: Transaction, { currency }: Session, language: Language): Html {
  const labels = inspectorLabels[language];
  const { card, status, responseCode, decidedBy, id, entries } = transaction;
  const ledger = entries.map(
    ({ kind, amountMinor, result, createdAt }) =>
      html`<li>
        <bdi dir="ltr">${kind}</bdi> <bdi>${amountText(amountMinor, currency, language)}</bdi>
        <bdi dir="ltr" class="entry-${result}">${result}</bdi> ${instant(createdAt)}
      </li>`,
  );
  return html`<li>
    <p class="attempt-head">
      <span class="badge badge-${status.toLowerCase()}">${labels.states[status]}</span>
      <bdi dir="ltr">${card.scheme.toLowerCase()} ${card.firstSix}••••••${card.lastFour}</bdi
      >${responseCode !== null && html` <bdi dir="ltr" class="code">RR ${responseCode}</bdi>`}
      <span class="soft">${labels.columns.decidedBy}: <bdi dir="ltr">${decidedBy}</bdi></span>
      <code dir="ltr">${id}</code>
    </p>
    <ul class="ledger" aria-label="${labels.ledger}">
      ${ledger}
    </ul>
  </li>`;
}

function instant(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" dir="ltr">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}
