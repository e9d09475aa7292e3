import { decimalOf, type Money } from '../money.ts';
import type { AttemptKind } from './attempt.ts';
import type {
  LedgerKind,
  OperationKind,
  OperationState,
  PaymentState,
  ReviewReason,
} from './record.ts';
import type { AttemptStep, OperationFact, TimelineFact } from './timeline.ts';

/** Writes an entry of an order's timeline in Arabic, with Western digits as Saudi shops do. */
export function describeInArabic(fact: TimelineFact): string {
  switch (fact.kind) {
    case 'attempt':
      return fact.step === 'requested'
        ? `طُلب ${means[fact.means]} بمبلغ ${amountOf(fact.amount)} (المحاولة ${fact.attempt}).`
        : `${steps[fact.step](`المحاولة ${fact.attempt}`)}.`;
    case 'evidence':
      return `ردّت البوابة بشأن المحاولة ${fact.attempt}، وعدد العمليات في ردها: ${fact.rows.length}.`;
    case 'verdict':
      return `${verdicts[fact.verdict](isolated(fact.transactionId))} (المحاولة ${fact.attempt}).`;
    case 'operation': {
      const { operation, operationId, amount, reason, by } = fact;
      const why = reason === null ? '' : ` (${outcome(reason)}${decidedBy(by)})`;
      return `${operations[operation]} بمبلغ ${amountOf(amount)} (${isolated(operationId)}): ${stateOf(fact)}${why}.`;
    }
    case 'review': {
      const about = `${reviews[fact.reason]} (${isolated(fact.about)})`;
      return fact.resolution === null
        ? `بانتظار المراجعة: ${about}.`
        : `انتهت المراجعة: ${about}. ${outcome(fact.resolution)}${decidedBy(fact.by)}`;
    }
    case 'payment':
      return `حالة الدفعة بمبلغ ${amountOf(fact.amount)}: ${payments[fact.state]}.`;
    case 'refunded':
      return `إجمالي المبلغ المسترد: ${amountOf(fact.total)}.`;
    case 'cancelled':
      return `ألغى المتجر الطلب${askedBy(fact.by)}.`;
    case 'redelivered':
      return `أُعيد تسليم الحدث ${isolated(fact.eventId)}${askedBy(fact.by)}.`;
  }
}

/** The people are named once, where the operation begins. */
function stateOf({ state, wasSent, requestedBy, approvedBy }: OperationFact): string {
  const asked = askedBy(requestedBy);
  const approved = approvedBy === null ? '' : ` وموافقة ${isolated(approvedBy)}`;
  if (state === 'sending') return `${states[state]}${asked}${approved}`;
  if (state === 'failed' && !wasSent) return 'سُحب قبل إرساله';
  return state === 'proposed' ? `${states[state]}${asked}` : states[state];
}

const askedBy = (by: string | null | undefined): string =>
  typeof by === 'string' ? `، بطلب من ${isolated(by)}` : '';

const decidedBy = (by: string | null): string => (by === null ? '' : `، بقرار من ${isolated(by)}`);

/** Keeps a text from taking the direction of the sentence around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

function amountOf({ minorUnits, currency }: Money): string {
  const digits = decimalOf(minorUnits).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');
  return isolated(`${digits}\u00a0${currency === 'SAR' ? 'ريال' : currency}`);
}

/** The text of an error's code. The explanation of a person stays as written. */
const outcome = (reason: string): string => outcomes.get(reason) ?? isolated(reason);

const means: Readonly<Record<AttemptKind, string>> = {
  link: 'رابط دفع',
  sale: 'خصم مباشر من البطاقة',
  authorization: 'حجز على البطاقة',
  charge: 'خصم دوري',
};

type Sentence = (subject: string) => string;

const steps: Readonly<Record<Exclude<AttemptStep, 'requested'>, Sentence>> = {
  open: (attempt) => `أصبحت ${attempt} متاحة للدفع`,
  succeeded: (attempt) => `نجحت ${attempt}`,
  closed: (attempt) => `أُغلقت ${attempt}`,
  lost: (attempt) => `لم يصل رد البوابة على ${attempt}`,
  withdrawn: (attempt) => `لم تعد ${attempt} متاحة للدفع، فالبوابة لا تقبل الدفع على صفحتها`,
  unwatched: (attempt) => `انتهت متابعة ${attempt}`,
};

const verdicts: Readonly<Record<LedgerKind, Sentence>> = {
  payment: (transaction) => `دُفع الطلب بالعملية ${transaction}`,
  late: (transaction) => `وصل مبلغ العملية ${transaction} متأخرًا`,
  duplicate: (transaction) => `العملية ${transaction} خصم مكرر`,
  discrepancy: (transaction) => `العملية ${transaction} لا تطابق الطلب`,
  charge: (transaction) => `العملية ${transaction} خصم دوري`,
};

const operations: Readonly<Record<OperationKind, string>> = {
  refund: 'استرداد',
  capture: 'تحصيل المبلغ المحجوز',
  void: 'فك الحجز',
  recurring: 'خصم دوري',
  sale: 'خصم مباشر من البطاقة',
};

const states: Readonly<Record<OperationState, string>> = {
  proposed: 'بانتظار موافقة شخص آخر',
  sending: 'قيد الإرسال',
  pending: 'قبلته البوابة ولم يتأكد بعد',
  succeeded: 'تم',
  failed: 'لم يتم',
  unknown: 'لم يصل الرد، وربما تم',
};

const payments: Readonly<Record<PaymentState, string>> = {
  unpaid: 'غير مدفوعة',
  pending: 'بانتظار الدفع',
  paid: 'مدفوعة',
  failed: 'مرفوضة',
  expired: 'منتهية',
  partially_refunded: 'مستردة جزئيًا',
  refunded: 'مستردة',
  paid_late: 'مدفوعة بعد انتهاء الطلب',
  review: 'قيد المراجعة',
  authorized: 'المبلغ محجوز',
  captured: 'حُصّل المبلغ المحجوز',
  voided: 'فُك الحجز',
};

const reviews: Readonly<Record<ReviewReason, string>> = {
  amount_mismatch: 'خصمت البوابة مبلغًا غير قيمة الطلب',
  currency_mismatch: 'خصمت البوابة بعملة أخرى',
  duplicate_charge: 'خُصم المبلغ مرتين',
  incomplete_answer: 'رد البوابة ناقص، وقد تكون فيه عملية دفع لم تظهر',
  no_evidence: 'لم تقل البوابة هل دُفع الرابط، وقد يكون الطلب مدفوعًا',
  order_changed: 'تغيّر سعر الطلب بعد إنشاء رابط الدفع',
  order_mismatch: 'تذكر البوابة طلبًا آخر',
  order_missing:
    'وصل المبلغ ولم يعثر المتجر على الطلب؛ على loadOrder أن تعيد الطلب نفسه عند استدعائها دون متسوّق',
  paid_in_review: 'وصل مبلغ والدفعة قيد المراجعة',
  paid_late: 'وصل المبلغ بعد إلغاء الطلب أو انتهائه',
  payment_contradiction: 'البوابة تناقض تأكيدها السابق للدفع',
  refund_contradiction: 'المبلغ المسترد يناقض حالة الاسترداد',
  refunded_before_confirmed: 'استُرد المبلغ قبل تأكيد الدفع',
  superseded_amount: 'دُفع برابط لمبلغ سابق',
  transaction_of_another_order: 'العملية تخص طلبًا آخر',
  unknown_outcome: 'لم يصل الرد، وربما تمت العملية',
  unattributed_payment: 'إشعار وحده ينسب هذه الدفعة إلى الطلب، ولم تؤكد البوابة أنها له',
  unreadable_answer: 'رد البوابة غير مفهوم وقد يعني أن الطلب دُفع',
};

const outcomes: ReadonlyMap<string, string> = new Map([
  ['evidence', 'أكدته حالة العملية لدى البوابة'],
  ['accepted', 'قبلته البوابة'],
  ['declined', 'رفض البنك العملية'],
  ['interrupted', 'توقف المتجر أثناء التنفيذ'],
  ['no_evidence', 'لم يظهر لدى البوابة خلال يومين'],
  ['contradicting_words', 'رد البوابة متناقض'],
  ['timeout', 'لم يصل الرد في الوقت المحدد'],
  ['connection_failed', 'تعذّر الاتصال بالبوابة'],
  ['connection_lost', 'انقطع الاتصال'],
  ['gateway_fault', 'حدث خلل لدى البوابة'],
  ['rejected', 'رفضت البوابة الطلب'],
  ['unreadable_answer', 'تعذّرت قراءة الرد'],
]);
