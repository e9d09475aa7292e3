import type { CheckoutState } from './checkout-state.ts';
import { LabelRegistry, type Labels } from './label-registry.ts';

/** Keep each text under 65 characters: two lines of the narrowest button. */
const english = {
  language: 'en',
  direction: 'ltr',
  pay: 'Pay',
  preparing: 'Preparing your payment…',
  redirecting: 'Taking you to the secure payment page…',
  link: 'Continue to payment',
  /** The spoken name of the riyal sign. */
  riyal: 'SAR',
  refused: 'The shop could not start this payment. Please contact the shop.',
  unknown: 'The shop did not answer as it should. It is safe to try again.',
  gateway_rejected: 'The shop could not start this payment. Please contact the shop.',
  offline: 'You are offline. Nothing was sent.',
  already_paid: 'This order is already paid.',
} as const;

/**
 * The texts of `<pay-button>`. The text of an error is found by its code, else by its outcome
 * (`unknown`), else it is `refused`; a shop may add texts for its own codes.
 */
export type ButtonLabels = Labels &
  Readonly<Record<keyof typeof english, string>> & { readonly [code: string]: string };

export const buttonLabels = new LabelRegistry<ButtonLabels>(english, {
  language: 'ar',
  direction: 'rtl',
  pay: 'ادفع',
  preparing: 'جارٍ تجهيز عملية الدفع…',
  redirecting: 'جارٍ تحويلك إلى صفحة الدفع الآمنة…',
  link: 'المتابعة إلى الدفع',
  riyal: 'ر.س',
  refused: 'تعذّر على المتجر بدء عملية الدفع. يُرجى التواصل مع المتجر.',
  unknown: 'لم يستجب المتجر كما ينبغي. يمكنك المحاولة مجددًا بأمان.',
  gateway_rejected: 'تعذّر على المتجر بدء عملية الدفع. يُرجى التواصل مع المتجر.',
  offline: 'لا يوجد اتصال بالإنترنت، ولم يُرسل أي طلب.',
  already_paid: 'هذا الطلب مدفوع مسبقًا.',
});

/**
 * Adds a language to `<pay-button>`, or changes some of its texts. Elements on the page follow.
 *
 * @example registerLabels('fr', { pay: 'Payer' });
 */
export function registerLabels(locale: string, labels: Partial<ButtonLabels>): void {
  buttonLabels.register(locale, labels);
}

/** The text below the button: the progress of an attempt, or its error. */
export function messageOf({ phase, error }: CheckoutState, labels: ButtonLabels): string {
  if (error) {
    const { code, outcome } = error;
    return (Object.hasOwn(labels, code) && labels[code]) || labels[outcome] || labels.refused;
  }
  if (phase === 'idle') return '';
  return phase === 'redirecting' ? labels.redirecting : labels.preparing;
}
