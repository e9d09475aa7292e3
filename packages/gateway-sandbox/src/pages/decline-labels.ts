import { declineReason } from '../domain/response-codes.ts';
import type { Language } from './language.ts';

const english: Readonly<Record<string, string>> = {
  '05': 'the bank did not accept the payment',
  '14': 'the card number is not valid',
  '41': 'the card was reported lost',
  '43': 'the card was reported stolen',
  '51': 'insufficient funds',
  '54': 'the card has expired',
  '57': 'this kind of card is not accepted',
  '61': 'the payment exceeds the card’s limit',
  '82': 'the security code is wrong',
  '91': 'the bank cannot be reached',
  '96': 'a technical fault at the bank',
  '99': 'the bank gave no reason',
  '3D': 'the bank could not confirm that it was you',
  '3U': 'the bank’s confirmation service cannot be reached',
  '3C': 'you cancelled the confirmation',
  '3I': 'the bank’s confirmation service failed',
  '3T': 'the time to confirm has passed',
  '3P': 'this order is already paid',
  '3X': 'the payment page has expired',
};

const arabic: Readonly<Record<string, string>> = {
  '05': 'لم يقبل البنك العملية',
  '14': 'رقم البطاقة غير صحيح',
  '41': 'البطاقة مبلّغ عن فقدانها',
  '43': 'البطاقة مبلّغ عن سرقتها',
  '51': 'الرصيد غير كافٍ',
  '54': 'البطاقة منتهية الصلاحية',
  '57': 'هذا النوع من البطاقات غير مقبول',
  '61': 'المبلغ يتجاوز حد البطاقة',
  '82': 'رمز الأمان غير صحيح',
  '91': 'تعذّر الوصول إلى البنك',
  '96': 'حدث خلل فني لدى البنك',
  '99': 'لم يوضح البنك السبب',
  '3D': 'لم يتمكن البنك من التحقق من هويتك',
  '3U': 'خدمة التحقق لدى البنك غير متاحة',
  '3C': 'ألغيتَ عملية التحقق',
  '3I': 'تعطلت خدمة التحقق لدى البنك',
  '3T': 'انتهت مهلة التحقق',
  '3P': 'هذا الطلب مدفوع مسبقًا',
  '3X': 'انتهت صلاحية صفحة الدفع',
};

/** A decline in words for the shopper. */
export function declineText(code: string | null, language: Language): string {
  const texts = language === 'ar' ? arabic : english;
  return texts[code ?? ''] ?? declineReason(code ?? '') ?? '';
}
