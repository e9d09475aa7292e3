import { byLanguage } from './by-language.ts';

/** Why an operation or a review ended as it did, where the kit's own code says so. */
const outcomeTexts = byLanguage({
  accepted: ['the gateway accepted it', 'قبلته البوابة'],
  connection_failed: ['no connection to the gateway', 'تعذّر الاتصال بالبوابة'],
  connection_lost: ['the connection broke', 'انقطع الاتصال'],
  contradicting_words: ['the gateway’s answer contradicts itself', 'رد البوابة متناقض'],
  declined: ['the bank declined', 'رفض البنك العملية'],
  evidence: ['the gateway’s status shows it', 'أكدته حالة العملية لدى البوابة'],
  gateway_fault: ['the gateway had a fault', 'حدث خلل لدى البوابة'],
  interrupted: ['the shop stopped before the answer', 'توقف المتجر قبل وصول الرد'],
  no_evidence: ['accepted, and not shown for two days', 'قُبل ولم يظهر لدى البوابة خلال يومين'],
  rejected: ['the gateway rejected the request', 'رفضت البوابة الطلب'],
  timeout: ['no answer in time', 'لم يصل الرد في الوقت المحدد'],
  unreadable_answer: ['the answer could not be read', 'تعذّرت قراءة الرد'],
});

/** The words for a reason; what a person wrote, and a code without words, stay as they are. */
export function outcomeText(language: keyof typeof outcomeTexts, reason: string): string {
  const known: Readonly<Record<string, string>> = outcomeTexts[language];
  return Object.hasOwn(known, reason) ? (known[reason] ?? reason) : reason;
}
