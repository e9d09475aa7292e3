/** `import '@pay-button/widget/vue'` types both elements in Vue 3's templates and JSX. */
import type { DefineComponent, HTMLAttributes } from 'vue';
import type {
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

/** `@pay-error` in a template is the prop `onPayError`. */
type Props<Attributes, Events> = Omit<HTMLAttributes, keyof Attributes> &
  Attributes & {
    [
      Name in keyof Events & `pay-${string}` as Name extends `pay-${infer Rest}`
        ? `onPay${Capitalize<Rest>}`
        : never
    ]?: (event: Events[Name]) => void;
  };

interface Elements {
  'pay-button': Props<PayButtonAttributes, PayButtonEvents>;
  'pay-status': Props<PayStatusAttributes, PayStatusEvents>;
}

declare module 'vue' {
  interface IntrinsicElementAttributes extends Elements {}
  interface GlobalComponents {
    'pay-button': DefineComponent<Elements['pay-button']>;
    'pay-status': DefineComponent<Elements['pay-status']>;
  }
}
