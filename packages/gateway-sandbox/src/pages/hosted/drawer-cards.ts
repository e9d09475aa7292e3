import { findTestCard, publishedCards } from '../../domain/cards.ts';
import type { TestCard } from '../../domain/cards.ts';
import { approvedCode } from '../../domain/response-codes.ts';
import { declineText } from '../decline-labels.ts';
import type { Language } from '../language.ts';

/** A card that the drawer offers to fill in. */
export interface DrawerCard {
  readonly number: string;
  readonly card: TestCard;
}

const grammarExamples = ['9682990151000005', '9682990200000006', '9682990600000002'];

/** The published cards first, then examples of the sandbox's own grammar. */
export const drawerCards: readonly DrawerCard[] = [
  ...publishedCards.map(({ number }) => number),
  ...grammarExamples,
].flatMap((number) => {
  const card = findTestCard(number);
  return card === null ? [] : [{ number, card }];
});

/** A number in groups of four, as it stands on a card. */
export function groupedNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** What happens when somebody pays with the card. */
export function effectText(card: TestCard, language: Language): string {
  const answer = answerText(card.responseCode, language);
  const texts: Record<TestCard['mode'], Record<Language, string>> = {
    none: { en: answer, ar: answer },
    attempted: { en: answer, ar: answer },
    'not-enrolled': { en: answer, ar: answer },
    challenge: { en: `3-D Secure, then: ${answer}`, ar: `تحقق آمن، ثم: ${answer}` },
    'authentication-fails': { en: 'Declined by 3-D Secure', ar: 'مرفوضة من التحقق الآمن' },
    'directory-down': { en: '3-D Secure unavailable', ar: 'التحقق الآمن غير متاح' },
    'never-returns': { en: 'Stays pending for ever', ar: 'تبقى معلّقة دون نتيجة' },
  };
  return texts[card.mode][language];
}

function answerText(code: string, language: Language): string {
  if (code === approvedCode) return language === 'ar' ? 'مقبولة' : 'approved';
  const reason = declineText(code, language);
  return language === 'ar' ? `مرفوضة، ${reason} (${code})` : `declined, ${reason} (${code})`;
}
