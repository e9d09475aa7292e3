import { byLanguage } from './by-language.ts';

/** The texts of the overview. */
export const overviewTexts = byLanguage({
  title: ['Overview', 'نظرة عامة'],
  waiting: ['What waits', 'بانتظار إجراء'],
  nothingWaits: [
    'Nothing waits: no decision, no overdue check, no undelivered event.',
    'لا شيء معلّق: لا قرار مطلوب، ولا تحقق متأخر، ولا حدث لم يُسلَّم.',
  ],
  since: ['since', 'منذ'],
  waits: {
    reviews: ['Payments that need a decision', 'دفعات تحتاج إلى قرار'],
    proposals: ['Refunds that wait for approval', 'عمليات استرداد تنتظر الموافقة'],
    deadLetters: ['Events that your handlers failed to take', 'أحداث تعذّر على متجرك استلامها'],
    unknown: ['Refunds or charges whose outcome is unknown', 'عمليات لا تُعرف نتيجتها'],
    failing: ['Orders whose status checks fail', 'طلبات يتعذّر التحقق من حالتها'],
    overdue: ['Status checks that are overdue', 'عمليات تحقق متأخرة'],
    undelivered: ['Events that are not delivered yet', 'أحداث لم تُسلَّم بعد'],
    breaker: [
      'The gateway is held back: it kept failing',
      'أوقفنا الاتصال بالبوابة مؤقتًا لتكرر أعطالها',
    ],
    drift: ['Unexpected answers of the gateway', 'ردود غير متوقعة من البوابة'],
    held: ['Authorizations to capture or void', 'مبالغ محجوزة لم تُحصَّل ولم يُفك حجزها'],
  },
  spans: ['Time span', 'المدة'],
  preset: (days: number): readonly [string, string] =>
    days === 1
      ? ['Today', 'اليوم']
      : [`${days} days`, days === 7 ? 'آخر 7 أيام' : `آخر ${days} يومًا`],
  from: ['From', 'من تاريخ'],
  to: ['To', 'إلى تاريخ'],
  show: ['Show', 'عرض'],
  badSpan: [
    'A day is written as 2026-11-23; the first must not be behind the last, and a span has 366 days at most. The last 7 days are shown.',
    'يُكتب التاريخ بالصيغة 2026-11-23، ويجب ألا يكون الأول بعد الأخير، وألا تتجاوز المدة 366 يومًا. المعروض آخر 7 أيام.',
  ],
  notRead: [
    'The figures could not be read in time. Choose a shorter span, or try again later.',
    'تعذّرت قراءة الأرقام في الوقت المتاح. اختر مدة أقصر، أو حاول لاحقًا.',
  ],
  figures: ['Figures', 'الأرقام'],
  taken: ['Taken', 'المحصّل'],
  refunded: ['Refunded', 'المسترد'],
  held: ['Held now', 'المحجوز الآن'],
  success: ['Success', 'نسبة النجاح'],
  ofEnded: (succeeded: string, ended: string) => [
    `${succeeded} of ${ended} that ended`,
    `${succeeded} من أصل ${ended} انتهت`,
  ],
  open: (count: string) => [`${count} still open`, `${count} لم تنتهِ بعد`],
  confirm: ['Time to confirm', 'زمن التأكيد'],
  p95: (time: string) => [`95% within ${time}`, `95% خلال ${time}`],
  noMoney: ['No money moved in this span.', 'لا توجد حركات مالية في هذه المدة.'],
  chart: (currency: string) => [`By day, ${currency}`, `حسب اليوم، ${currency}`],
  chartMost: ['Highest day', 'أعلى يوم'],
  asTable: ['As a table', 'عرض كجدول'],
  day: ['Day', 'اليوم'],
  created: ['Created', 'المنشأة'],
  succeeded: ['Succeeded', 'الناجحة'],
  means: ['What these figures mean', 'معنى هذه الأرقام'],
  takenMeans: [
    'Taken is what the gateway confirmed on that day, captures and recurring charges included, and also money that came late, twice or is in review.',
    'المحصّل هو ما أكدته البوابة في ذلك اليوم، ومنه تحصيل المبالغ المحجوزة والخصم الدوري، وكذلك ما وصل متأخرًا أو مكررًا أو ما زال قيد المراجعة.',
  ],
  refundedMeans: [
    'Refunded is what the gateway showed as refunded on that day, whenever it was taken and wherever the refund was made.',
    'المسترد هو ما أظهرت البوابة استرداده في ذلك اليوم، أيًّا كان تاريخ الدفع ومكان تنفيذ الاسترداد.',
  ],
  successMeans: [
    'Success counts the payments created in the span, by how they stand now: with money, beside declined and expired ones.',
    'نسبة النجاح للدفعات المنشأة خلال المدة بحسب حالتها الآن: الناجحة مقارنةً بالمرفوضة والمنتهية.',
  ],
  confirmMeans: [
    'Time to confirm runs from the payment link to the recorded payment; most of it is the shopper’s own.',
    'زمن التأكيد من إنشاء رابط الدفع حتى تسجيل الدفعة، ويقضي المتسوق أغلبه في الدفع.',
  ],
});
