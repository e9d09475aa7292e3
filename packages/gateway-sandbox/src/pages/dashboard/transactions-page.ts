import { newestSessions, transactionsOf } from '../../domain/state.ts';
import type { Session } from '../../domain/session.ts';
import { statusRow } from '../../domain/status-rows.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { amountText } from '../amount-text.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { scrollingTable } from '../inspector/panel.ts';
import type { Page } from '../send-page.ts';
import { dashboardLabels } from './labels.ts';
import { merchantOf } from './merchant.ts';
import { dashboardPage, instantText, sectionAddress } from './shell.ts';
import type { Desk } from './shell.ts';
import { transactionLabels } from './transaction-labels.ts';

const shownAtMost = 100;

/** The transactions of the environment, newest first, with what the status endpoint says of each. */
export function transactionsPage(desk: Desk): Page {
  const { language } = desk;
  const labels = dashboardLabels[language];
  const texts = transactionLabels[language];
  const rows = newestTransactions(desk).map(([session, transaction]) =>
    row(desk, session, transaction),
  );
  const table = scrollingTable({
    labelledBy: 'transactions',
    head: [texts.order, texts.amount, labels.status, texts.refunded, texts.card, labels.created],
    rows,
  });
  const body = html`<section class="panel" aria-labelledby="transactions">
    <h2 id="transactions">${labels.sections.transactions}</h2>
    ${rows.length === 0 ? html`<p class="empty">${texts.none}</p>` : table}
  </section>`;
  return dashboardPage(desk, 'transactions', labels.sections.transactions, body);
}

function newestTransactions(desk: Desk): (readonly [Session, Transaction])[] {
  const { tenant, environment } = merchantOf(desk);
  const found: (readonly [Session, Transaction])[] = [];
  for (const session of newestSessions(tenant)) {
    if (session.environment !== environment) continue;
    const attempts = transactionsOf(tenant, session).toReversed();
    found.push(...attempts.map((transaction) => [session, transaction] as const));
    if (found.length >= shownAtMost) break;
  }
  return found.slice(0, shownAtMost);
}

function row(desk: Desk, session: Session, transaction: Transaction): Html {
  const { language, parts } = desk;
  const texts = transactionLabels[language];
  const told = statusRow(session, transaction, parts.policy.has('sameId'));
  const refunded = told.refundStatus !== 'NONE';
  return html`<tr>
    <td>
      <a
        href="${sectionAddress('transactions', language, `/${transaction.id}`)}"
        data-test="open-transaction"
        ><bdi>${told.merchantOrderId}</bdi></a
      >
    </td>
    <td><bdi>${amountText(transaction.amountMinor, session.currency, language)}</bdi></td>
    <td>
      <span class="badge badge-${told.transactionStatus.toLowerCase()}"
        >${texts.statuses[told.transactionStatus] ?? told.transactionStatus}</span
      >
    </td>
    <td>
      ${refunded && html`${texts.refundStatuses[told.refundStatus] ?? ''} <bdi dir="ltr">${told.totalRefundAmount}</bdi>`}
    </td>
    <td><bdi dir="ltr">${told.cardScheme} ${told.pan.slice(-4)}</bdi></td>
    <td>${instantText(new Date(transaction.createdAt).toISOString(), language)}</td>
  </tr>`;
}
