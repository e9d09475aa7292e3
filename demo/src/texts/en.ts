import { adminEn } from './admin-en.ts';
import { qaEn } from './qa-en.ts';

/** Every sentence of the shop in English. Arabic has the same keys. */
export const en = {
  shopName: 'Finjan',
  tagline: 'Everything for Saudi coffee',
  skipToContent: 'Skip to content',
  language: 'Language',
  basket: 'Basket',
  pieces: (count: number) => `${count} in your basket`,
  demoNote: 'A demo shop: nothing is sold, delivered or charged.',

  heroTitle: 'Coffee, the way it is poured here.',
  heroText:
    'Beans from Jazan, dates from Madinah and the pot between them. Delivered anywhere in the Kingdom.',
  heroAlt: 'A dallah pouring coffee into a finjan',
  products: 'Our products',
  addToBasket: 'Add to basket',
  addToBasketOf: (name: string) => `Add to basket: ${name}`,
  added: (name: string) => `${name} is in your basket.`,
  seeBasket: 'See basket',
  vatIncluded: 'Prices include 15% VAT.',

  basketTitle: 'Your basket',
  basketEmpty: 'Your basket is empty.',
  basketEmptyText: 'Choose something first; it will wait for you here.',
  keepShopping: 'Continue shopping',
  each: 'each',
  quantity: 'Quantity',
  quantityOf: (name: string) => `Quantity of ${name}`,
  update: 'Update',
  updateOf: (name: string) => `Update quantity of ${name}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  total: 'Total',
  ofWhichVat: 'Includes 15% VAT',
  delivery: 'Delivery',
  deliveryFree: 'Free',
  yourDetails: 'Your details',
  name: 'Full name',
  email: 'Email (optional)',
  phone: 'Mobile number',
  phoneHint: 'For example 0512345678',
  placeOrder: 'Continue to payment',
  placeOrderNote: 'You can check everything once more before you pay.',
  correct: 'Please correct the following:',
  complaints: {
    lines: 'Something in your basket is no longer sold. Check it and try again.',
    name: 'Enter your name.',
    email: 'Enter an email such as name@example.com, or leave it empty.',
    phone: 'Enter a mobile number such as 0512345678.',
  },

  order: (orderId: string) => `Order ${orderId}`,
  orderTitle: 'Check and pay',
  summary: 'Order summary',
  deliverTo: 'For',
  pay: 'Pay',
  payNote:
    'You pay on the payment gateway’s secure page. Your card number never reaches this shop.',
  testCard: 'Test card for this demo',
  testCardText: 'Mada 4201 3201 1111 1010, expiry 12/39, CVV 123. Do not type a real card.',
  cancelledTitle: 'This order was cancelled',
  cancelledText: 'It can no longer be paid. If you did pay, we will return your money.',
  toYourOrder: 'Go to your order',
  notPaidYet: 'Not paid yet? Go to your order',
  toThanks: 'See your confirmation',

  waitTitle: 'We are checking your payment',
  waitText:
    'This takes a few seconds. You may close this page: your order is safe, and we keep checking.',
  waitNoScript: 'This page refreshes itself every 5 seconds.',
  waitSettledTitle: 'Your payment',

  thanksTitle: (name: string) => `Thank you, ${name}!`,
  thanksText: 'We have your payment and are packing your order.',
  notPaidTitle: 'This order is not paid yet',
  notPaidText:
    'We only count a payment that the gateway has confirmed to us, and there is none so far.',

  retryTitle: 'The payment did not go through',
  retryText:
    'Nothing was charged. You can try again with the same card or another one; your order is unchanged.',
  retry: 'Try again',

  state: 'Payment',
  states: {
    unpaid: 'Not paid yet',
    pending: 'Waiting for payment',
    paid: 'Paid',
    failed: 'Declined',
    expired: 'Payment link expired',
    partially_refunded: 'Partly refunded',
    refunded: 'Refunded',
    paid_late: 'Paid after cancellation',
    review: 'Being checked by our team',
    authorized: 'Amount reserved',
    captured: 'Paid',
    voided: 'Reservation released',
  },
  stateNotes: {
    paid_late: 'Your payment arrived after this order was cancelled. We will return it to you.',
    review: 'A colleague is looking at this payment. Please do not pay again; we will contact you.',
    refunded: 'The full amount was returned to you.',
    partially_refunded: 'Part of the amount was returned to you.',
    authorized: 'The amount is reserved on your card and has not been charged yet.',
    voided: 'The amount reserved on your card was released; nothing was charged.',
  },

  errors: {
    notFound: [
      'We cannot find this page',
      'It may have moved, or it belongs to someone else. Orders open only in the browser that placed them.',
    ],
    forbidden: [
      'This form came from another site',
      'For your safety we did not accept it. Please use the form in our shop.',
    ],
    badRequest: [
      'We could not read that',
      'Please go back, check your entries and send them again. Nothing was ordered or charged.',
    ],
    failed: [
      'Something went wrong on our side',
      'Nothing is lost. Please try again in a moment; an order you have placed is still there.',
    ],
  },
  toShop: 'Go to the shop',
  admin: adminEn,
  qa: qaEn,
} as const;
