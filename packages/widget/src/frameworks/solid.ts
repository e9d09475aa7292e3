/** `import '@pay-button/widget/solid'` types both elements in Solid's JSX. */
import type { JSX as Solid } from 'solid-js';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type { PayButtonAttributes, PayElements, PayStatusAttributes } from './attributes.ts';

/** `prop:data` sets a property, `on:pay-error` a listener, as Solid does for any custom element. */
type Own<Element, Attributes> = Solid.HTMLAttributes<Element> & {
  [Name in keyof Attributes & string as `prop:${Name}`]?: Attributes[Name];
};

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends PayElements<
      Own<PayButton, PayButtonAttributes>,
      Own<PayStatus, PayStatusAttributes>,
      'on:'
    > {}
  }
}
