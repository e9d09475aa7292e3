import type { Request, RequestHandler } from 'express';
import type { Bilingual } from '../shop/catalog.ts';
import { readCookie, setCookie } from '../http.ts';

/** A mistake that shops make, which a tester can turn on. */
export interface Bug {
  readonly id: string;
  readonly name: Bilingual;
  /** What a tester sees while it is on. */
  readonly symptom: Bilingual;
  /** What a sound shop does instead. */
  readonly expected: Bilingual;
  /** The journey that fails while it is on, word for word. */
  readonly caughtBy: string;
}

/** Every switch. `e2e/journeys/bugs.all.test.ts` turns each on and expects the named journey to fail. */
export const bugs = [
  {
    id: 'trusts-the-redirect',
    name: { en: 'Trusts the redirect', ar: 'يصدّق إعادة التوجيه' },
    symptom: {
      en: 'Opening the success address gets the goods without a payment.',
      ar: 'من يفتح عنوان النجاح يحصل على البضاعة دون أن يدفع.',
    },
    expected: {
      en: 'The return is a reason to ask the gateway; only its status answer ships.',
      ar: 'العودة سبب لسؤال البوابة، ولا شحن إلا بجوابها عن الحالة.',
    },
    caughtBy: 'a success address opened without paying ships nothing',
  },
  {
    id: 'ignores-approved',
    name: { en: 'Ignores APPROVED', ar: 'يتجاهل APPROVED' },
    symptom: {
      en: 'A declined payment is shipped, because there is a transaction.',
      ar: 'تُشحن دفعة مرفوضة لمجرد وجود عملية.',
    },
    expected: {
      en: 'Money is a row that says SUCCESS and APPROVED, both.',
      ar: 'الدفع المؤكد هو عملية حالتها SUCCESS و APPROVED معًا.',
    },
    caughtBy: 'a declined payment ships nothing',
  },
  {
    id: 'no-deduplication',
    name: { en: 'No de-duplication', ar: 'لا يمنع التكرار' },
    symptom: {
      en: 'A webhook that comes twice ships twice.',
      ar: 'إشعار يصل مرتين يشحن مرتين.',
    },
    expected: {
      en: 'An order is shipped once, in the commit that records its payment.',
      ar: 'يُشحن الطلب مرة واحدة مع تسجيل دفعته.',
    },
    caughtBy: 'a webhook that comes again ships nothing again',
  },
  {
    id: 'believes-webhooks',
    name: { en: 'Believes webhooks', ar: 'يصدّق الإشعارات' },
    symptom: {
      en: 'Anyone can post "Approved" and gets the goods.',
      ar: 'أي شخص يرسل «Approved» يحصل على البضاعة.',
    },
    expected: {
      en: 'A webhook is a reason to ask the gateway, and nothing in it is used.',
      ar: 'الإشعار سبب لسؤال البوابة، ولا يُؤخذ بشيء مما فيه.',
    },
    caughtBy: 'a forged webhook ships nothing',
  },
  {
    id: 'recurring-200-is-success',
    name: { en: 'HTTP 200 recurring is success', ar: 'رمز 200 يعني نجاح التجديد' },
    symptom: {
      en: 'A declined renewal is delivered, because the gateway answered 200.',
      ar: 'يُسلَّم تجديد مرفوض لأن البوابة ردّت بالرمز 200.',
    },
    expected: {
      en: 'A renewal succeeded only if result and status both say SUCCESS.',
      ar: 'لا ينجح التجديد إلا إذا كانت النتيجة والحالة معًا SUCCESS.',
    },
    caughtBy: 'a renewal that the bank declines ships nothing',
  },
  {
    id: 'refunds-with-the-session-id',
    name: { en: 'Refunds with the session id', ar: 'يسترد بمعرّف الجلسة' },
    symptom: {
      en: 'No refund goes through; the gateway knows no such transaction.',
      ar: 'لا يتم أي استرداد، فالبوابة لا تعرف عملية بهذا المعرّف.',
    },
    expected: {
      en: 'A refund names the gateway’s transaction id.',
      ar: 'يُطلب الاسترداد بمعرّف العملية لدى البوابة.',
    },
    caughtBy: 'the admin refunds a part, and then the rest',
  },
  {
    id: 'retries-a-sale',
    name: { en: 'Retries a sale after a time-out', ar: 'يكرر الخصم بعد انقطاع الرد' },
    symptom: {
      en: 'When an answer is lost, the card is charged twice.',
      ar: 'إذا ضاع الرد خُصم المبلغ من البطاقة مرتين.',
    },
    expected: {
      en: 'A sale is sent once, ever; a lost answer stays unknown until evidence ends it.',
      ar: 'يُرسل الخصم مرة واحدة فقط، وتبقى نتيجته مجهولة حتى يثبتها دليل.',
    },
    caughtBy: 'a sale whose answer is lost charges the card once',
  },
  {
    id: 'trusts-the-price',
    name: { en: 'Trusts the price from the browser', ar: 'يصدّق السعر القادم من المتصفح' },
    symptom: {
      en: 'An order sent with a price of its own is paid and shipped at that price.',
      ar: 'إذا أرسل المتصفح سعرًا مع الطلب، دُفع الطلب وشُحن بذلك السعر.',
    },
    expected: {
      en: 'A price comes from the shop’s own catalog and order only.',
      ar: 'السعر من كتالوج المتجر وسجل الطلب لديه، ولا يُؤخذ من أي مكان آخر.',
    },
    caughtBy: 'a price sent by the browser changes nothing',
  },
  {
    id: 'key-in-the-front-end',
    name: { en: 'Key in the front end', ar: 'المفتاح في الواجهة' },
    symptom: {
      en: 'The gateway’s API key is in the page.',
      ar: 'مفتاح البوابة موجود في الصفحة.',
    },
    expected: {
      en: 'The key never leaves the server.',
      ar: 'لا يغادر المفتاح الخادم أبدًا.',
    },
    caughtBy: 'no page and no script holds the gateway’s key',
  },
  {
    id: 'failed-on-pending',
    name: { en: 'Marks failed on PENDING', ar: 'يعدّ المعلّق فاشلًا' },
    symptom: {
      en: 'A payment that the bank still checks is shown as declined.',
      ar: 'دفعة لا يزال البنك يتحقق منها تُعرض على أنها مرفوضة.',
    },
    expected: {
      en: 'A payment without an outcome is pending.',
      ar: 'الدفعة التي لم تُعرف نتيجتها بعد هي قيد الانتظار.',
    },
    caughtBy: 'a payment whose 3-D Secure page hangs is pending',
  },
  {
    id: 'shows-orders-to-strangers',
    name: { en: 'Shows orders to strangers', ar: 'يعرض الطلبات للغرباء' },
    symptom: {
      en: 'Guessing an order’s address shows its name and goods.',
      ar: 'من يخمّن عنوان طلب يرى الاسم والمشتريات.',
    },
    expected: {
      en: 'An order is a 404 for everyone but its shopper.',
      ar: 'لا يرى الطلب إلا صاحبه، ولغيره صفحة 404.',
    },
    caughtBy: 'a stranger sees nothing of an order, paid or not',
  },
] as const satisfies readonly Bug[];

export type BugId = (typeof bugs)[number]['id'];

/** Reads the id of a bug; `undefined` for every other text. */
export function readBug(text: unknown): BugId | undefined {
  return bugs.find(({ id }) => id === text)?.id;
}

const COOKIE = 'shop_bug';
const COOKIE_DAYS = 1;

/** The switch that a visitor has turned on by `?bug=`. */
export function bugOf(request: Request): BugId | undefined {
  return readBug(request.query['bug']) ?? readBug(readCookie(request, COOKIE));
}

/** Takes `?bug=<id>` on any page; every other word turns it off. */
export const bugSwitch: RequestHandler = (request, response, next) => {
  const { bug } = request.query;
  if (typeof bug === 'string') setCookie(response, COOKIE, readBug(bug) ?? 'none', COOKIE_DAYS);
  next();
};
