import { byLanguage } from './by-language.ts';

/** The texts of the list of orders. */
export const orderListTexts = byLanguage({
  title: ['Orders', 'الطلبات'],
  filter: ['Filter', 'تصفية'],
  state: ['State', 'الحالة'],
  anyState: ['Any state', 'كل الحالات'],
  fields: {
    q: ['Order, transaction or reference', 'رقم الطلب أو العملية أو المرجع'],
    amount: ['Amount', 'المبلغ'],
    from: ['From', 'من تاريخ'],
    to: ['To', 'إلى تاريخ'],
  },
  apply: ['Show', 'عرض'],
  clear: ['Clear', 'مسح'],
  csv: ['Download as CSV', 'تنزيل CSV'],
  order: ['Order', 'الطلب'],
  customer: ['Customer', 'العميل'],
  created: ['Created', 'التاريخ'],
  amount: ['Amount', 'المبلغ'],
  refunded: (amount: string) => [`${amount} refunded`, `استُرد ${amount}`],
  none: ['No orders have a payment yet.', 'لا توجد دفعات بعد.'],
  noneFound: ['No order matches this filter.', 'لا يوجد طلب يطابق هذه التصفية.'],
  older: ['Older', 'الأقدم'],
  newest: ['Newest', 'الأحدث'],
  pages: ['Pages', 'الصفحات'],
  mistakes: {
    day: [
      'A day is written as 2026-11-23, and the first must not be behind the last.',
      'يُكتب التاريخ بالصيغة 2026-11-23، ويجب ألا يكون الأول بعد الأخير.',
    ],
    amount: [
      'An amount is written as 115.00, with two decimals at most.',
      'يُكتب المبلغ بالصيغة 115.00، بمنزلتين عشريتين على الأكثر.',
    ],
  },
});
