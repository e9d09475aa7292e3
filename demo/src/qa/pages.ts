import { html } from '@lit-labs/ssr';
import { pill } from '../pages/order.ts';
import { type Html, type Page, selectField, type View } from '../pages/page.ts';
import { type BugId, bugs } from './bugs.ts';
import type { TestConsole } from './console.ts';
import { personas } from './personas.ts';

/** What the drawer shows beside its tools. */
interface DrawerFacts {
  readonly sandbox: TestConsole['sandbox'];
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
        ${choices(view, facts)} ${buttons(view, facts)} ${links(view, facts)}
        <p class="muted">${qa.what}</p>
      </div>
    </details>
    ${view.scripts ? html`<script type="module" src="/qa.js"></script>` : ''}
  </aside>`;
}

function choices(view: View, { sandbox }: DrawerFacts): Html {
  const { qa } = view.texts;
  return html`<form method="post" action="/qa/apply" class="qa-choices row">
    ${back(view)}
    ${selectField('qa-outcome', 'outcome', qa.nextPayment, [
      ['', qa.asTheCardSays],
      ...Object.entries(qa.outcomes),
    ])}
    ${selectField('qa-fault', 'fault', qa.gateway, Object.entries(qa.profiles), sandbox.profile)}
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
  return html`<div class="row">
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
  return html`<ul class="qa-links row">
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

type Sources = Awaited<ReturnType<TestConsole['sourcesOf']>>;

/** The browser's return, the webhook and the status answer, side by side. */
export function sourceComparison(view: View, sources: Sources): Html {
  const { qa } = view.texts;
  const state = sources.explain?.payment.state ?? 'unpaid';
  return html`<section class="comparison" id="truths" aria-labelledby="truths-title">
    <h2 id="truths-title">${qa.comparisonTitle}</h2>
    <p class="muted">${qa.comparisonText}</p>
    <div class="comparison-sources">
      ${source('browser', qa.browser, browser(view, sources))}
      ${source('webhook', qa.webhook, webhook(view, sources))}
      ${source('status', qa.status, status(view, sources))}
    </div>
    <p class="row" data-test="truth-verdict">${qa.verdict} ${pill(view, state)}</p>
  </section>`;
}

function source(test: string, title: string, says: Html): Html {
  return html`<article class="panel source" data-test="truth-${test}">
    <h3>${title}</h3>
    ${says}
  </article>`;
}

function browser({ texts: { qa } }: View, { returned }: Sources): Html {
  if (returned === undefined) return html`<p>${qa.noBrowser}</p>`;
  return html`<p>${qa.browserSaid[returned.address]}</p>
    <p>${qa.sentTo(returned.sentTo)}</p>
    ${time(new Date(returned.at).toISOString())}`;
}

function webhook({ texts: { qa } }: View, { delivery }: Sources): Html {
  if (delivery === undefined) return html`<p>${qa.noWebhook}</p>`;
  // The webhook's own text, spread over lines; it is the sandbox's, so it is JSON.
  const body = JSON.stringify(JSON.parse(delivery.body), null, 2);
  return html`<p><strong dir="ltr">${delivery.type}: ${delivery.status}</strong></p>
    <pre dir="ltr" tabindex="0" aria-label=${qa.webhook}>${body}</pre>
    ${time(delivery.attempts.at(-1)?.at ?? delivery.createdAt)}`;
}

function status({ texts: { qa } }: View, { explain }: Sources): Html {
  const evidence = explain?.timeline.findLast((entry) => entry.kind === 'evidence');
  const asked = explain?.attempts.findLast(({ lastCheckAt }) => lastCheckAt !== null)?.lastCheckAt;
  const rows = evidence?.rows ?? [];
  const without = asked ? qa.noRows : qa.neverAsked;
  return html`${rows.map(
    ({ transactionStatus, paymentStatus, amount, refundStatus }) =>
      html`<p dir="ltr">
        <strong>${transactionStatus} · ${paymentStatus}</strong><br />${amount} ·
        ${refundStatus ?? ''}
      </p>`,
  )}
  ${rows.length > 0 ? '' : html`<p>${without}</p>`} ${asked ? time(asked) : ''}`;
}

function time(at: string): Html {
  return html`<time class="muted" datetime=${at} dir="ltr">${at.slice(11, 19)} UTC</time>`;
}

/** Every persona, one link each. */
export function personasPage({ texts: { qa }, language }: View): Page {
  return tilesPage(
    [qa.personasTitle, qa.personasText],
    Object.entries(personas).map(([id, { name, steps }]) =>
      tile(name[language], html`<p class="muted" dir="auto">${steps[language]}</p>`, {
        href: `/personas/${id}`,
        label: qa.start,
        test: `persona-${id}`,
      }),
    ),
  );
}

/** Every bug switch, with its symptom, the right behaviour and the test that catches it. */
export function bugsPage({ texts: { qa }, language }: View, active: BugId | undefined): Page {
  return tilesPage(
    [qa.bugsTitle, qa.bugsText],
    Object.entries(bugs).map(([id, { name, symptom, expected, caughtBy }]) => {
      const isOn = id === active;
      const label = isOn ? qa.turnOff : qa.turnOn;
      return tile(
        name[language],
        html`<p class="muted"><code dir="ltr">${id}</code></p>
          <dl class="muted">
            <dt>${qa.symptom}</dt>
            <dd>${symptom[language]}</dd>
            <dt>${qa.expected}</dt>
            <dd>${expected[language]}</dd>
            <dt>${qa.caughtBy}</dt>
            <dd lang="en" dir="ltr">${caughtBy}</dd>
          </dl>`,
        { href: `/bugs?bug=${isOn ? 'none' : id}`, label, test: `bug-${id}` },
        isOn ? html`<span class="pill bad">${qa.isOn}</span>` : '',
      );
    }),
  );
}

function tilesPage([title, text]: readonly [string, string], tiles: readonly Html[]): Page {
  return {
    title,
    body: html`<div class="intro">
        <h1>${title}</h1>
        <p>${text}</p>
      </div>
      <ul class="tiles">
        ${tiles}
      </ul>`,
  };
}

function tile(
  name: string,
  body: Html,
  { href, label, test }: Readonly<Record<'href' | 'label' | 'test', string>>,
  mark: Html | '' = '',
): Html {
  return html`<li class="panel tile">
    <h2 class="row">${name} ${mark}</h2>
    ${body}
    <a class="button small quiet" href=${href} data-test=${test} aria-label="${label}: ${name}"
      >${label}</a
    >
  </li>`;
}
