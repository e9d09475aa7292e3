/** `import '@pay-button/widget/solid'` types both elements in Solid's JSX. */
import type { JSX as Solid } from 'solid-js';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type {
  Listeners,
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

/** `prop:data` sets a property, `on:pay-error` a listener, as Solid does for any custom element. */
type Props<Element, Attributes, Events> = Omit<Solid.HTMLAttributes<Element>, keyof Attributes> &
  Attributes &
  Listeners<Events, 'on:'> & {
    [Name in keyof Attributes & string as `prop:${Name}`]?: Attributes[Name];
  };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-button': Props<PayButton, PayButtonAttributes, PayButtonEvents>;
      'pay-status': Props<PayStatus, PayStatusAttributes, PayStatusEvents>;
    }
  }
}
