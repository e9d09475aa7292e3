import { formatAmount } from '../domain/amount.ts';
import type { Language } from './language.ts';

const arabicNames: Readonly<Record<string, string>> = { SAR: 'ر.س' };

/** An amount for people: grouped digits and the currency in the language's own form. */
export function amountText(minor: number, currency: string, language: Language): string {
  const [whole = '', fraction = ''] = formatAmount(minor).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const name = language === 'ar' ? (arabicNames[currency] ?? currency) : currency;
  return `${grouped}.${fraction}\u00a0${name}`;
}
