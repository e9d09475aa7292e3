import type { TextPairs } from './by-language.ts';

/** Every sentence of the admin’s own pages, in English and Arabic; the back office has its own. */
export const adminTexts = {
  title: ['Admin', 'الإدارة'],
  signInText: ['The shop prints its token when it starts.', 'يطبع المتجر الرمز عند تشغيله.'],
  token: ['Admin token', 'رمز الإدارة'],
  signIn: ['Sign in', 'دخول'],
  signOut: ['Sign out', 'خروج'],
  wrongToken: [
    'This is not the token. Look for “adminToken” in the line that begins with “ready”.',
    'الرمز غير صحيح. ابحث عن \u2068adminToken\u2069 في السطر الذي يبدأ بكلمة \u2068ready\u2069.',
  ],
  signOutText: ['The session of this browser ends.', 'تنتهي جلسة هذا المتصفح.'],
  toShop: ['Shop', 'المتجر'],
  back: ['Payments', 'المدفوعات'],
  toPayment: ['The payment of this order', 'دفعة هذا الطلب'],
  customer: ['Customer', 'العميل'],
  payLink: ['Pay link, to send to the customer', 'رابط الدفع، لإرساله إلى العميل'],
  shipped: (times: number) => [
    times === 1 ? 'Shipped once' : `Shipped ${times} times`,
    times === 1 ? 'شُحن مرة واحدة' : `عدد مرات الشحن: ${times}`,
  ],
  notShipped: ['Not shipped', 'لم يُشحن'],
  saleTitle: ['Take a card by phone', 'الدفع ببطاقة عبر الهاتف'],
  saleText: [
    'A server-to-server sale with a test card. Never type a real card.',
    'بيع من خادم إلى خادم ببطاقة اختبار. لا تُدخل بطاقة حقيقية.',
  ],
  card: ['Test card', 'بطاقة الاختبار'],
  how: ['How', 'الطريقة'],
  saleNow: ['Charge now', 'خصم فوري'],
  saleHold: ['Authorize only', 'حجز فقط'],
  keepToken: ['Keep a token for renewals', 'الاحتفاظ برمز للتجديد'],
  sell: ['Send to the gateway', 'إرسال إلى البوابة'],
  cardNames: {
    visa: ['Visa, approved', 'فيزا، مقبولة'],
    mada: ['Mada, approved', 'مدى، مقبولة'],
    declined: ['Mada, insufficient funds', 'مدى، الرصيد غير كافٍ'],
    challenge: ['Visa, asks for 3-D Secure', 'فيزا، تطلب التحقق الثلاثي الأبعاد'],
  },
} satisfies TextPairs;
