import type { Language } from '../language.ts';

interface AccessLabels {
  readonly dashboard: string;
  readonly sdkTokens: string;
  readonly statuses: Readonly<Record<'REVOKED' | 'DISABLED', string>>;
}

const en: AccessLabels = {
  dashboard: 'Merchant dashboard',
  sdkTokens: 'SDK tokens',
  statuses: { REVOKED: 'revoked', DISABLED: 'disabled' },
};

const ar: AccessLabels = {
  dashboard: 'لوحة التاجر',
  sdkTokens: 'رموز SDK',
  statuses: { REVOKED: 'ملغى', DISABLED: 'معطّل' },
};

export const accessLabels: Readonly<Record<Language, AccessLabels>> = { en, ar };
