import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Language } from '../language.ts';
import { withQuery } from '../page-address.ts';

/** The tenant that a page of the inspector shows, and the page's language. */
export interface View {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly language: Language;
}

/** The inspector's address for the same tenant and language. */
export function inspectorAddress({ tenant, language }: Omit<View, 'parts'>, path = ''): string {
  return withQuery(`/_sandbox${path}`, { tenant, lang: language });
}

/** The first entries of a list that is too long to be read whole. */
export function firstOf<T>(list: Iterable<T>, atMost: number): T[] {
  const few: T[] = [];
  for (const one of list) {
    if (few.push(one) === atMost) break;
  }
  return few;
}
