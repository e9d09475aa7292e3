import { html } from '@lit-labs/ssr';
import type { Html, View } from '../pages/page.ts';
import type { SandboxState } from './sandbox-watch.ts';

/** What the drawer shows beside its tools. */
interface DrawerFacts {
  readonly sandbox: SandboxState;
  readonly sandboxUrl: string;
  /** What the last tool did, when it was just used. */
  readonly notice: string | undefined;
  /** The order of the open page, where there is one. */
  readonly orderId: string | undefined;
  /** The bug switch that is on for this visitor. */
  readonly bug: string | undefined;
}

/** The testers' tools at the foot of every page: plain forms in a `<details>`. */
export function drawer(view: View, facts: DrawerFacts): Html {
  const { qa } = view.texts;
  const { notice, bug } = facts;
  return html`<aside class="qa" aria-label=${qa.title}>
    <p class="qa-notice" role="status" data-test="qa-notice">${notice ?? ''}</p>
    <details data-test="qa-drawer">
      <summary>
        <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
          <path d="M9 3h6M10 3v6L5 19a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2l-5-10V3M7.5 15h9" />
        </svg>
        <span>${qa.title}</span>
        ${bug === undefined ? '' : html`<span class="qa-bug">${qa.activeBug(bug)}</span>`}
      </summary>
      <div class="qa-body">
        ${choices(view, facts.sandbox)} ${buttons(view, facts)} ${links(view, facts)}
        <p class="qa-what">${qa.what}</p>
      </div>
    </details>
    ${view.scripts ? html`<script type="module" src="/qa.js"></script>` : ''}
  </aside>`;
}

function choices(view: View, { profile }: SandboxState): Html {
  const { qa } = view.texts;
  return html`<form method="post" action="/qa/apply" class="qa-choices">
    ${back(view)}
    <div class="field">
      <label for="qa-outcome">${qa.nextPayment}</label>
      <select id="qa-outcome" name="outcome" data-test="qa-outcome">
        <option value="">${qa.asTheCardSays}</option>
        ${Object.entries(qa.outcomes).map(
          ([name, label]) => html`<option value=${name}>${label}</option>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="qa-fault">${qa.gateway}</label>
      <select id="qa-fault" name="fault" data-test="qa-fault">
        ${Object.entries(qa.profiles).map(
          ([name, label]) =>
            html`<option value=${name} ?selected=${name === profile}>${label}</option>`,
        )}
      </select>
    </div>
    <button class="small" data-test="qa-apply">${qa.apply}</button>
  </form>`;
}

function buttons(view: View, { sandbox, orderId }: DrawerFacts): Html {
  const { qa } = view.texts;
  const tools = [
    ['clock', qa.clock],
    ['replay-webhook', qa.replay],
    ['reset', qa.reset],
  ] as const;
  return html`<div class="qa-buttons">
    ${tools.map(
      ([name, label]) =>
        html`<form method="post" action="/qa/${name}">
          ${back(view)} <input type="hidden" name="order" value=${orderId ?? ''} />
          <button class="small quiet" data-test="qa-${name}">${label}</button>
        </form>`,
    )}
    <span class="qa-time"
      >${qa.time} <bdi dir="ltr">${sandbox.now.slice(0, 16).replace('T', ' ')} UTC</bdi></span
    >
  </div>`;
}

function links(view: View, { sandboxUrl, orderId }: DrawerFacts): Html {
  const { qa } = view.texts;
  const page = encodeURIComponent(view.path);
  return html`<ul class="qa-links">
    <li>
      <a href="/qa/report?page=${page}" data-test="qa-report" data-copied=${qa.copied}
        >${qa.report}</a
      >
    </li>
    ${
      orderId === undefined
        ? ''
        : html`<li>
            <a href="/orders/${orderId}?truths=1#truths" data-test="qa-truths">${qa.compare}</a>
          </li>`
    }
    <li><a href="/personas" data-test="qa-personas">${qa.personas}</a></li>
    <li><a href="/bugs" data-test="qa-bugs">${qa.bugs}</a></li>
    <li><a href="${sandboxUrl}/_sandbox?lang=${view.language}">${qa.inspector}</a></li>
    <li>
      <a href=${orderId === undefined ? '/admin' : `/admin/orders/${orderId}`}>${qa.admin}</a>
    </li>
  </ul>`;
}

/** The page that the tool leads back to. */
function back({ path }: View): Html {
  return html`<input type="hidden" name="back" value=${path} />`;
}

/** The order that a page is about; `undefined` for all other pages. */
export function orderOfPath(path: string): string | undefined {
  return /^\/(?:orders|wait|thanks|retry)\/([A-Z0-9]{1,40})$/.exec(path)?.[1];
}
