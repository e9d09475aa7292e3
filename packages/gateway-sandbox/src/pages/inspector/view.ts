import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Language } from '../language.ts';

/** What one look at the inspector shows: whose things, in which language. */
export interface View {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly language: Language;
}

/** The inspector's address for the same tenant and language. */
export function inspectorAddress({ tenant, language }: Omit<View, 'parts'>, path = ''): string {
  return `/_sandbox${path}?${new URLSearchParams({ tenant, lang: language }).toString()}`;
}
