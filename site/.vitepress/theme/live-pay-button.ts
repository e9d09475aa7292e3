import { defineComponent, h, onMounted, reactive, ref, type VNode } from 'vue';
import type { PayRedirectEvent, PayStartEvent } from '../../../packages/widget/src/events.ts';
import '../../../packages/widget/src/reserve.css';

/** What a reader can turn, and between what. */
const choices = {
  variant: ['primary', 'outline', 'plain'],
  size: ['small', 'medium', 'large'],
  locale: ['en', 'ar'],
  answer: ['a payment link', 'nonsense'],
} as const;

type Choice = keyof typeof choices;

/** So long does the shop of this page think, in milliseconds: long enough to see the button wait. */
const THINKING_MS = 1_200;

/** A shop within the page: what its checkout answers, as an address that no request leaves for. */
const answers: Readonly<Record<string, string>> = {
  'a payment link': `data:application/json,${encodeURIComponent('{"redirectUrl":"https://pay.example/checkout?session=1"}')}`,
  nonsense: 'data:application/json,{}',
};

/**
 * A real `<pay-button>` and its HTML, with a shop that exists in this page only. Pressing it sends
 * nothing and leads nowhere. The frame is in the page from the start, so that nothing moves when the
 * element arrives. Readers of the repository see the text inside instead.
 */
export const LivePayButton = defineComponent({
  name: 'LivePayButton',
  setup() {
    const told = ref('The shop behind this button is this page: nothing is sent.');
    const chosen = reactive<Record<Choice, string>>({
      variant: 'primary',
      size: 'medium',
      locale: 'en',
      answer: 'a payment link',
    });
    onMounted(() => import('../../../packages/widget/src/index.ts'));
    const stay = (event: PayRedirectEvent): void => {
      event.preventDefault();
      told.value = `The browser would now go to ${event.redirectUrl}`;
    };
    const think = (event: PayStartEvent): void => {
      told.value = 'The button asks the shop for a payment link …';
      event.waitUntil(new Promise((resolve) => setTimeout(resolve, THINKING_MS)));
    };
    return () => {
      const attributes = attributesFor(chosen);
      return h('div', { class: 'live' }, [
        h('div', { class: 'live-stage' }, [
          h('pay-button', {
            ...attributes,
            endpoint: answers[chosen.answer],
            'onPay-start': think,
            'onPay-redirect': stay,
            'onPay-error': ({ code }: { readonly code: string }) =>
              (told.value = `pay-error: ${code}`),
          }),
          h('p', { class: 'live-told', role: 'status' }, told.value),
        ]),
        h(
          'div',
          { class: 'live-choices' },
          (Object.keys(choices) as Choice[]).map((name) => select(name, chosen)),
        ),
        h('pre', { class: 'live-html', tabindex: 0, 'aria-label': 'HTML' }, htmlOf(attributes)),
      ]);
    };
  },
});

function attributesFor({ variant, size, locale }: Record<Choice, string>): Record<string, string> {
  return {
    endpoint: '/pay/checkout',
    'order-id': '1001',
    amount: '115.00',
    currency: 'SAR',
    methods: 'mada visa mastercard apple-pay',
    variant: variant ?? '',
    size: size ?? '',
    locale: locale ?? '',
  };
}

/** The element as a page has it, with a class for each kind of word. */
function htmlOf(attributes: Readonly<Record<string, string>>): readonly (VNode | string)[] {
  const tag = h('span', { class: 'tag' }, 'pay-button');
  const written = Object.entries(attributes).flatMap(([name, value]) => [
    '\n  ',
    h('span', { class: 'name' }, name),
    '=',
    h('span', { class: 'value' }, `"${value}"`),
  ]);
  return ['<', tag, ...written, '\n></', h('span', { class: 'tag' }, 'pay-button'), '>'];
}

function select(name: Choice, chosen: Record<Choice, string>): VNode {
  const onChange = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) chosen[name] = event.target.value;
  };
  const options = choices[name].map((value) =>
    h('option', { value, selected: value === chosen[name] }, value),
  );
  return h('label', [`${name} `, h('select', { onChange }, options)]);
}
