/** `import '@pay-button/widget/preact'` types both elements in Preact's JSX. */
import type { HTMLAttributes } from 'preact';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';
import type {
  Listeners,
  PayButtonAttributes,
  PayButtonEvents,
  PayStatusAttributes,
  PayStatusEvents,
} from './attributes.ts';

/** Preact's own attributes, without those that the element types. */
type Props<Element extends EventTarget, Attributes, Events> = Omit<
  HTMLAttributes<Element>,
  keyof Attributes
> &
  Attributes &
  Listeners<Events, 'on'>;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-button': Props<PayButton, PayButtonAttributes, PayButtonEvents>;
      'pay-status': Props<PayStatus, PayStatusAttributes, PayStatusEvents>;
    }
  }
}
