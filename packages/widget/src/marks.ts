import { html, svg, type TemplateResult } from 'lit';
import { methodMarks } from './method-marks.ts';

/**
 * The marks of the payment methods that a shop accepts, in the shop's order, each once. Unknown
 * names are left out.
 *
 * @param methods - space-separated, of `mada`, `visa`, `mastercard`, `apple-pay`
 */
export function marksOf(methods: string): TemplateResult[] {
  return [...new Set(methods.split(' '))].flatMap((method) => {
    const mark = methodMarks.get(method);
    if (!mark) return [];
    const paths = mark.shapes.map(([color, path]) => svg`<path fill=${color} d=${path} />`);
    return html`<svg role="img" aria-label=${mark.name} viewBox="0 0 34 22">${paths}</svg>`;
  });
}
