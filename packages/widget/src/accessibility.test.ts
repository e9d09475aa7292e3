import { fixture, fixtureCleanup, html } from '@open-wc/testing-helpers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import type { PayStatus } from './pay-status.ts';
import type { PaymentState } from './payment-status.ts';
import { type ColorScheme, showIn } from './testing/media.ts';
import {
  errorOf,
  expectAccessible,
  part,
  payButton,
  phase,
  stayingButton,
} from './testing/pay-button-page.ts';
import { type Answer, link, problem, script, status } from './testing/script.ts';

const variants = ['primary', 'outline', 'plain'] as const;
const methods = 'mada visa mastercard apple-pay';

// What hangs must not hold the browser's few connections for the next test.
afterEach(async () => {
  vi.useRealTimers();
  fixtureCleanup();
  await showIn('light');
});

async function answering(answer: Answer): Promise<string> {
  return (await script(answer)).url;
}

/** One button in each state and variant, all on one page. */
async function everyButton(locale: string): Promise<HTMLElement> {
  const page = await fixture<HTMLElement>(html`<div style="display: grid; gap: 1rem"></div>`);
  // The wait for a browser that does not leave is over when the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const shown: Promise<unknown>[] = [];
  for (const variant of variants) {
    const put = async (endpoint: string, more: Partial<PayButton> = {}) => {
      const element = await payButton(endpoint, { locale, variant, methods, ...more });
      page.append(element);
      return element;
    };
    await put('/x');
    await put('/x', { disabled: true });
    const busy = await put(await answering({ fault: 'hang' }));
    void busy.pay();
    shown.push(phase(busy, 'requesting'));
    for (const refusal of [problem(409, 'already_paid'), problem(502, 'gateway_unreachable')]) {
      shown.push(errorOf(await put(await answering(refusal))));
    }
    const { element: stalled } = await stayingButton({ locale, variant, methods });
    page.append(stalled);
    shown.push(stalled.pay());
  }
  await Promise.all(shown);
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  const states = [...page.querySelectorAll('pay-button')].map(({ state }) => state);
  expect(states.filter((state) => state === 'stalled')).toHaveLength(variants.length);
  return page;
}

const states: readonly PaymentState[] = [
  ...(['unpaid', 'pending', 'paid', 'failed', 'expired'] as const),
  ...(['partially_refunded', 'refunded', 'paid_late', 'review'] as const),
];

async function everyStatus(locale: string): Promise<HTMLElement> {
  const page = await fixture<HTMLElement>(html`<div></div>`);
  for (const state of states) {
    page.append(
      await fixture(
        html`<pay-status src=${await answering(status(state))} locale=${locale}
          ><p slot="paid">Thanks!</p>
          <button slot="retry">Retry</button></pay-status
        >`,
      ),
    );
  }
  const elements = [...page.querySelectorAll<PayStatus>('pay-status')];
  while (elements.some(({ state }) => !state)) await new Promise(requestAnimationFrame);
  await Promise.all(elements.map((element) => element.updateComplete));
  for (const { shadowRoot, state } of elements) {
    expect(shadowRoot?.querySelector('section')?.lang, state).toBe(locale);
  }
  return page;
}

/** The words differ by the language and the colours by the scheme: each is looked at once. */
const looks: readonly (readonly [string, readonly ColorScheme[]])[] = [
  ['en', ['light', 'forced']],
  ['ar', ['dark']],
];

describe.for(looks)('every state in %s, %s', ([locale, schemes]) => {
  it.for([
    ['pay-button', everyButton],
    ['pay-status', everyStatus],
  ] as const)('of <%s> is accessible', async ([, everyState]) => {
    const page = await everyState(locale);
    for (const scheme of schemes) {
      await showIn(scheme);
      await expectAccessible(page);
    }
  });
});

const face = async (scheme: ColorScheme): Promise<string> => {
  const element = await payButton((await script(link)).url);
  await showIn(scheme);
  return getComputedStyle(part(element, 'button')).backgroundColor;
};

it('colours follow the scheme of the page', async () => {
  expect(await face('light')).toBe('rgb(16, 35, 28)');
  expect(await face('dark')).toBe('rgb(238, 246, 241)');
  expect(await face('forced')).not.toBe('rgb(16, 35, 28)');
});
