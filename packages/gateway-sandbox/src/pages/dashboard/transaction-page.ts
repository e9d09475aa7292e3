import { formatAmount } from '../../domain/amount.ts';
import { refusalOfHold } from '../../domain/hold.ts';
import { balanceOf } from '../../domain/ledger.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { standingOf } from '../inspector/payment-state.ts';
import { stateDiagram } from '../inspector/state-diagram.ts';
import { stateLabels } from '../inspector/state-labels.ts';
import type { Page } from '../send-page.ts';
import { recordsOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { merchantOf } from './merchant.ts';
import { dashboardPage, deskForm, guardedForm } from './shell.ts';
import type { Desk } from './shell.ts';
import { transactionLabels } from './transaction-labels.ts';

/** One transaction: the row of the status endpoint word for word, and what can be done with it. */
export function transactionPage(desk: Desk, transaction: Transaction, answer: ApiAnswer): Page {
  const { language, parts } = desk;
  const texts = transactionLabels[language];
  const { tenant, tenantId } = merchantOf(desk);
  const session = tenant.sessions.get(transaction.sessionId);
  const order = session?.merchantOrderId ?? '';
  const { data } = answer.body;
  const [told = {}] =
    typeof data === 'object' && data !== null
      ? recordsOf({ ...answer, body: Object.fromEntries(Object.entries(data)) }, 'content')
      : [];
  const standing =
    session === undefined ? null : standingOf(session, [transaction], parts.machine.now(tenantId));
  const body = html`<section class="panel" aria-labelledby="transaction">
      <h2 id="transaction">${texts.asTold}</h2>
      ${
        standing !== null &&
        html`<div
          class="scroller"
          tabindex="0"
          role="group"
          aria-label="${stateLabels[language].diagram}"
        >
          ${stateDiagram(standing.diagram, standing.state, language)}
        </div>`
      }
      <dl class="facts told">
        ${Object.entries(told).map(
          ([name, value]) =>
            html`<div>
              <dt><bdi dir="ltr">${name}</bdi></dt>
              <dd><bdi dir="ltr" data-test="told-${name}">${String(value)}</bdi></dd>
            </div>`,
        )}
      </dl>
    </section>
    ${moves(desk, transaction)}`;
  return dashboardPage(desk, 'transactions', `${texts.order} ${order}`, body);
}

/** Only what this transaction allows is offered; the API has the last word anyway. */
function moves(desk: Desk, transaction: Transaction): Html {
  const texts = transactionLabels[desk.language];
  const isHeld = refusalOfHold(transaction) === null;
  const { refundableMinor } = balanceOf(transaction.entries);
  const path = `/dashboard/transactions/${transaction.id}`;
  const nothing = !isHeld && refundableMinor === 0;
  return html`<section class="panel" aria-labelledby="moves">
    <h2 id="moves">${texts.moves}</h2>
    ${nothing && html`<p class="empty">${texts.noMoves}</p>`}
    ${refundableMinor > 0 && amountForm(desk, { action: `${path}/refund`, minor: refundableMinor, name: 'refund' })}
    ${isHeld && amountForm(desk, { action: `${path}/capture`, minor: transaction.amountMinor, name: 'capture' })}
    ${isHeld && guardedForm(desk, { action: `${path}/void`, open: texts.void, confirm: texts.voidConfirm, test: 'void' })}
  </section>`;
}

function amountForm(
  desk: Desk,
  { action, minor, name }: { action: string; minor: number; name: 'refund' | 'capture' },
): Html {
  const texts = transactionLabels[desk.language];
  return deskForm(desk, {
    action,
    style: 'amount-form',
    body: html`<div class="desk-field">
        <label for="${name}-amount">${texts.amounts[name]}</label>
        <input
          id="${name}-amount"
          name="amount"
          dir="ltr"
          inputmode="decimal"
          value="${formatAmount(minor)}"
          data-test="${name}-amount"
        />
      </div>
      <button class="tool tool-main" data-test="${name}">${texts[name]}</button>`,
  });
}
