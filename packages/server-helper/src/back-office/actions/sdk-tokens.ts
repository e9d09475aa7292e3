import type { SdkToken } from '../../gateway/portal.ts';
import { html } from '../html.ts';
import { isRead, markOf } from '../portal.ts';
import { portalTexts, tokenTexts } from '../texts/portal.ts';
import type { Action } from './action.ts';
import { changePortal, makeOnce, MARK_FIELD, oncePage, type PortalMatter } from './portal-deed.ts';

const optional = ['type', 'terminalId'] as const;

/** Creates an SDK token; the gateway gives the token in the answer alone. */
export const createSdkToken: Action<PortalMatter> = {
  name: 'create-sdk-token',
  right: 'rotate',
  isPossible: ({ portal }) => isRead(portal.sdkTokens),
  fields: (_matter, { language }, entered) => {
    const texts = tokenTexts[language];
    const labels = { type: texts.kind, terminalId: texts.terminal };
    return html`<div class="field">
        <label for="token-name">${texts.name}</label>
        <input
          id="token-name"
          name="name"
          required
          maxlength="60"
          dir="auto"
          value="${entered?.fields['name'] ?? ''}"
          data-test="token-name"
          ${entered !== undefined && html`aria-invalid="true" aria-describedby="mistake"`}
        />
      </div>
      ${optional.map(
        (field) =>
          html`<div class="field">
            <label for="token-${field}"
              >${labels[field]} <span class="muted">(${texts.optional})</span></label
            >
            <input
              id="token-${field}"
              name="${field}"
              maxlength="60"
              dir="auto"
              value="${entered?.fields[field] ?? ''}"
            />
          </div>`,
      )}
      <button class="quiet" data-test="token-add">${texts.add}</button>`;
  },
  question: ({ portal }, fields, { language }) => {
    const { noName, createTitle, createText, yes } = tokenTexts[language];
    const { name, type, terminalId } = inputOf(fields);
    if (name === '' || name.length > 60) return { mistake: noName };
    const mark = markOf(isRead(portal.sdkTokens) ? portal.sdkTokens : []);
    return {
      title: createTitle(name),
      text: createText,
      button: yes,
      fields: { name, type, terminalId, [MARK_FIELD]: mark },
    };
  },
  run: ({ portal }, fields, visit, requestId) => {
    const mark = markOf(isRead(portal.sdkTokens) ? portal.sdkTokens : []);
    const change = { operation: 'createSdkToken', mark, requestId } as const;
    return makeOnce(visit, fields, change, async () => {
      const { name, type, terminalId } = inputOf(fields);
      const { gateway } = visit.office.payments;
      const { token } = await gateway.createSdkToken({
        name,
        type: type || undefined,
        terminalId: terminalId || undefined,
      });
      const texts = tokenTexts[visit.language];
      const { done, secret, step } = texts;
      return oncePage(visit, { title: done(name), name: secret, secret: token, steps: [step] });
    });
  },
};

/** Switches an SDK token on or off. */
export const switchSdkToken: Action<PortalMatter> = {
  name: 'switch-sdk-token',
  right: 'rotate',
  isPossible: (matter) => tokenOf(matter) !== undefined,
  fields: (matter, { language }) => {
    const token = tokenOf(matter);
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = token?.status === 'ACTIVE';
    const label = isOn ? switchOff : switchOn;
    return html`<input type="hidden" name="to" value="${isOn ? 'off' : 'on'}" />
      <button
        class="quiet small"
        aria-label="${label}: ${token?.name ?? matter.id}"
        data-test="token-switch"
      >
        ${label}
      </button>`;
  },
  question: (matter, fields, { language }) => {
    const texts = tokenTexts[language];
    const { switchOn, switchOff } = portalTexts[language];
    const isOn = fields['to'] === 'on';
    return {
      title: texts.switchTitle(isOn, tokenOf(matter)?.name ?? matter.id),
      text: isOn ? texts.onText : texts.offText,
      button: isOn ? switchOn : switchOff,
      fields: { to: isOn ? 'on' : 'off' },
    };
  },
  run: ({ id }, fields, visit) => {
    const isOn = fields['to'] === 'on';
    const status = isOn ? 'ACTIVE' : 'DISABLED';
    return changePortal(visit, { operation: 'updateSdkToken', record: id, status }, async () => {
      await visit.office.payments.gateway.updateSdkToken({ id, status });
      return isOn ? 'token_on' : 'token_off';
    });
  },
};

const inputOf = (fields: Readonly<Record<string, string>>) => ({
  name: (fields['name'] ?? '').trim(),
  type: (fields['type'] ?? '').trim(),
  terminalId: (fields['terminalId'] ?? '').trim(),
});

/** The token that the address names. */
function tokenOf({ portal, id }: PortalMatter): SdkToken | undefined {
  const tokens = isRead(portal.sdkTokens) ? portal.sdkTokens : [];
  return id === '' ? undefined : tokens.find((one) => one.id === id);
}
