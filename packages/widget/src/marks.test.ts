import { describe, expect, it } from 'vitest';
import { boxOf, buttonOf, errorOf, part, payButton } from './testing/pay-button-page.ts';
import { problem } from './testing/script.ts';

function names(element: Element): (string | null)[] {
  const marks = element.shadowRoot!.querySelectorAll('[part=methods] svg');
  return [...marks].map((mark) => mark.getAttribute('aria-label'));
}

describe('the marks of payment methods', () => {
  it('show what the shop takes, in its order, each once and named', async () => {
    const element = await payButton('/x', { methods: 'apple-pay mada  visa mada mastercard' });
    expect(names(element)).toEqual(['Apple Pay', 'mada', 'Visa', 'Mastercard']);
    element.methods = 'visa cash constructor Visa';
    await element.updateComplete;
    expect(names(element)).toEqual(['Visa']);
  });

  it('are outlines within their card, so that no font decides how a name looks', async () => {
    const element = await payButton('/x', { methods: 'mada visa mastercard apple-pay' });
    const marks = [...part(element, 'methods').children] as SVGSVGElement[];
    for (const mark of marks) {
      expect([...new Set([...mark.children].map(({ localName }) => localName))]).toEqual(['path']);
      const { x, y, width, height } = mark.getBBox();
      const card = mark.viewBox.baseVal;
      const margin = Math.min(x, y, card.width - x - width, card.height - y - height);
      expect(margin).toBeGreaterThanOrEqual(2);
    }
  });

  it('change nothing in the box, and give their place to a message', async () => {
    const { element } = await buttonOf([problem(409, 'already_paid')], { message: 'below' });
    const without = boxOf(element);
    element.setAttribute('methods', 'mada visa mastercard apple-pay');
    element.style.setProperty('--pay-button-width', '11rem');
    await element.updateComplete;
    const marks = part(element, 'methods').getBoundingClientRect();
    expect(marks.bottom).toBeLessThanOrEqual(element.getBoundingClientRect().bottom);
    element.style.removeProperty('--pay-button-width');
    expect(boxOf(element)).toEqual(without);
    await errorOf(element);
    expect(names(element)).toEqual([]);
    expect(boxOf(element)).toEqual(without);
  });
});
