import { describe, expect, it } from 'vitest';
import { operations } from '../../packages/server-helper/src/gateway/operations.ts';
import { makeReference } from './reference.ts';

const page = makeReference();

/** The part of the page from a method's heading to the next heading. */
const sectionOf = (name: string): string =>
  page.split(/^(?=##+ )/m).find((part) => part.startsWith(`### ${name}\n`)) ?? '';

describe('the reference of the gateway client', () => {
  it.each(Object.entries(operations))('tells all of %s', (name, { method, path, section }) => {
    const text = sectionOf(name);
    expect(text).toContain(`\`${method} ${path}\``);
    expect(text).toContain(`section ${section} of the specification`);
    for (const part of ['**Takes**', '**Gives**', '**Fails**', 'On the wire']) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(new RegExp('```ts complete[^`]*client\\.' + name + '\\('));
  });

  it('tells of an object by its fields, not by its source', () => {
    expect(page).not.toContain('/**');
    expect(sectionOf('chargeRecurring')).toMatch(/^\| `order` +\| `object`/m);
  });

  it('counts 18 operations, as the specification does', () => {
    expect(page).toMatch(/^\| 9 +\| .*createPaymentLink.*Payment Link/m);
    expect(page).toMatch(/^\| 18 +\| .*updateSdkToken/m);
    expect(page).not.toMatch(/^\| 19 +\|/m);
  });
});
