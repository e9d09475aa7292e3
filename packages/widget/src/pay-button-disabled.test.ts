import { fixture, html } from '@open-wc/testing-helpers';
import { describe, expect, it } from 'vitest';
import { PayButton } from './pay-button.ts';
import { freshOrder, part, payButton } from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

const isOff = (element: PayButton) => part(element, 'button').matches(':disabled');

describe('a disabled <pay-button>', () => {
  it('is one inside a disabled fieldset, until the fieldset is enabled', async () => {
    const shop = await script(link);
    const fieldset = await fixture<HTMLFieldSetElement>(
      html`<fieldset disabled>
        <legend><pay-button id="legend"></pay-button></legend>
        <pay-button id="inside" endpoint=${shop.url} order-id=${freshOrder()}></pay-button>
      </fieldset>`,
    );
    const [legend, inside] = [...fieldset.querySelectorAll('pay-button')] as [PayButton, PayButton];
    expect([isOff(legend), isOff(inside), inside.disabled]).toEqual([false, true, false]);
    part(inside, 'button').click();
    expect(await inside.pay()).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(await shop.requests()).toHaveLength(0);
    fieldset.disabled = false;
    await inside.updateComplete;
    expect(isOff(inside)).toBe(false);
    expect(inside.matches(':enabled')).toBe(true);
  });

  it('follows its attribute and its property', async () => {
    const element = await payButton('/x');
    const changes: readonly (readonly [() => unknown, boolean])[] = [
      [() => (element.disabled = true), true],
      [() => (element.disabled = false), false],
      [() => element.setAttribute('disabled', ''), true],
      [() => Object.assign(element, { disabled: undefined }), false],
      [() => Object.assign(element, { disabled: undefined }), false],
    ];
    for (const [change, isOn] of changes) {
      change();
      await element.updateComplete;
      const seen = [isOff(element), element.disabled, element.hasAttribute('disabled')];
      expect(seen).toEqual([isOn, isOn, isOn]);
    }
  });

  it('is one that the page disabled before its script came', async () => {
    const page = await fixture(html`<div></div>`);
    page.innerHTML =
      '<pay-button-late></pay-button-late><pay-button-late disabled></pay-button-late>';
    const [byProperty, byAttribute] = [...page.children] as [PayButton, PayButton];
    byProperty.disabled = true;
    PayButton.define('pay-button-late');
    await Promise.all([byProperty.updateComplete, byAttribute.updateComplete]);
    expect([byProperty, byAttribute].map((one) => [isOff(one), one.disabled])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('adds nothing to the form around it', async () => {
    const form = await fixture<HTMLFormElement>(
      html`<form><pay-button name="pay" endpoint="/x" order-id="1"></pay-button></form>`,
    );
    expect([...new FormData(form)]).toEqual([]);
    expect(form.checkValidity()).toBe(true);
  });
});
