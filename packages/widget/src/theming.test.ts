import { fixture, html } from '@open-wc/testing-helpers';
import { describe, expect, it, onTestFinished } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import type { PayStatus } from './pay-status.ts';
import { emulateMedia } from './testing/media.ts';
import { errorOf, part, payButton, phase } from './testing/pay-button-page.ts';
import { problem, script, status } from './testing/script.ts';

/** A custom property, what is set, and how it is then seen: part, style and value. */
const ofButton: readonly (readonly [string, string, string, keyof CSSStyleDeclaration, string])[] =
  [
    ['background', 'rgb(1, 2, 3)', 'button', 'backgroundColor', 'rgb(1, 2, 3)'],
    ['color', 'rgb(4, 5, 6)', 'button', 'color', 'rgb(4, 5, 6)'],
    ['border-color', 'rgb(7, 8, 9)', 'button', 'borderTopColor', 'rgb(7, 8, 9)'],
    ['error-color', 'rgb(10, 11, 12)', 'message', 'color', 'rgb(10, 11, 12)'],
    ['focus-ring', 'rgb(13, 14, 15)', 'button', 'outlineColor', 'rgb(13, 14, 15)'],
    ['radius', '3px', 'button', 'borderTopLeftRadius', '3px'],
    ['height', '70px', 'button', 'height', '70px'],
    ['width', '250px', 'button', 'width', '250px'],
    ['font', '300 20px/1 serif', 'button', 'fontSize', '20px'],
  ];

const ofStatus: readonly (readonly [string, string, string, string, keyof CSSStyleDeclaration])[] =
  [
    ['color', 'pending', 'rgb(1, 2, 3)', 'svg', 'stroke'],
    ['paid-color', 'paid', 'rgb(1, 2, 4)', 'svg', 'stroke'],
    ['failed-color', 'failed', 'rgb(1, 2, 5)', 'svg', 'stroke'],
    ['review-color', 'review', 'rgb(1, 2, 6)', 'svg', 'stroke'],
    ['radius', 'paid', '3px', 'section', 'borderTopLeftRadius'],
    ['font', 'paid', '21px', 'section', 'fontSize'],
  ];

describe('<pay-button>', () => {
  it.for(ofButton)('is themed by --pay-button-%s', async ([name, value, where, style, seen]) => {
    const element = await payButton((await script(problem(409, 'already_paid'))).url);
    element.style.setProperty(`--pay-button-${name}`, value);
    await errorOf(element);
    element.focus({ focusVisible: true });
    expect(getComputedStyle(part(element, where))[style]).toBe(seen);
  });

  it('shows the marks of the page before and after its text', async () => {
    const element = await fixture<PayButton>(
      html`<pay-button endpoint="/x" order-id="1"
        ><b slot="prefix">A</b>Buy<b slot="suffix">Z</b></pay-button
      >`,
    );
    const [before, after] = [...element.children].map((mark) => mark.getBoundingClientRect().x);
    const text = part(element, 'label').getBoundingClientRect().x;
    expect(before).toBeLessThan(text);
    expect(after).toBeGreaterThan(text);
  });
});

it.for(ofStatus)('--pay-status-%s is seen when %s', async ([name, state, value, where, style]) => {
  const { url } = await script(status(state));
  const element = await fixture<PayStatus>(html`<pay-status src=${url}></pay-status>`);
  element.style.setProperty(`--pay-status-${name}`, name === 'font' ? `${value} serif` : value);
  while (element.state !== state) await new Promise(requestAnimationFrame);
  await element.updateComplete;
  expect(getComputedStyle(element.shadowRoot!.querySelector(where)!)[style]).toBe(value);
});

it('a shopper who wants less motion sees no turning', async () => {
  const prefer = (value: string) => emulateMedia('prefers-reduced-motion', value);
  onTestFinished(() => prefer('no-preference'));
  const element = await payButton((await script({ fault: 'hang' })).url);
  void element.pay();
  await phase(element, 'requesting');
  const animation = () => getComputedStyle(part(element, 'spinner')).animationName;
  await prefer('no-preference');
  expect(animation()).toBe('turn');
  await prefer('reduce');
  expect(animation()).toBe('none');
  element.cancel();
});
