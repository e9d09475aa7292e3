/** A merchant's name as shoppers read it, in each language. */
export type MerchantName = Readonly<Record<'en' | 'ar', string>>;

const unnamed: MerchantName = { en: 'Test shop', ar: 'متجر تجريبي' };

/** One name for both languages or one for each; null when a name is none. */
export function readMerchantName(value: string | MerchantName | undefined): MerchantName | null {
  if (value === undefined) return unnamed;
  const { en, ar } = typeof value === 'string' ? { en: value, ar: value } : value;
  return [en, ar].every(isName) ? { en, ar } : null;
}

/** Characters that turn the direction of a text could make a page say something else. */
function isName(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && /^[^\p{C}]{1,60}$/u.test(text);
}
