import type { ReviewEntry } from '../index.ts';
import { type Answer, seeOther } from '../parts.ts';
import { type Action, actionAnswer, actionForms, type Deed } from './action.ts';
import { amountTag, byLanguage, code, fact, html, type Html, instant, moneyTag } from './html.ts';
import { pageAnswer } from './layout.ts';
import {
  accept,
  approve,
  findMatter,
  happened,
  listMatters,
  type Matter,
  notHappened,
  redeliver,
  refundMatter,
  resolve,
  withdraw,
} from './review-actions.ts';
import { linkTo, orderAddress, type Visit } from './visit.ts';

/** What a person can do about a matter under review, in the order in which the list shows it. */
export const reviewActions: readonly Action<Matter>[] = [
  accept,
  refundMatter,
  happened,
  notHappened,
  resolve,
  approve,
  withdraw,
  redeliver,
];

const SHOWN = 50;

/** What waits for a person, the oldest first. */
export async function reviewPage(visit: Visit): Promise<Answer> {
  const texts = reviewTexts[visit.language];
  const matters = await listMatters(visit, SHOWN);
  const items = await Promise.all(matters.map((matter) => item(visit, matter)));
  return pageAnswer(visit, {
    title: texts.title,
    section: 'review',
    main: html`<h1>${texts.title}</h1>
      ${
        items.length === 0
          ? html`<p class="empty" data-test="review-empty">
              <strong>${texts.empty}</strong> ${texts.emptyHint}
            </p>`
          : html`<p class="lead">${texts.lead}</p>
              <ol class="matters" data-test="review-list">
                ${items}
              </ol>`
      }
      ${items.length >= SHOWN && html`<p class="muted">${texts.more}</p>`}`,
  });
}

async function item(visit: Visit, matter: Matter): Promise<Html> {
  const { language } = visit;
  const { entry, record, row } = matter;
  const { orderId } = entry;
  const came = row !== null && row.amount.minorUnits > 0 && moneyTag(language, row.amount);
  const texts = reviewTexts[language];
  const reason = entry.kind === 'payment' ? entry.reason : entry.kind;
  const words = reasonTexts[language][reason];
  const forms = await actionForms(
    visit,
    reviewActions.map((action) => matterDeed(action, matter)),
  );
  return html`<li
    class="panel matter"
    data-test="review-item"
    data-reason="${reason}"
    data-order="${orderId}"
  >
    <h2>${words.title}</h2>
    <p class="muted">
      ${texts.order} <a href="${linkTo(visit, orderAddress(orderId))}"><bdi>${orderId}</bdi></a> ·
      ${texts.since} ${instant(visit, entry.createdAt)}
    </p>
    <dl class="explained">
      ${fact(texts.happened, words.happened)} ${fact(texts.money, words.money)}
      ${fact(texts.todo, words.todo)}
    </dl>
    <dl class="facts small">
      ${record !== null && fact(texts.askedFor, moneyTag(language, record.payment.amount))}
      ${came && fact(texts.came, came)} ${about(visit, entry)}
    </dl>
    ${forms.length > 0 && html`<div class="actions">${forms}</div>`}
  </li>`;
}

function about({ language }: Visit, entry: ReviewEntry): Html {
  const texts = reviewTexts[language];
  switch (entry.kind) {
    case 'payment':
      return fact(texts.about, code(entry.about));
    case 'proposal':
      return html`${fact(texts.refund, amountTag(language, entry.amount, entry.currency))}
      ${fact(texts.requestedBy, html`<bdi>${entry.requestedBy}</bdi>`)}`;
    case 'dead_letter':
      return html`${fact(texts.event, code(entry.event.type))}
      ${fact(texts.tries, String(entry.tries))}`;
  }
}

/** The address of a matter's actions names it by a field, since its id holds slashes. */
export const matterDeed = (action: Action<Matter>, subject: Matter): Deed<Matter> => ({
  action,
  subject,
  page: 'review',
  section: 'review',
  naming: { id: subject.entry.id },
  about: subject.entry.orderId,
});

export async function reviewActionPage(visit: Visit, action: Action<Matter>): Promise<Answer> {
  const matter = await findMatter(visit, visit.query['id'] ?? '');
  // Where a form is pressed twice, the second press finds what the first one ended.
  if (matter === null) return seeOther(linkTo(visit, 'review', { notice: 'matter_over' }));
  return actionAnswer(visit, matterDeed(action, matter));
}

const reviewTexts = byLanguage({
  title: ['Review', 'المراجعة'],
  lead: `What the kit cannot decide, the oldest first. Nothing here was shipped by mistake, and nothing moves money with one press.
    حالات لا تُحسم تلقائيًا، الأقدم أولًا. لم يُشحن أي منها بالخطأ، ولا تتم أي حركة مالية بضغطة واحدة.`,
  empty: ['Nothing waits for a person.', 'لا توجد حالات بانتظار قرار.'],
  emptyHint: `Orders that need a decision appear here, with what happened and what to do.
    تظهر هنا الطلبات التي تحتاج إلى قرار، مع ما حدث وما يلزم فعله.`,
  happened: ['What happened', 'ما حدث'],
  money: ['The money', 'المبلغ'],
  todo: ['What to do', 'الإجراء المطلوب'],
  order: ['Order', 'الطلب'],
  since: ['Since', 'منذ'],
  askedFor: ['Asked for', 'المبلغ المطلوب'],
  came: ['What came', 'المبلغ المستلم'],
  about: ['About', 'بشأن'],
  tries: ['Tries', 'المحاولات'],
  event: ['Event', 'الحدث'],
  more: `Only the oldest are shown. More appear when these are resolved.
    تظهر الأقدم فقط، ويظهر غيرها بعد إنهاء هذه.`,
  refund: ['Refund', 'الاسترداد'],
  requestedBy: ['Asked for by', 'بطلب من'],
});

/** What happened, what it means for the money, and what to do, by the reason of a review. */
export const reasonTexts = byLanguage({
  amount_mismatch: {
    title: ['Another amount was paid', 'دُفع مبلغ مختلف'],
    happened: `The gateway took an amount other than the order’s.
      خصمت البوابة مبلغًا يختلف عن قيمة الطلب.`,
    money: `The money is with you, and the order does not count as paid.
      المبلغ لديك، ولا يُعد الطلب مدفوعًا.`,
    todo: `Refund it, or accept what came as the order’s payment.
      أعِد المبلغ إلى العميل، أو اقبل ما وصل دفعةً للطلب.`,
  },
  currency_mismatch: {
    title: ['Another currency was paid', 'دُفع بعملة أخرى'],
    happened: `The gateway took a currency other than the order’s.
      خصمت البوابة بعملة غير عملة الطلب.`,
    money: `The money is with you, and the order does not count as paid.
      المبلغ لديك، ولا يُعد الطلب مدفوعًا.`,
    todo: `Refund it. Money in another currency cannot be accepted.
      أعِد المبلغ إلى العميل. لا يمكن قبول مبلغ بعملة أخرى.`,
  },
  duplicate_charge: {
    title: ['The customer paid twice', 'دفع العميل مرتين'],
    happened: `A second payment arrived for an order that is paid already.
      وصلت دفعة ثانية لطلب مدفوع.`,
    money: `You have the order’s amount twice. The order is paid once and ships once.
      لديك قيمة الطلب مرتين. الطلب مدفوع مرة واحدة ويُشحن مرة واحدة.`,
    todo: ['Refund it, or void what is only held.', 'أعِد المبلغ، أو فُك الحجز إن لم يُخصم.'],
  },
  order_changed: {
    title: ['The price changed before it was paid', 'تغيّر السعر قبل الدفع'],
    happened: `The order’s price or currency changed after its payment link was made, and the link was paid.
      تغيّر سعر الطلب أو عملته بعد إنشاء رابط الدفع، ثم دُفع الرابط.`,
    money: `The money of the old price is with you, and the order does not count as paid.
      المبلغ بالسعر القديم لديك، ولا يُعد الطلب مدفوعًا.`,
    todo: `Decide which price holds: accept what came, or refund it.
      قرّر أي السعرين هو المعتمد: اقبل ما وصل، أو أعِده إلى العميل.`,
  },
  order_missing: {
    title: ['Money came for an unknown order', 'وصل مبلغ لطلب غير معروف'],
    happened: `Money arrived, and the shop did not find the order when it was asked for its price.
      وصل مبلغ، ولم يعثر المتجر على الطلب عند السؤال عن سعره.`,
    money: ['The money is with you, and nothing was shipped.', 'المبلغ لديك، ولم يُشحن شيء.'],
    todo: `If the order exists, have loadOrder mended and accept the money; otherwise refund it.
      إن كان الطلب موجودًا فاطلب إصلاح \u2068loadOrder\u2069 ثم اقبل المبلغ، وإلا فأعِده إلى العميل.`,
  },
  paid_in_review: {
    title: ['Paid while in review', 'دُفع أثناء المراجعة'],
    happened: `The right amount arrived while the order was in review for another reason.
      وصل المبلغ الصحيح والطلب قيد المراجعة لسبب آخر.`,
    money: `The money is with you, and the order does not count as paid yet.
      المبلغ لديك، ولا يُعد الطلب مدفوعًا بعد.`,
    todo: `Accept it or refund it, and decide the order’s other matters with it.
      اقبله أو أعِده إلى العميل، واحسم معه بقية أمور هذا الطلب.`,
  },
  paid_late: {
    title: ['Paid after the order was over', 'دُفع بعد انتهاء الطلب'],
    happened: `Money arrived for an order that had been cancelled or had expired.
      وصل مبلغ لطلب أُلغي أو انتهت مدته.`,
    money: `The money is with you, and nothing is shipped for it.
      المبلغ لديك، ولا يُشحن شيء مقابله.`,
    todo: `Refund it, or accept it if you can still deliver.
      أعِد المبلغ إلى العميل، أو اقبله إن كان التسليم ما زال ممكنًا.`,
  },
  superseded_amount: {
    title: ['An old link was paid', 'دُفع رابط قديم'],
    happened: `A link for a former price was paid after the order’s price changed.
      دُفع رابط بسعر سابق بعد تغيّر سعر الطلب.`,
    money: `The money of the old price is with you, and the order does not count as paid.
      المبلغ بالسعر القديم لديك، ولا يُعد الطلب مدفوعًا.`,
    todo: ['Accept the old price, or refund it.', 'اقبل السعر القديم، أو أعِد المبلغ إلى العميل.'],
  },
  unattributed_payment: {
    title: ['Whose payment is this?', 'لمن هذه الدفعة؟'],
    happened: `Only a webhook says that this payment is for this order; the gateway’s own record names none.
      إشعار وحده ينسب هذه الدفعة إلى الطلب، ولا يذكر سجل البوابة أي طلب.`,
    money: `The money is with you and fits the order’s amount. The order does not count as paid.
      المبلغ لديك ويطابق قيمة الطلب، ولا يُعد الطلب مدفوعًا.`,
    todo: `Look the transaction up on the dashboard. Accept it if it is this order’s; otherwise resolve it and ship nothing.
      ابحث عن العملية في لوحة البوابة. اقبلها إن كانت لهذا الطلب، وإلا فأنهِ المراجعة ولا تشحن شيئًا.`,
  },
  incomplete_answer: {
    title: ['The gateway left rows out', 'رد البوابة ناقص'],
    happened: `The gateway counts more transactions for this order than it sent.
      تذكر البوابة لهذا الطلب عمليات أكثر مما أرسلت.`,
    money: `A missing one may be a payment. The order takes no second link meanwhile.
      قد تكون إحدى العمليات الناقصة دفعة. لا يُنشأ للطلب رابط ثانٍ في هذه الأثناء.`,
    todo: `Look the order up on the gateway’s dashboard. A whole answer ends this by itself; otherwise resolve it.
      ابحث عن الطلب في لوحة البوابة. ينتهي هذا تلقائيًا بوصول رد كامل، وإلا فأنهِ المراجعة.`,
  },
  no_evidence: {
    title: ['Nobody knows whether the link was paid', 'لا يُعرف هل دُفع الرابط'],
    happened: `The gateway gave no answer about a payment link, or does not know it although a customer came back from it; or the shop has lost a link that the gateway has.
      لم تُجب البوابة عن رابط الدفع، أو لا تعرفه مع أن العميل عاد منه، أو فقد المتجر رابطًا موجودًا لدى البوابة.`,
    money: `The customer may have paid. The order does not count as paid and takes no second link.
      ربما دفع العميل. لا يُعد الطلب مدفوعًا، ولا يُنشأ له رابط ثانٍ.`,
    todo: `Look it up on the gateway’s dashboard, then ask the gateway again here. Resolve it if nothing was paid.
      ابحث عنه في لوحة البوابة، ثم تحقق من البوابة من هنا مجددًا. أنهِ المراجعة إن لم يُدفع شيء.`,
  },
  order_mismatch: {
    title: ['The gateway names another order', 'تذكر البوابة طلبًا آخر'],
    happened: `The gateway’s answer about this order bears the name of another one.
      يحمل رد البوابة عن هذا الطلب رقم طلب آخر.`,
    money: `The money may belong to the other order. Nothing here counts as paid.
      قد يكون المبلغ للطلب الآخر. لا يُعد هذا الطلب مدفوعًا.`,
    todo: `Ship nothing. Ask the gateway’s support, with the transaction’s id.
      لا تشحن شيئًا. تواصل مع دعم البوابة مع ذكر معرّف العملية.`,
  },
  payment_contradiction: {
    title: ['The gateway contradicts itself', 'البوابة تناقض نفسها'],
    happened: `The gateway no longer shows money that it had confirmed.
      لم تعد البوابة تُظهر مبلغًا سبق أن أكدته.`,
    money: `The order stays paid here until a refund is shown. The money may be gone.
      يبقى الطلب مدفوعًا هنا إلى أن يظهر استرداد، وربما لم يعد المبلغ لديك.`,
    todo: `Ask the gateway’s support, with the transaction’s id.
      تواصل مع دعم البوابة مع ذكر معرّف العملية.`,
  },
  refund_contradiction: {
    title: ['The refunds do not add up', 'مبالغ الاسترداد لا تتطابق'],
    happened: `The refunded amount contradicts what the gateway said of it before.
      يناقض المبلغ المسترد ما ذكرته البوابة عنه سابقًا.`,
    money: `More or less may have gone back to the card than is recorded here.
      ربما أُعيد إلى البطاقة أكثر أو أقل مما هو مسجّل هنا.`,
    todo: `Compare with the gateway’s dashboard. Do not refund again before that.
      قارن بلوحة البوابة، ولا تطلب استردادًا آخر قبل ذلك.`,
  },
  refunded_before_confirmed: {
    title: ['Refunded before it was confirmed', 'استُرد قبل تأكيده'],
    happened: `The first answer that showed the payment showed a refund of it too.
      أظهر أول رد للبوابة الدفعة واستردادها معًا.`,
    money: `A part or all of the money went back. The order does not count as paid.
      أُعيد بعض المبلغ أو كله، ولا يُعد الطلب مدفوعًا.`,
    todo: `Compare with the gateway’s dashboard. Do not ship what was refunded.
      قارن بلوحة البوابة، ولا تشحن ما استُرد ثمنه.`,
  },
  transaction_of_another_order: {
    title: ['The transaction belongs to another order', 'العملية تخص طلبًا آخر'],
    happened: `The gateway reported one transaction for two orders.
      ذكرت البوابة العملية نفسها لطلبين.`,
    money: `It pays the first order only. This order does not count as paid.
      تُحتسب العملية للطلب الأول فقط، ولا يُعد هذا الطلب مدفوعًا.`,
    todo: `Ship nothing for this order. Ask the gateway’s support, with the transaction’s id.
      لا تشحن هذا الطلب. تواصل مع دعم البوابة مع ذكر معرّف العملية.`,
  },
  unknown_outcome: {
    title: ['The answer was lost', 'ضاع الرد'],
    happened: `A refund, capture, void or charge was sent to the gateway, and its answer did not arrive.
      أُرسل إلى البوابة استرداد أو تحصيل أو فك حجز أو خصم، ولم يصل ردها.`,
    money: `It may have happened or not. Sending it again under another key could move the money twice.
      ربما حدث وربما لم يحدث. إرساله مجددًا بمعرّف آخر قد يحرّك المبلغ مرتين.`,
    todo: `Look it up on the gateway’s dashboard, then say here whether it happened.
      ابحث عنه في لوحة البوابة، ثم سجّل هنا هل حدث أم لا.`,
  },
  unreadable_answer: {
    title: ['The answer cannot be understood', 'رد غير مفهوم'],
    happened: `The gateway said something about this order that may mean a payment, in words that the kit does not know.
      ذكرت البوابة عن هذا الطلب ما قد يعني دفعة، بكلمات غير معروفة.`,
    money: `The customer may have paid. The order does not count as paid and takes no other payment.
      ربما دفع العميل. لا يُعد الطلب مدفوعًا ولا يقبل دفعة أخرى.`,
    todo: `Look it up on the dashboard. An answer that can be understood ends this by itself; otherwise resolve it.
      ابحث عنه في لوحة البوابة. ينتهي هذا تلقائيًا بوصول رد مفهوم، وإلا فأنهِ المراجعة.`,
  },
  dead_letter: {
    title: ['Your shop’s own code keeps failing', 'يتكرر تعذّر معالجة حدث في متجرك'],
    happened: `The handler for an event of this order failed twenty times, so that it is not called any more.
      فشل معالج أحد أحداث هذا الطلب عشرين مرة، ولن يُستدعى بعد الآن.`,
    money: `The payment itself is recorded. What your shop does upon it, such as shipping or a mail, was not done.
      الدفعة نفسها مسجّلة. أما ما يفعله متجرك بعدها، كالشحن أو إرسال بريد، فلم يحدث.`,
    todo: `Have the handler mended, then deliver the event again.
      اطلب إصلاح المعالج، ثم أعد تسليم الحدث.`,
  },
  proposal: {
    title: ['A refund waits for approval', 'استرداد بانتظار الموافقة'],
    happened: `A person asked for this refund, and another one must approve it.
      طلب أحدهم هذا الاسترداد، ولا بد من موافقة شخص آخر.`,
    money: ['Nothing was sent, and no money moved.', 'لم يُرسل شيء، ولم تتم أي حركة مالية.'],
    todo: `Look at the order, then approve the refund or withdraw it.
      راجع الطلب، ثم وافق على الاسترداد أو اسحبه.`,
  },
});
