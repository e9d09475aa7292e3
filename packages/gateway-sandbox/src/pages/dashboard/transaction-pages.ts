import { formatAmount } from '../../domain/money/amount.ts';
import { refusalOfAuthorization } from '../../domain/transaction/transaction.ts';
import { balanceOf } from '../../domain/money/ledger.ts';
import type { Session } from '../../domain/session/session.ts';
import { newestSessions, transactionsOf } from '../../domain/state.ts';
import { statusRow } from '../../domain/transaction/status-rows.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import { definitions, field, ltr, panel, schemeName, table, tableRow } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { paymentDiagram } from '../inspector/state-diagram.ts';
import { amountTag } from '../money.ts';
import type { Page } from '../page.ts';
import { recordsOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import {
  apiForm,
  dashboardPage,
  guardedForm,
  instantText,
  mainButton,
  sectionAddress,
  statusBadge,
} from './dashboard-page.ts';
import type { View } from './dashboard-page.ts';
import { merchantOf } from './sign-in.ts';
import { dashboardTexts } from './texts.ts';

const shownAtMost = 100;

/** The transactions of the environment, newest first, with the status endpoint's view of each. */
export function transactionsPage(view: View): Page {
  const texts = dashboardTexts[view.language];
  const title = texts.sections.transactions;
  const head = [texts.order, texts.amount, texts.status, texts.refunded, texts.card];
  const body = table({
    labelledBy: 'transactions',
    head: [...head, texts.created],
    rows: newestTransactions(view).map(([session, transaction]) => row(view, session, transaction)),
    empty: texts.noTransactions,
  });
  return dashboardPage(view, 'transactions', title, panel({ id: 'transactions', title, body }));
}

function newestTransactions(view: View): (readonly [Session, Transaction])[] {
  const { tenant, environment } = merchantOf(view);
  const found: (readonly [Session, Transaction])[] = [];
  for (const session of newestSessions(tenant)) {
    if (session.environment !== environment) continue;
    const attempts = transactionsOf(tenant, session).toReversed();
    found.push(...attempts.map((transaction) => [session, transaction] as const));
    if (found.length >= shownAtMost) break;
  }
  return found.slice(0, shownAtMost);
}

function row(view: View, session: Session, transaction: Transaction): Html {
  const { language, parts } = view;
  const answered = statusRow(session, transaction, parts.policy.has('sameId'));
  const { merchantOrderId, transactionStatus, refundStatus } = answered;
  const { refundedMinor } = balanceOf(transaction.entries);
  const refunded = dashboardTexts[language].statuses[refundStatus] ?? '';
  return tableRow([
    html`<a
      href="${sectionAddress('transactions', language, `/${transaction.id}`)}"
      data-test="open-transaction"
      ><bdi>${merchantOrderId}</bdi></a
    >`,
    amountTag(transaction.amountMinor, session.currency, language),
    statusBadge(transactionStatus, language),
    refundStatus === 'NONE'
      ? null
      : html`${refunded} ${amountTag(refundedMinor, session.currency, language)}`,
    ltr(`${schemeName(answered.cardScheme)} ${answered.pan.slice(-4)}`),
    instantText(new Date(transaction.createdAt).toISOString(), language),
  ]);
}

/** One transaction: the status endpoint's row word for word, and the forms that it allows. */
export function transactionPage(view: View, transaction: Transaction, answer: ApiAnswer): Page {
  const { language, parts } = view;
  const texts = dashboardTexts[language];
  const { tenant, tenantId } = merchantOf(view);
  const session = tenant.sessions.get(transaction.sessionId);
  const now = parts.machine.now(tenantId);
  const { data } = answer.body;
  const rows =
    typeof data === 'object' && data !== null
      ? recordsOf({ ...answer, body: Object.fromEntries(Object.entries(data)) }, 'content')
      : [];
  const answered = Object.entries(rows[0] ?? {}).map(
    ([name, value]) =>
      [ltr(name), html`<bdi dir="ltr" data-test="told-${name}">${String(value)}</bdi>`] as const,
  );
  const body = html`${panel({
    id: 'transaction',
    title: texts.statusAnswer,
    body: html`${session !== undefined && paymentDiagram(session, [transaction], now, language)}
    ${definitions('facts', answered)}`,
  })}
  ${panel({
    id: 'money-actions',
    title: texts.moneyActions,
    body: moneyActions(view, transaction),
  })}`;
  const heading = `${texts.order} ${session?.merchantOrderId ?? ''}`;
  return dashboardPage(view, 'transactions', heading, body);
}

/** Offers only what this transaction allows; the API decides in any case. */
function moneyActions(view: View, transaction: Transaction): Html {
  const texts = dashboardTexts[view.language];
  const isHeld = refusalOfAuthorization(transaction) === null;
  const { refundableMinor } = balanceOf(transaction.entries);
  const action = `/dashboard/transactions/${transaction.id}`;
  if (!isHeld && refundableMinor === 0) return html`<p class="empty">${texts.noMoneyActions}</p>`;
  const amountForm = (name: 'refund' | 'capture', minor: number) =>
    apiForm(view, {
      action: `${action}/${name}`,
      style: 'row amount-form',
      body: html`${field({
        id: `${name}-amount`,
        label: texts.amounts[name],
        input: html`name="amount" dir="ltr" inputmode="decimal" value="${formatAmount(minor)}"
        data-test="${name}-amount"`,
      })}
      ${mainButton(name, texts[name])}`,
    });
  const voiding = { open: texts.void, confirm: texts.voidConfirm, test: 'void' };
  return html`${refundableMinor > 0 && amountForm('refund', refundableMinor)}
  ${isHeld && amountForm('capture', transaction.amountMinor)}
  ${isHeld && guardedForm(view, { action: `${action}/void`, ...voiding })}`;
}
