import { defineComponent, h, onMounted, reactive, ref, type VNode } from 'vue';
import type { PayRedirectEvent, PayStartEvent } from '../../../packages/widget/src/events.ts';

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
 * A real `<pay-button>` with a shop that exists in this page only. Pressing it sends nothing and
 * leads nowhere. Readers without scripts, and of the repository, see the text inside instead.
 */
export const LivePayButton = defineComponent({
  name: 'LivePayButton',
  setup(_, { slots }) {
    const isReady = ref(false);
    const told = ref('');
    const chosen = reactive<Record<Choice, string>>({
      variant: 'primary',
      size: 'medium',
      locale: 'en',
      answer: 'a payment link',
    });
    onMounted(async () => {
      await import('../../../packages/widget/src/index.ts');
      isReady.value = true;
    });
    const stay = (event: PayRedirectEvent): void => {
      event.preventDefault();
      told.value = `The browser would now go to ${event.redirectUrl}`;
    };
    const think = (event: PayStartEvent): void => {
      told.value = '';
      event.waitUntil(new Promise((resolve) => setTimeout(resolve, THINKING_MS)));
    };
    const button = (): VNode =>
      h('pay-button', {
        'order-id': '1001',
        amount: '115.00',
        currency: 'SAR',
        endpoint: answers[chosen.answer],
        variant: chosen.variant,
        size: chosen.size,
        locale: chosen.locale,
        'onPay-start': think,
        'onPay-redirect': stay,
        'onPay-error': ({ code }: { readonly code: string }) => (told.value = `pay-error: ${code}`),
      });
    return () =>
      isReady.value
        ? h('div', { class: 'live' }, [
            h(
              'div',
              { class: 'live-choices' },
              (Object.keys(choices) as Choice[]).map((name) => select(name, chosen)),
            ),
            button(),
            h('p', { class: 'live-told', role: 'status' }, told.value),
          ])
        : h('p', slots.default?.());
  },
});

function select(name: Choice, chosen: Record<Choice, string>): VNode {
  const onChange = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) chosen[name] = event.target.value;
  };
  const options = choices[name].map((value) =>
    h('option', { value, selected: value === chosen[name] }, value),
  );
  return h('label', [`${name} `, h('select', { onChange }, options)]);
}
