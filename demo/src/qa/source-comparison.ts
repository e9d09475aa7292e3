import { html } from '@lit-labs/ssr';
import type { ControlDelivery } from '@pay-button/gateway-sandbox';
import type { Explanation } from '@pay-button/server-helper';
import type { Html, View } from '../pages/page.ts';
import type { BrowserReturn } from './browser-returns.ts';

/** Three sources about one payment. */
interface Sources {
  readonly returned: BrowserReturn | undefined;
  readonly delivery: ControlDelivery | undefined;
  readonly explain: Explanation | null;
}

/** The browser's return, the webhook and the status answer, side by side. */
export function sourceComparison(view: View, sources: Sources): Html {
  const { qa, states } = view.texts;
  const state = sources.explain?.payment.state ?? 'unpaid';
  return html`<section class="comparison" id="truths" aria-labelledby="truths-title">
    <h2 id="truths-title">${qa.comparisonTitle}</h2>
    <p class="muted">${qa.comparisonText}</p>
    <div class="comparison-sources">
      ${browser(view, sources)} ${webhook(view, sources)} ${status(view, sources)}
    </div>
    <p class="comparison-verdict" data-test="truth-verdict">
      ${qa.verdict} <strong class="pill" data-state=${state}>${states[state]}</strong>
    </p>
  </section>`;
}

function browser({ texts: { qa } }: View, { returned }: Sources): Html {
  return html`<article class="panel source" data-test="truth-browser">
    <h3>${qa.browser}</h3>
    ${
      returned === undefined
        ? html`<p>${qa.noBrowser}</p>`
        : html`<p>${qa.browserSaid[returned.address]}</p>
            <p>${qa.sentTo(returned.sentTo)}</p>
            ${time(new Date(returned.at).toISOString())}`
    }
  </article>`;
}

function webhook({ texts: { qa } }: View, { delivery }: Sources): Html {
  return html`<article class="panel source" data-test="truth-webhook">
    <h3>${qa.webhook}</h3>
    ${
      delivery === undefined
        ? html`<p>${qa.noWebhook}</p>`
        : html`<p><strong>${qa.webhookSaid(delivery.type, delivery.status)}</strong></p>
            <pre dir="ltr" tabindex="0" aria-label=${qa.webhook}>${indented(delivery.body)}</pre>
            ${time(delivery.attempts.at(-1)?.at ?? delivery.createdAt)}`
    }
  </article>`;
}

function status({ texts: { qa } }: View, { explain }: Sources): Html {
  const evidence = explain?.timeline.findLast((entry) => entry.kind === 'evidence');
  const asked = explain?.attempts.findLast(({ lastCheckAt }) => lastCheckAt !== null)?.lastCheckAt;
  const rows = evidence?.rows ?? [];
  return html`<article class="panel source" data-test="truth-status">
    <h3>${qa.status}</h3>
    ${rows.map(
      ({ transactionStatus, paymentStatus, amount, refundStatus }) =>
        html`<p dir="ltr">
          <strong>${transactionStatus} · ${paymentStatus}</strong><br />${amount} ·
          ${refundStatus ?? ''}
        </p>`,
    )}
    ${rows.length > 0 ? '' : html`<p>${asked === undefined || asked === null ? qa.neverAsked : qa.noRows}</p>`}
    ${asked === undefined || asked === null ? '' : time(asked)}
  </article>`;
}

function time(at: string): Html {
  return html`<time class="muted" datetime=${at} dir="ltr">${at.slice(11, 19)} UTC</time>`;
}

/** The webhook's own text, spread over lines; it is the sandbox's, so it is JSON. */
function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
