import type { KeyTrial } from '../../payments-parts.ts';
import { html, type Html } from '../html.ts';
import type { Visit } from '../office.ts';
import { code } from '../parts.ts';
import { isRead, markOf, TIME_LIMIT_MS } from '../portal.ts';
import { keyTexts } from '../texts/portal.ts';
import type { Action } from './action.ts';
import { makeOnce, MARK_FIELD, oncePage, type PortalMatter } from './portal-deed.ts';

/** Makes a new API key beside the one in use, shows the new key once, and tries both. */
export const rotateKey: Action<PortalMatter> = {
  name: 'rotate-key',
  right: 'rotate',
  isPossible: ({ portal }) => isRead(portal.credentials),
  fields: (_matter, { language }) => {
    const { rotate, rotateHint } = keyTexts[language];
    return html`<p class="hint">${rotateHint}</p>
      <button class="quiet" data-test="key-rotate">${rotate}</button>`;
  },
  question: ({ portal }, _fields, { language }) => {
    const { title, text, risk, yes } = keyTexts[language].question;
    const credentials = isRead(portal.credentials) ? portal.credentials : [];
    return {
      title,
      text: html`<p>${text}</p>
        <p class="warning">${risk}</p>`,
      button: yes,
      fields: { [MARK_FIELD]: markOf(credentials) },
    };
  },
  run: ({ portal }, fields, visit, requestId) => {
    const mark = markOf(isRead(portal.credentials) ? portal.credentials : []);
    const change = { operation: 'rotateApiKey', mark, requestId } as const;
    return makeOnce(visit, fields, change, async () => {
      const { payments, parts } = visit.office;
      const { apiKey } = await payments.gateway.rotateApiKey();
      const [[trial], inUse] = await Promise.all([
        parts.gateway.tryKeys(TIME_LIMIT_MS, [apiKey]),
        parts.gateway.tryKeys(TIME_LIMIT_MS),
      ]);
      const { done: title, name, steps } = keyTexts[visit.language];
      return oncePage(visit, {
        title,
        lead: html`${newKeyTried(visit, trial)} ${oldKeysTried(visit, inUse)}`,
        name,
        secret: apiKey,
        steps: [
          html`${steps.both} ${code('GATEWAY_API_KEY=NEW,OLD')}`,
          steps.restart,
          steps.see,
          steps.revoke,
        ],
      });
    });
  },
};

type Trial = 'works' | 'refused' | 'unknown';

function trialOf(trial: KeyTrial | undefined): Trial {
  if (trial?.error === null) return 'works';
  return trial?.error.httpStatus === 401 ? 'refused' : 'unknown';
}

function newKeyTried({ language }: Visit, given: KeyTrial | undefined): Html {
  const trial = trialOf(given);
  const look = { works: 'good', refused: 'mistake', unknown: 'warning' }[trial];
  return html`<p class="${look}" data-test="new-key" data-state="${trial}">
    ${keyTexts[language].tried[trial]}
  </p>`;
}

/** The specification leaves open whether a new key ends the old one (N18). */
function oldKeysTried({ language }: Visit, trials: readonly KeyTrial[]): Html | null {
  const { oldWorks, oldEnded } = keyTexts[language];
  const all = new Set(trials.map(trialOf));
  if (all.has('works')) return html`<p data-test="old-key" data-state="works">${oldWorks}</p>`;
  if (!all.has('refused')) return null;
  return html`<p class="mistake" data-test="old-key" data-state="refused">${oldEnded}</p>`;
}
