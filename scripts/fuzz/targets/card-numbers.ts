import {
  redactReply,
  redactRequest,
  withoutStrayCardsInside,
} from '../../../packages/gateway-sandbox/src/redaction/redaction.ts';
import {
  withoutCardNumbers,
  withoutStrayCards,
} from '../../../packages/gateway-sandbox/src/redaction/stray-cards.ts';
import { must, type Target } from '../target.ts';

const CARD = '4539578763621486';
/** Behind letters or more digits it may be an id, and stays. */
const whole = new RegExp(`"${CARD}\\\\?"`);
const groups = /.{4}/g;
const spelled = (between: string): string => CARD.match(groups)?.join(between) ?? '';
const arabic = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x06_60 + Number(digit)));

/** Card numbers in all that the sandbox stores and shows. */
export const cardNumbers: Target = {
  name: 'card-numbers',
  about: 'card numbers in what the sandbox stores: masked, however they are written',
  seeds: [
    `card ${CARD} was declined`,
    `4539,5787,6362,1486`,
    'order 56554791-4555-4260-8640-3964f70946e3 of 2026-01-15T09:30:00.122Z',
    spelled('&nbsp;'),
    spelled('%20'),
    arabic(spelled(' ')),
    spelled('\u200B'),
    '{"amount":"115.00","rrn":"601234567890"}',
  ],
  words: [
    CARD,
    '4',
    '0',
    '17 ',
    ' ',
    ',',
    '-',
    '.',
    '%20',
    '%2520',
    '&nbsp;',
    '&#160;',
    '&#x20',
    '\\u0020',
    '<b>',
    '\u200B',
    '\u0640',
    '•',
    '*',
    'x',
    '٤',
    '５',
    spelled('-'),
    spelled('</b><b>'),
    '&#52;',
    '%34',
  ],
  check: (text) => {
    const card = `${text.slice(0, 60)} "${CARD}"`;
    for (const shown of [
      withoutCardNumbers(card),
      withoutCardNumbers(withoutCardNumbers(card)),
      withoutStrayCards(card),
      JSON.stringify(redactRequest({ merchantOrderId: card, [text]: card, url: text })),
      JSON.stringify(redactReply({ message: card, data: { error: [card] } })),
      JSON.stringify(withoutStrayCardsInside({ a: [card], b: { [text]: card } }).a),
    ]) {
      must(!whole.test(shown), 'a card number in full is shown nowhere');
    }
    for (const masked of [withoutCardNumbers(text), withoutStrayCards(text)]) {
      must(isMasked(text, masked), 'a card number alone in a text is masked');
    }
    must(withoutStrayCards(text).length <= text.length * 2 + 40, 'masking makes no text long');
  },
};

/** Judges texts that are a number of four groups and nothing else. */
function isMasked(text: string, shown: string): boolean {
  const alone = /^\s*4539([ ,.-]?)5787\1(?:6362)\1(?:1486)\s*$/.test(text);
  return !alone || !shown.replaceAll(/\D/g, '').includes(CARD);
}
