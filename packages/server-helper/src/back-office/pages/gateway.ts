import type { Answer } from '../../edges/http.ts';
import type { KeyTrial } from '../../payments-parts.ts';
import { html, type Html, nothing } from '../html.ts';
import { pageAnswer } from '../layout.ts';
import type { Visit } from '../office.ts';
import { badge, code, fact, panel } from '../parts.ts';
import { readPortal, TIME_LIMIT_MS } from '../portal.ts';
import { frameTexts } from '../texts/frame.ts';
import { gatewayTexts } from '../texts/gateway.ts';
import { answersPanel } from './gateway-answers.ts';
import { portalPanels } from './gateway-portal.ts';
import { keyList } from './key-list.ts';

/** The connection to the gateway, its answers, and what its portal holds. It comes without a gateway too. */
export async function gatewayPage(visit: Visit): Promise<Answer> {
  const [trials, portal] = await Promise.all([
    visit.office.parts.gateway.tryKeys(TIME_LIMIT_MS),
    readPortal(visit),
  ]);
  const { title } = gatewayTexts[visit.language];
  return pageAnswer(visit, {
    title,
    section: 'gateway',
    main: html`<h1>${title}</h1>
      <div class="columns">
        <div class="stack">${connectionPanel(visit, trials)} ${await answersPanel(visit)}</div>
        <div class="stack">${await portalPanels(visit, portal, trials)}</div>
      </div>`,
  });
}

function connectionPanel({ language, office }: Visit, trials: readonly KeyTrial[]): Html {
  const texts = gatewayTexts[language];
  const { environment, baseUrl, hasPortal, hasProfile } = office.parts.gateway;
  const { apiKey, portal } = office.payments.gateway.breakers();
  const isRefused = trials.some(({ error }) => error?.httpStatus === 401);
  const isReached = trials.some(({ error }) => error === null || error.httpStatus !== undefined);
  const state = (name: 'open' | 'closed') =>
    badge(name === 'open' ? 'failed' : 'succeeded', texts.callStates[name]);
  return panel(
    'connection',
    texts.connection,
    html`<dl class="facts">
        ${fact(
          texts.reachable,
          isReached
            ? badge('succeeded', texts.reached, 'gateway-reached')
            : badge('failed', texts.notReached, 'gateway-not-reached'),
        )}
        ${fact(texts.environment, frameTexts[language].environments[environment])}
        ${fact(texts.address, code(baseUrl))}
        ${fact(texts.profile, hasProfile ? texts.ownProfile : texts.usualProfile)}
        ${fact(texts.calls.apiKey, state(apiKey))}
        ${hasPortal ? fact(texts.calls.portal, state(portal)) : nothing}
        ${fact(texts.keys, keyList(language, trials))}
      </dl>
      <p class="hint">${texts.keysHint}</p>
      ${isRefused && html`<p class="warning" data-test="key-refused">${texts.keyRefusedHint}</p>`}
      ${!isReached && html`<p class="mistake">${texts.notReachedHint}</p>`}
      ${
        !isReached &&
        trials
          .slice(0, 1)
          .map(({ error }) => html`<p class="hint" dir="auto">${error?.message ?? null}</p>`)
      }`,
  );
}
