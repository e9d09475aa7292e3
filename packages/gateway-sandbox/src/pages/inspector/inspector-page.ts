import { defaultTenant, newestSessions, transactionsOf } from '../../domain/state.ts';
import type { Tenant } from '../../domain/state.ts';
import { sessionState } from '../../domain/session.ts';
import type { Session } from '../../domain/session.ts';
import { transactionAt } from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { LoggedRequest } from '../../request-log.ts';
import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { amountText } from '../amount-text.ts';
import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import type { Page } from '../send-page.ts';
import { inspectorLabels } from './labels.ts';
import type { InspectorLabels } from './labels.ts';

/** How many sessions, requests and happenings one page shows. */
const shownAtMost = 50;

/** The inspector: what this sandbox holds and why it answered as it did. */
export function inspectorPage(parts: SandboxParts, language: Language): Page {
  const labels = inspectorLabels[language];
  const shared = hostedLabels[language];
  const main = html`<main class="inspector">
    <h1>${labels.title}</h1>
    ${overview(parts, labels)} ${sessions(parts, labels, language)} ${requests(parts, labels)}
    ${timeline(parts, labels)}
  </main>`;
  return {
    language,
    title: `${labels.title} · Pay Sandbox`,
    body: framed({
      language,
      strip: shared.strip,
      languages: shared.languages,
      path: '/_sandbox',
      parameters: new URLSearchParams(),
      main,
    }),
  };
}

function overview(parts: SandboxParts, labels: InspectorLabels): Html {
  const { machine, tenants, publicUrl } = parts;
  const { apiKeys } = tenants.credentials(defaultTenant);
  const clock = machine.tenant(defaultTenant).clock.kind;
  const environment = (name: string, base: string, key: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd><code dir="ltr">${base}</code></dd>
      <dd>${labels.apiKey}: <code dir="ltr">${key}</code></dd>
    </div>`;
  return html`<section class="panel overview" aria-labelledby="addresses">
    <h2 id="addresses">${labels.addresses}</h2>
    <dl>
      ${environment(labels.staging, publicUrl() + basePaths.staging, apiKeys.staging)}
      ${environment(labels.production, publicUrl() + basePaths.production, apiKeys.production)}
      <div>
        <dt>${labels.clock}</dt>
        <dd>
          <time dir="ltr">${new Date(machine.now(defaultTenant)).toISOString()}</time> ·
          ${labels[clock]}
        </dd>
      </div>
    </dl>
  </section>`;
}

function sessions(parts: SandboxParts, labels: InspectorLabels, language: Language): Html {
  const tenant = parts.machine.tenant(defaultTenant);
  const shown = newestFew(tenant);
  const count = labels.shown(shown.length, tenant.sessions.size);
  return html`<section class="panel" aria-labelledby="sessions">
    <h2 id="sessions">${labels.sessions}</h2>
    ${
      shown.length === 0
        ? html`<p class="empty">${labels.noSessions}</p>`
        : html`<p class="count">${count}</p>
            <ul class="session-list">
              ${shown.map((session) => sessionRow(parts, session, labels, language))}
            </ul>`
    }
  </section>`;
}

function newestFew(tenant: Tenant): Session[] {
  const few: Session[] = [];
  for (const session of newestSessions(tenant)) {
    if (few.push(session) === shownAtMost) break;
  }
  return few;
}

function sessionRow(
  { machine }: SandboxParts,
  session: Session,
  labels: InspectorLabels,
  language: Language,
): Html {
  const now = machine.now(defaultTenant);
  const state = sessionState(session, now);
  const transactions = transactionsOf(machine.tenant(defaultTenant), session);
  return html`<li class="session">
    <div class="session-head">
      <bdi class="session-order">${session.merchantOrderId}</bdi>
      <span class="badge badge-${state.toLowerCase()}">${labels.states[state]}</span>
      <bdi class="session-amount"
        >${amountText(session.amountMinor, session.currency, language)}</bdi
      >
      <a
        href="/checkout?sessionId=${session.id}&amp;lang=${language}"
        aria-label="${labels.open} ${session.merchantOrderId}"
        >${labels.open}</a
      >
    </div>
    <p class="session-facts">
      <code dir="ltr">${session.id}</code>
      <time dir="ltr">${new Date(session.createdAt).toISOString()}</time>
      <span dir="ltr">${session.environment}</span>
    </p>
    ${
      transactions.length > 0 &&
      html`<ul class="transaction-list" aria-label="${labels.transactions}">
        ${transactions.map((stored) => transactionRow(transactionAt(stored, now), labels))}
      </ul>`
    }
  </li>`;
}

function transactionRow(transaction: Transaction, labels: InspectorLabels): Html {
  const { card, status, responseCode, decidedBy } = transaction;
  return html`<li>
    <span class="badge badge-${status.toLowerCase()}">${labels.states[status]}</span>
    <bdi dir="ltr">${card.scheme.toLowerCase()} ${card.firstSix}******${card.lastFour}</bdi
    >${responseCode !== null && html` <bdi dir="ltr">RR ${responseCode}</bdi>`}
    <span>${labels.columns.decidedBy}: <bdi dir="ltr">${decidedBy}</bdi></span>
    <code dir="ltr">${transaction.id}</code>
  </li>`;
}

function requests(parts: SandboxParts, labels: InspectorLabels): Html {
  const all = parts.requestLog.list(defaultTenant);
  const shown = all.toReversed().slice(0, shownAtMost);
  const { columns } = labels;
  const row = (entry: LoggedRequest) =>
    html`<tr>
      <td><time dir="ltr">${entry.at.slice(11, 23)}</time></td>
      <td><bdi dir="ltr">${entry.operation ?? `${entry.method} ${entry.path}`}</bdi></td>
      <td><bdi>${entry.merchantOrderId ?? ''}</bdi></td>
      <td>${entry.status ?? '×'}</td>
      <td><bdi dir="ltr">${entry.decidedBy}</bdi></td>
      <td><bdi dir="ltr">${entry.tier}</bdi></td>
    </tr>`;
  const head = [
    columns.time,
    columns.operation,
    columns.order,
    columns.status,
    columns.decidedBy,
    columns.tier,
  ];
  return table(
    { id: 'requests', title: labels.requests, empty: labels.noRequests, head },
    shown.map(row),
  );
}

function timeline(parts: SandboxParts, labels: InspectorLabels): Html {
  const shown = parts.machine.effects(defaultTenant).slice(0, shownAtMost);
  const { columns } = labels;
  const rows = shown.map(
    ({ at, kind, id }) =>
      html`<tr>
        <td><time dir="ltr">${new Date(at).toISOString()}</time></td>
        <td>${labels.effects[kind]}</td>
        <td><code dir="ltr">${id}</code></td>
      </tr>`,
  );
  const head = [columns.time, columns.event, columns.id];
  return table({ id: 'timeline', title: labels.timeline, empty: labels.noTimeline, head }, rows);
}

function table(
  about: { id: string; title: string; empty: string; head: readonly string[] },
  rows: readonly Html[],
): Html {
  const cells = about.head.map((text) => html`<th scope="col">${text}</th>`);
  return html`<section class="panel" aria-labelledby="${about.id}">
    <h2 id="${about.id}">${about.title}</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">${about.empty}</p>`
        : html`<div class="scroller" tabindex="0" role="group" aria-labelledby="${about.id}">
            <table>
              <thead>
                <tr>
                  ${cells}
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}
