/** `import '@pay-button/widget/vue'` types both elements in Vue 3's templates and JSX. */
import type { DefineComponent, HTMLAttributes } from 'vue';
import type {
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

/** `@pay-error` in a template is the prop `onPayError`. */
type Handlers<Events> = {
  [
    Name in keyof Events & `pay-${string}` as Name extends `pay-${infer Rest}`
      ? `onPay${Capitalize<Rest>}`
      : never
  ]?: (event: Events[Name]) => void;
};

type Props<Attributes, Events> = Omit<HTMLAttributes, keyof Attributes> &
  Attributes &
  Handlers<Events>;

declare module 'vue' {
  interface IntrinsicElementAttributes {
    'pay-button': Props<PayButtonAttributes, PayButtonEvents>;
    'pay-status': Props<PayStatusAttributes, PayStatusEvents>;
  }
  interface GlobalComponents {
    'pay-button': DefineComponent<Props<PayButtonAttributes, PayButtonEvents>>;
    'pay-status': DefineComponent<Props<PayStatusAttributes, PayStatusEvents>>;
  }
}
