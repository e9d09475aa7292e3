import { findTestCard, publishedCards } from '../../domain/cards.ts';
import type { TestCard } from '../../domain/cards.ts';
import { approvedCode } from '../../domain/response-codes.ts';
import { declineText } from '../decline-labels.ts';
import type { Language } from '../language.ts';

/** What a card is for. */
export type CardGroup = 'approved' | 'declined' | 'challenge';

export const cardGroups: readonly CardGroup[] = ['approved', 'declined', 'challenge'];

/** A card that the drawer offers to fill in. */
export interface DrawerCard {
  readonly number: string;
  readonly card: TestCard;
  readonly group: CardGroup;
}

const grammarExamples = ['9682990151000005', '9682990200000006', '9682990600000002'];

/** The published cards first, then examples of the sandbox's own grammar. */
export const drawerCards: readonly DrawerCard[] = [
  ...publishedCards.map(({ number }) => number),
  ...grammarExamples,
].flatMap((number) => {
  const card = findTestCard(number);
  return card === null ? [] : [{ number, card, group: groupOf(card) }];
});

function groupOf({ mode, responseCode }: TestCard): CardGroup {
  if (mode !== 'none') return 'challenge';
  return responseCode === approvedCode ? 'approved' : 'declined';
}

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
    challenge: { en: `confirm, then: ${answer}`, ar: `تحقق، ثم: ${answer}` },
    'authentication-fails': { en: 'the confirmation fails', ar: 'يفشل التحقق' },
    'directory-down': { en: '3-D Secure is unavailable', ar: 'التحقق الآمن غير متاح' },
    'never-returns': { en: 'stays pending for ever', ar: 'تبقى معلّقة دون نتيجة' },
  };
  return texts[card.mode][language];
}

function answerText(code: string, language: Language): string {
  if (code === approvedCode) return language === 'ar' ? 'مقبولة' : 'approved';
  return `${declineText(code, language)} (${code})`;
}
